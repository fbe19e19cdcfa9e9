/** The folder a skill's file lies in, which should have the skill's name; undefined for a file that is not called SKILL.md or lies in none. */
export function folderOf(path: string): string | undefined {
  const parts = path.split(/[/\\]/u).filter((part) => part !== "" && part !== "." && part !== "..");
  return /^skill\.md$/iu.test(parts.at(-1) ?? "") ? parts.at(-2) : undefined;
}
