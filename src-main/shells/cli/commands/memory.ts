import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import { type Fact, type FactChange, factLabelSchema } from "#contract/memory/schema.ts";
import { sourceWords } from "#contract/memory/words.ts";
import { isAgreed } from "../ask-person.ts";
import { type Erasing, erasedLines, withErasing } from "../erasing.ts";
import { factLines, importedLines, isOffLine } from "../fact-lines.ts";
import { givenText } from "../given-text.ts";
import { group, leaf } from "../leaf.ts";
import { pathFrom } from "../place.ts";
import type { Session } from "../session.ts";
import { timeText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

interface Labelled {
  readonly label?: string;
}

export function addMemory(program: Command, session: Session): void {
  const memory = group(program, "memory", "what Knack knows about you");

  leaf(memory, session, "list", "everything", ({ screen }) =>
    withAgent((agent) => {
      const facts = agent.facts();
      if (!agent.settings().memory) screen.note(isOffLine);
      if (screen.json) return screen.show(facts, () => []);
      if (facts.length === 0) return screen.say('Nothing is remembered. Add something with: knack memory add "…"');
      screen.table(
        [{ head: "ID" }, { head: "KIND" }, { head: "SINCE" }, { head: "FROM" }, { head: "FACT" }],
        facts.map((fact) => [fact.id, fact.label.toLowerCase(), timeText(fact.createdAt), sourceWords(fact), fact.text]),
      );
    }),
  );

  leaf(memory, session, "show <fact>", "one fact: where it was said, and what it said before; an id may be shortened", ({ screen, args: [which = ""] }) =>
    withAgent((agent) => {
      const detail = agent.fact(which);
      screen.show(detail, () => factLines(detail));
    }),
  );

  leaf<Labelled>(memory, session, "add <text>", "remember something", ({ screen, args: [text = ""], options }) =>
    withAgent((agent) => {
      const kept = agent.addFact(text, labelOf(options));
      screen.show(kept, () => {
        if (kept.became === "known") return [`known already ${kept.id}: ${kept.text}`];
        return [`remembered ${kept.id}: ${kept.text}`, ...(kept.before === null ? [] : [`in the place of: ${kept.before}`])];
      });
    }),
  ).option("--label <label>", "soul, preference, focus or note; told from the text by default");

  leaf<Labelled & { text?: string }>(
    memory,
    session,
    "edit <fact>",
    "word it anew, or put it under another label",
    ({ screen, args: [which = ""], options }) => {
      const label = labelOf(options);
      const change: FactChange = { ...(options.text === undefined ? {} : { text: options.text }), ...(label === undefined ? {} : { label }) };
      if (Object.keys(change).length === 0) throw badInput("Say what to change: --text TEXT, --label LABEL, or both");
      return withAgent((agent) => {
        const fact = agent.editFact(which, change);
        screen.show(fact, () => [`changed ${fact.id}, ${fact.label.toLowerCase()}: ${fact.text}`]);
      });
    },
  )
    .option("--text <text>", "what it says from now on")
    .option("--label <label>", "soul, preference, focus or note");

  withErasing(
    leaf<Erasing>(memory, session, "forget <fact>", "erase it for good", ({ screen, args: [which = ""], options }) =>
      withAgent(async (agent) => {
        const { fact } = agent.fact(which);
        if (!options.yes && !(await isAgreed(`Forget "${fact.text}"? It cannot be undone.`, session))) return screen.note("Left as it is.");
        const erasure = await agent.forgetFact(fact.id, options.backups === true);
        screen.show({ forgotten: fact.id, ...erasure }, () => [`forgotten ${fact.id}`, ...erasedLines(erasure), ...saidLines(agent, fact)]);
      }),
    ),
  );

  leaf(memory, session, "export [file]", "all of it as a file that another Knack takes in; to the screen without one", ({ screen, args: [path] }) =>
    withAgent(async (agent) => {
      const text = agent.exportFacts();
      if (path === undefined) return screen.show(JSON.parse(text), () => text.trimEnd().split("\n"));
      const file = pathFrom(path);
      await writeFile(file, text, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
        throw new KnackError(
          "export.failed",
          error.code === "EEXIST" ? `${file} is there already; name another file` : `${file} could not be written (${error.code ?? error.message})`,
        );
      });
      screen.show({ facts: agent.facts().length, file }, () => [`exported to ${file}`]);
    }),
  );

  leaf(memory, session, "import <file>", "take facts in: such a file, or a plain text with one on each line", ({ screen, args: [path = ""] }) =>
    withAgent(async (agent) => {
      const results = agent.importFacts(await givenText(path));
      screen.show(results, () => importedLines(results));
      return results.some((one) => "problem" in one) ? 1 : 0;
    }),
  );
}

/** What forgetting a fact does not reach, and the way to it. */
function saidLines(agent: HostedAgent, { provenance }: Fact): string[] {
  // A conversation that was let go of, for nobody used it, holds it no longer.
  if (provenance === undefined || !agent.conversations().some(({ id }) => id === provenance.conversationId)) return [];
  const { messages, turns } = agent.conversation(provenance.conversationId);
  const turnId = messages.find(({ id }) => id === provenance.messageId)?.turnId;
  const episodeId = turns.find(({ id }) => id === turnId)?.episodeId;
  return episodeId === undefined ? [] : [`What you said in the conversation stays there; forget that too with: knack conversations erase-episode ${episodeId}`];
}

function labelOf({ label }: Labelled): Fact["label"] | undefined {
  if (label === undefined) return undefined;
  const read = factLabelSchema.safeParse(label.toUpperCase());
  if (!read.success) throw badInput(`There is no label "${label}"; there are: ${factLabelSchema.options.map((one) => one.toLowerCase()).join(", ")}`);
  return read.data;
}
