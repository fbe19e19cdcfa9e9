import { fail, ok, type Result } from "#base/result.ts";
import { KnackError } from "#contract/errors.ts";

export const maxNameLength = 64;

/** The Agent Skills rule: lower-case letters, digits and single hyphens, 1–64 characters. */
export function isSkillName(text: string): boolean {
  return text.length <= maxNameLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(text);
}

/** Reads a name somebody gave: capitals, spaces and underscores are mapped (`Order_Groceries` → `order-groceries`), the rest must be right. */
export function parseSkillName(given: string): Result<string> {
  const name = given
    .trim()
    .toLowerCase()
    .replace(/[_\s-]+/gu, "-")
    .replace(/^-|-$/gu, "");
  if (name === "") return fail("The name of a skill is empty; use lower-case letters, digits and hyphens.");
  if (name.length > maxNameLength) return fail(`The name has ${name.length} characters; a skill's name has at most ${maxNameLength}.`);
  const odd = [...new Set(name.match(/[^a-z0-9-]/gu) ?? [])];
  if (odd.length > 0)
    return fail(
      `"${given}" cannot be a skill's name: it holds ${odd.map((character) => `"${character}"`).join(", ")}; use lower-case letters, digits and hyphens.`,
    );
  return ok(name);
}

/** Makes a name out of any text; starts with a letter, as names made here do. */
export function makeSkillName(text: string): string {
  const plain = text.normalize("NFKD").replace(/ß/gu, "ss").replace(/[æÆ]/gu, "ae").replace(/[øØ]/gu, "o").replace(/\p{M}/gu, "");
  const slug = plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+|-+$/gu, "");
  const lettered = slug === "" ? "skill" : /^[a-z]/u.test(slug) ? slug : `skill-${slug}`;
  if (lettered.length <= maxNameLength) return lettered;
  const cut = lettered.slice(0, maxNameLength);
  const boundary = lettered[maxNameLength] === "-" ? maxNameLength : cut.lastIndexOf("-");
  return cut.slice(0, boundary > 0 ? boundary : maxNameLength);
}

/** `name`, or `name-2`, `name-3` … when it is taken; for names nobody chose. */
export function freeSkillName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `-${number}`;
    const candidate = `${name.slice(0, maxNameLength - suffix.length).replace(/-$/u, "")}${suffix}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** Two skills of one name; names the other. */
export function nameTaken(name: string, other: { readonly id: string; readonly name: string }, given = name): KnackError {
  const asked = given === name ? `"${name}"` : `"${given}" (stored as "${name}")`;
  return new KnackError(
    "skill.name-taken",
    `The name ${asked} is taken by the skill "${other.name}" (${other.id}). Choose another name, or change that skill.`,
    {
      exit: 2,
      fields: { name, other: other.name, otherId: other.id },
    },
  );
}

/** Throws when another skill has the name. `self` is the skill that keeps its own. */
export function requireFreeName(
  name: string,
  holder: { readonly id: string; readonly name: string } | undefined,
  options: { readonly given?: string; readonly self?: string } = {},
): void {
  if (holder !== undefined && holder.id !== options.self) throw nameTaken(name, holder, options.given);
}
