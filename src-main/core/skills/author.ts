import { badInput, type KnackError } from "#contract/errors.ts";
import { authorSchema } from "#contract/skills/schema.ts";

const authored = /^authored:[a-z0-9][a-z0-9-]*$/u;

/** Skills of packs are immutable to learning (SPEC 3.1). */
export function isAuthored(author: string): boolean {
  return authored.test(author);
}

/** Throws where anything but `authored:<pack>` is passed as the source of an authored skill. */
export function requireAuthoredSource(source: string): `authored:${string}` {
  if (!isAuthored(source))
    throw badInput(`The source of an authored skill is "authored:<pack>" with a pack name of a-z, 0-9 and hyphens; got "${source}".`, { field: "source" });
  return source as `authored:${string}`;
}

/** Throws for any text that is no author of SPEC 3. */
export function requireAuthor(author: string): string {
  if (!authorSchema.safeParse(author).success) throw wrongAuthor(author);
  return author;
}

function wrongAuthor(author: string): KnackError {
  return badInput(`"${author}" is no author: expected human:<name>, agent:inline, agent:synthesis, agent:dreaming, authored:<pack> or imported.`, {
    field: "author",
  });
}
