import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { type Block, type EditableBlock, editableBlockSchema, type StandingContext } from "#contract/blocks/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import { type ProfileField, profileFieldSchema } from "#contract/memory/schema.ts";
import { askPerson, isPersonThere } from "../ask-person.ts";
import { openInEditor } from "../edit-file.ts";
import { givenText } from "../given-text.ts";
import { type Call, group, leaf } from "../leaf.ts";
import type { Session } from "../session.ts";
import { countText, plural } from "../units.ts";
import { withAgent } from "../with-agent.ts";

interface EditOptions {
  readonly text?: string;
  readonly from?: string;
}

export function addBlocks(program: Command, session: Session): void {
  const blocks = group(program, "blocks", "standing context: what stands ahead of every conversation");

  leaf(blocks, session, "list", "each block with its tier, source, state and size", ({ screen }) =>
    withAgent(async (agent) => {
      const all = await agent.blocks();
      if (screen.json) return screen.show(all, () => []);
      screen.table(
        [
          { head: "BLOCK" },
          { head: "TIER" },
          { head: "LAYER" },
          { head: "ORDER", right: true },
          { head: "SOURCE" },
          { head: "PERMITS" },
          { head: "STATE" },
          { head: "REVISION" },
          { head: "BYTES", right: true },
          { head: "TOKENS", right: true },
        ],
        all.blocks.map((block) => [
          block.name,
          block.tier,
          block.layer,
          String(block.order),
          block.source,
          block.permissions.join(","),
          block.state,
          shortRevision(block.revision),
          countText(block.bytes),
          tokensText(block.tokens),
        ]),
      );
      screen.say(sizeLine(all));
      for (const { name, problem } of all.blocks) if (problem !== null) screen.warn(`${name}: ${problem}`);
      if (all.prefix.tokens === null)
        screen.note("Tokens are counted by a model that is loaded, and this command loads none: the page of a running Knack has them.");
      screen.note("gated: its condition does not hold, so it is left out. soul, preference, focus: kinds of what is remembered; see: knack memory list");
      screen.note("Read one with: knack blocks show <block>. Change one with: knack blocks edit IDENTITY|RULES");
    }),
  );

  leaf(blocks, session, "show <block>", "its text as it stands in the prompt", ({ screen, args: [name = ""] }) =>
    withAgent(async (agent) => {
      const block = blockNamed(await agent.blocks(), name);
      if (screen.json) return screen.show(block, () => []);
      for (const line of detailLines(block)) screen.say(line);
      if (block.text !== "") screen.say("");
      for (const line of block.text === "" ? [] : block.text.split("\n")) screen.say(line);
    }),
  );

  leaf<EditOptions>(blocks, session, "edit <block>", "write IDENTITY or RULES anew, in your editor unless the text is given", (call) =>
    withAgent(async (agent) => {
      const name = editable(call.args[0] ?? "");
      const { options, screen } = call;
      if (options.text !== undefined && options.from !== undefined) throw badInput("Give the text with --text or with --from, not with both");
      const given = options.from === undefined ? options.text : await givenText(options.from);
      const changed = given === undefined ? await inEditor(agent, name, call) : await agent.setBlock(name, given);
      if (changed === null) return screen.show({ name, changed: false }, () => [`${name} is as it was`]);
      const block = blockNamed(changed, name);
      screen.show(block, () => [`${name} is taken up at the next message; it has ${plural(block.bytes, "byte")} in the prompt`]);
    }),
  )
    .option("--text <text>", "the text itself")
    .option("--from <file>", "a file that holds the text");

  leaf(blocks, session, "reset <block>", "take your text away: back to what Knack comes with", ({ screen, args: [given = ""] }) =>
    withAgent(async (agent) => {
      const name = editable(given);
      const before = await asideFiles(agent, name);
      const block = blockNamed(await agent.resetBlock(name), name);
      const aside = (await asideFiles(agent, name)).filter((file) => !before.includes(file));
      screen.show({ ...block, aside }, () => [
        `${name} is as Knack comes with it${block.text === "" ? ": without a text" : ""}`,
        ...aside.map((file) => `What could not be read is kept beside it: ${file}. Take from it what you need, then delete it.`),
      ]);
    }),
  );

  leaf(blocks, session, "decline <field>", "you would rather not say your name, location or role: it is not asked for", ({ screen, args: [given = ""] }) =>
    withAgent(async (agent) => {
      const field = fieldNamed(given);
      const { profile } = await agent.declineField(field);
      screen.show(profile, () => [profile[field] === "known" ? `your ${field} is known; see: knack memory list` : `your ${field} is not asked for`]);
    }),
  );

  leaf(blocks, session, "ask-again <field>", "it may be asked for again", ({ screen, args: [given = ""] }) =>
    withAgent(async (agent) => {
      const field = fieldNamed(given);
      const { profile } = await agent.askFieldAgain(field);
      screen.show(profile, () => [profile[field] === "known" ? `your ${field} is known; see: knack memory list` : `your ${field} may be asked for`]);
    }),
  );
}

