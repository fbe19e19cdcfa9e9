import { stripInvisible } from "#base/invisible.ts";
import { type Block, type EditableBlock, editableBlockSchema, longestBlock, type StandingContext } from "#contract/blocks/schema.ts";
import { badInput } from "#contract/errors.ts";
import { type ProfileField, profileFieldSchema } from "#contract/memory/schema.ts";
import { profileFields } from "#core/learning/index.ts";
import type { BlockFile, FactStore, LanguageModel } from "#core/ports/index.ts";
import { kindOf, type ResolvedBlock, type StandingBlocks } from "#core/prompt/index.ts";

export interface BlockDeskWorld {
  readonly standing: StandingBlocks;
  readonly files: Readonly<Record<EditableBlock, BlockFile>>;
  readonly facts: FactStore;
  readonly clock: () => number;
  /** Everything ahead of a conversation, with this region of L1 in it. */
  readonly prefix: (region: string) => string;
  /** Null while no model is loaded: none is loaded only to count. */
  readonly loadedModel: () => Promise<LanguageModel | null>;
}

/** What people see and do of standing context. */
export interface BlockDesk {
  list(): Promise<StandingContext>;
  set(name: EditableBlock, text: string): Promise<StandingContext>;
  reset(name: EditableBlock): Promise<StandingContext>;
  decline(field: ProfileField): Promise<StandingContext>;
  askAgain(field: ProfileField): Promise<StandingContext>;
}

export function makeBlockDesk({ standing, files, facts, clock, prefix, loadedModel }: BlockDeskWorld): BlockDesk {
  async function list(): Promise<StandingContext> {
    const model = await loadedModel().catch(() => null);
    const count = (text: string): number | null => (model === null ? null : text === "" ? 0 : model.countTokens(text));
    const resolved = await standing.inspect();
    const region = resolved.flatMap(({ block, text }) => (block.layer === "L1" && text !== "" ? [text] : [])).join("\n");
    const whole = prefix(region);
    const fields = profileFields(facts);
    return {
      blocks: await Promise.all(resolved.map((one) => blockOf(one, count))),
      profile: { name: fields.get("name") ?? "unknown", location: fields.get("location") ?? "unknown", role: fields.get("role") ?? "unknown" },
      prefix: { bytes: bytesOf(whole), tokens: count(whole) },
    };
  }

  async function blockOf({ block, state, problem, revision, text, dropped }: ResolvedBlock, count: (text: string) => number | null): Promise<Block> {
    const { name, tier, layer, order, source, permissions, inherit, onSourceFailure } = block;
    const own =
      source !== "memory" && source.kind === "file"
        ? await source.file.read().then(
            (written) => ({ written: written ?? source.whenMissing, isOwn: written !== null }),
            () => ({ written: null, isOwn: true }),
          )
        : { written: null, isOwn: false };
    return {
      name,
      tier,
      layer,
      order,
      source: kindOf(source),
      file: source !== "memory" && source.kind === "file" ? source.file.path : null,
      permissions: [...permissions],
      inherit,
      onSourceFailure,
      state,
      problem,
      revision,
      bytes: bytesOf(text),
      tokens: count(text),
      dropped,
      text,
      ...own,
    };
  }

  return {
    list,
    async set(name, text) {
      const file = fileOf(files, name);
      if (stripInvisible(text).trim() === "") throw badInput(`The text is empty. To go back to what Knack comes with: knack blocks reset ${name}`);
      if (text.length > longestBlock)
        throw badInput(`The text has ${text.length} characters; at most ${longestBlock} stand in the prompt. Shorten it; ${name} is as it was.`, {
          field: "text",
        });
      if (text.includes("\0")) throw badInput(`The text holds a character that no text has (U+0000). ${name} is as it was.`, { field: "text" });
      await file.write(text);
      return list();
    },
    async reset(name) {
      await fileOf(files, name).remove();
      return list();
    },
    async decline(field) {
      facts.decline(requireField(field), clock());
      return list();
    },
    async askAgain(field) {
      facts.undecline(requireField(field));
      return list();
    },
  };
}

function fileOf(files: BlockDeskWorld["files"], name: EditableBlock): BlockFile {
  if (!editableBlockSchema.safeParse(name).success)
    throw badInput(
      `The block ${name} is not edited by hand; ${editableBlockSchema.options.join(" and ")} are. What Knack knows of you is in: knack memory list`,
    );
  return files[name];
}

function requireField(field: ProfileField): ProfileField {
  if (!profileFieldSchema.safeParse(field).success) throw badInput(`"${field}" is not asked for; ${profileFieldSchema.options.join(", ")} are`);
  return field;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
