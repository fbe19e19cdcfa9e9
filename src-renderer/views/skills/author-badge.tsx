import { Badge, type Tone } from "../../components/badge.tsx";

/** One word of where a skill comes from; packs and files stand out from what was learned here. */
export function AuthorBadge({ author }: { readonly author: string }) {
  const kind = author.slice(0, author.includes(":") ? author.indexOf(":") : author.length);
  const { words, tone }: { readonly words: string; readonly tone: Tone } =
    kind === "authored"
      ? { words: `pack: ${author.slice("authored:".length)}`, tone: "accent" }
      : kind === "imported"
        ? { words: "imported", tone: "warn" }
        : kind === "human"
          ? { words: "by a person", tone: "plain" }
          : { words: "learned", tone: "plain" };
  return <Badge tone={tone}>{words}</Badge>;
}