function blockNamed({ blocks }: StandingContext, name: string): Block {
  const found = blocks.find((block) => block.name === name.toUpperCase());
  if (found === undefined) throw badInput(`There is no block "${name}"; there are: ${blocks.map((block) => block.name).join(", ")}`);
  return found;
}

function editable(name: string): EditableBlock {
  const parsed = editableBlockSchema.safeParse(name.toUpperCase());
  if (!parsed.success) throw badInput(`"${name}" is no block that is edited by hand; there are: ${editableBlockSchema.options.join(", ")}`);
  return parsed.data;
}

/** What people call a field besides. */
const otherNames: Readonly<Record<string, ProfileField>> = {
  place: "location",
  home: "location",
  town: "location",
  city: "location",
  job: "role",
  work: "role",
  profession: "role",
};

function fieldNamed(name: string): ProfileField {
  const parsed = profileFieldSchema.safeParse(otherNames[name.toLowerCase()] ?? name.toLowerCase());
  if (!parsed.success) throw badInput(`"${name}" is not asked for; there are: ${profileFieldSchema.options.join(", ")}`);
  return parsed.data;
}

/** Files of a block that could not be read and were kept beside it. */
async function asideFiles(agent: HostedAgent, name: EditableBlock): Promise<string[]> {
  const folder = dirname(blockNamed(await agent.blocks(), name).file ?? ".");
  const there = await readdir(folder).catch(() => []);
  return there.filter((file) => file.startsWith(`${name}.unread-`)).map((file) => join(folder, file));
}

/** In the person's editor until it can be kept, or they leave it as it was: then null. */
async function inEditor(agent: HostedAgent, name: EditableBlock, { session, screen }: Call<EditOptions>): Promise<StandingContext | null> {
  const before = blockNamed(await agent.blocks(), name).written ?? "";
  await using file = await openInEditor(`${name}.md`, before, session, `give the text: knack blocks edit ${name} --text TEXT`);
  for (;;) {
    const text = await file.edit();
    if (text === before) return null;
    try {
      return await agent.setBlock(name, text);
    } catch (error) {
      if (!(error instanceof KnackError) || !isPersonThere()) throw error;
      screen.warn(error.message);
      if (/^no?$/iu.test(await askPerson("Edit it again? [Y/n] ", session))) return null;
    }
  }
}

function detailLines(block: Block): string[] {
  const { tooMany, tooLong } = block.dropped;
  return [
    `${block.name}: ${block.tier}, ${block.layer}, order ${block.order}, ${block.source}, ${block.state}`,
    ...(block.file === null ? [] : [`file: ${block.file}${block.isOwn ? "" : " (not there)"}`]),
    `permits: ${block.permissions.join(", ")}; where its source fails: ${block.onSourceFailure.replaceAll("_", " ")}`,
    `given to a child agent: ${block.inherit ? "yes" : "no"}`,
    `revision: ${block.revision ?? "none, its source was not read"}`,
    `size: ${plural(block.bytes, "byte")}, ${block.tokens === null ? "tokens are counted once a model is loaded" : plural(block.tokens, "token")}`,
    ...(tooMany + tooLong === 0 ? [] : [`left out: ${plural(tooMany, "fact")} over 200, ${plural(tooLong, "fact")} over 500 characters`]),
    ...(block.problem === null ? [] : [`problem: ${block.problem}`]),
  ];
}

function sizeLine({ prefix, profile }: StandingContext): string {
  const asked = profileFieldSchema.options.map((field) => `${field} ${profile[field]}`).join(", ");
  const tokens = prefix.tokens === null ? "tokens are counted once a model is loaded" : plural(prefix.tokens, "token");
  return `Ahead of every conversation, with kernel and tools: ${plural(prefix.bytes, "byte")}, ${tokens}. Of you: ${asked}.`;
}

/** Enough of a hash to tell two apart. */
function shortRevision(revision: string | null): string {
  return revision === null ? "–" : revision.replace(/^(sha256:[0-9a-f]{8})[0-9a-f]+$/u, "$1");
}

function tokensText(tokens: number | null): string {
  return tokens === null ? "–" : countText(tokens);
}
