import type { Fact } from "./schema.ts";

/** What each label stands for, in a person's words; in the order in which they are shown. */
export const labelWords: Readonly<Record<Fact["label"], string>> = {
  SOUL: "About you",
  PREFERENCE: "How you like things",
  FOCUS: "What you are at now",
  NOTE: "Notes",
};

/** Who wrote a fact down. */
export function sourceWords({ source }: Pick<Fact, "source">): string {
  switch (source) {
    case "user":
      return "you wrote it";
    case "imported":
      return "imported by you";
    case "conversation":
      return "kept in a conversation";
    case "agent:dreaming":
      return "found in what you said";
    default:
      return source;
  }
}
