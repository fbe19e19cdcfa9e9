import type { FactDetail, ImportedFact } from "#contract/memory/schema.ts";
import { labelWords, sourceWords } from "#contract/memory/words.ts";
import { plural, timeText } from "./units.ts";

export const isOffLine = "Memory is off: none of this is used or added to. Turn it on with: knack settings set memory on";

export function factLines({ fact, history, conversation, saidAt }: FactDetail): string[] {
  const rows: readonly (readonly [string, string])[] = [
    ["id", fact.id],
    ["kind", `${fact.label.toLowerCase()} (${labelWords[fact.label].toLowerCase()})`],
    ["from", sourceWords(fact)],
    ...(fact.provenance === undefined
      ? []
      : ([
          ["sentence", fact.provenance.sentence],
          ["said in", conversation === null ? "a conversation that is gone" : `"${conversation}", ${fact.provenance.conversationId}`],
          ["message", `${fact.provenance.messageId}${saidAt === null ? "" : `, ${timeText(saidAt)}`}`],
        ] as const)),
    ["since", timeText(fact.createdAt)],
    ["changed", timeText(fact.updatedAt)],
  ];
  return [
    fact.text,
    ...rows.map(([name, value]) => `${name.padEnd(9)}  ${value}`),
    ...(history.length === 0 ? [] : ["", "before"]),
    ...history.map((version) => `  until ${timeText(version.replacedAt)}  ${version.text} (${sourceWords(version)})`),
  ];
}

export function importedLines(results: readonly ImportedFact[]): string[] {
  const lines = results.map((one) =>
    "problem" in one
      ? `left out     ${one.text === "" ? "" : `${one.text}: `}${one.problem}`
      : `${one.became === "added" ? "remembered  " : "known already"} ${one.text}`,
  );
  const count = (became: "added" | "known"): number => results.filter((one) => "became" in one && one.became === became).length;
  const left = results.filter((one) => "problem" in one).length;
  return [...lines, `${plural(count("added"), "fact")} remembered, ${count("known")} known already, ${left} left out`];
}
