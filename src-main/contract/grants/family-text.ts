import type { ProgramFamily } from "./schema.ts";

/** What a family of commands covers, in words: exactly this and no more is allowed for always. */
export function familyText({ program, deed, options }: ProgramFamily, folder: string): string {
  const fixed = [program, ...(deed === null ? [] : [deed]), ...options].join(" ");
  return `${fixed} (with any other words and paths inside ${folder}, and no other options)`;
}
