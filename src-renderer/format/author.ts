/** "human:ana" → "shown by ana"; who made a skill, said apart for people, the agent and packs. */
export function formatAuthor(author: string): string {
  const at = author.indexOf(":");
  const kind = at < 0 ? author : author.slice(0, at);
  const name = author.slice(at + 1);
  if (kind === "human") return `made by ${name}`;
  if (kind === "authored") return `from the pack “${name}”`;
  if (kind === "imported") return "imported";
  if (name === "dreaming") return "learned by Knack while idle";
  if (name === "inline") return "written by Knack in a chat";
  return "learned by Knack from your tasks";
}
