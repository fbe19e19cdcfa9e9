import type { SkillDetail } from "#app/agent.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { LedgerEntry, Recall, RecallCandidate, Revision, SkillSummary, Trust } from "#contract/skills/schema.ts";
import { tableLines } from "./table.ts";
import { plural, timeText } from "./units.ts";

/** "3 of 4"; "–" before the first run. */
export function trustText({ runs, successes }: Trust): string {
  return runs === 0 ? "–" : `${successes} of ${runs}`;
}

export function skillLines({ skill, revision, runs, evidence }: SkillDetail): string[] {
  const facts: readonly (readonly [string, string])[] = [
    ["name", skill.name],
    ["status", `${skill.status}${skill.pinned ? ", pinned" : ""}`],
    ["revision", `${revision.number} of ${skill.revisions}${revision.number === skill.activeRevision ? ", in use" : `, in use is ${skill.activeRevision}`}`],
    ["made by", `${revision.author}, ${timeText(revision.createdAt)}`],
    [
      "worked",
      skill.lastUsedAt === null
        ? "never run"
        : `${trustText(skill.trust)}${skill.trust.caveat ? ` (${skill.trust.caveat})` : ""}, last used ${timeText(skill.lastUsedAt)}`,
    ],
    ["strict", skill.fullyMechanical ? "can run without the model" : "a step needs judgement"],
    ["reaches", [...revision.capabilities.primitives, ...revision.capabilities.destinations].join(", ") || "nothing"],
    ...evidence.map((one) => ["learned from", one.goal ?? `an erased conversation (${one.episodeId})`] as const),
    ...runs
      .slice(-5)
      .map((run) => ["run", `${timeText(run.startedAt)}  ${run.mode}, ${run.outcome ?? "running"}${run.finding ? `: ${run.finding}` : ""}`] as const),
  ];
  return [...facts.map(([name, value]) => `${name.padEnd(12)}  ${value}`), "", ...revision.body.trimEnd().split("\n")];
}

/** The playbook as a person checks it: without what only the host reads. */
export function playbookLines(body: string): string[] {
  return body
    .trimEnd()
    .split("\n")
    .filter((line) => !/^ {3}- (?:Call|If it fails): /u.test(line));
}

export function historyLines(skill: SkillSummary, revisions: readonly Revision[], ledger: readonly LedgerEntry[]): string[] {
  return [
    ...tableLines(
      [{ head: "" }, { head: "REVISION", right: true }, { head: "MADE" }, { head: "BY" }, { head: "WHAT" }],
      revisions.map((one) => [
        one.number === skill.activeRevision ? "*" : "",
        String(one.number),
        timeText(one.createdAt),
        one.author,
        `${plural(one.steps.length, "step")}, ${one.summary}`,
      ]),
    ),
    "",
    ...tableLines(
      [{ head: "WHEN" }, { head: "ACTION" }, { head: "BY" }, { head: "WHY" }],
      ledger.map((one) => [timeText(one.at), one.action, one.actor, one.reason]),
    ),
  ];
}

export function recallLines(recall: Recall): string[] {
  const head = `${recall.verdict}${recall.skillName === null ? "" : `: ${recall.skillName}`}${recall.score === null ? "" : `, score ${recall.score.toFixed(2)}`}`;
  const rule = `used from ${recall.useThreshold.toFixed(2)}, suggested from ${recall.suggestThreshold.toFixed(2)}; ${recall.embedder}${recall.calibrated ? "" : ", not calibrated"}`;
  const rank = (at: number | null): string => (at === null ? "–" : String(at));
  const candidates = recall.candidates.map((one) => [
    one.score.toFixed(2),
    one.similarity.toFixed(2),
    rank(one.vectorRank),
    rank(one.lexicalRank),
    one.name,
    one.eliminated === null ? "" : `${one.eliminatedBy}: ${one.eliminated}`,
    one.phrasing,
  ]);
  const columns = [
    { head: "SCORE", right: true },
    { head: "ALIKE", right: true },
    { head: "NEAR", right: true },
    { head: "WORDS", right: true },
    { head: "SKILL" },
    { head: "OUT BECAUSE" },
    { head: "CLOSEST TO" },
  ];
  return [
    head,
    recall.why,
    rule,
    ...(candidates.length === 0
      ? []
      : ["", ...tableLines(columns, candidates), "", "ALIKE: similarity, before the form of the goal; NEAR, WORDS: place by similarity and by shared words"]),
    ...recall.candidates.flatMap(conditionLines),
  ];
}

function conditionLines({ name, conditions }: RecallCandidate): string[] {
  return conditions.map(({ kind, text, probability, holds }) => {
    const read = probability === null ? "could not be read" : `yes ${probability.toFixed(2)}`;
    return `${name}, ${kind} "${text}": ${read}, ${holds === null ? "unknown" : holds ? "holds" : "does not hold"}`;
  });
}

export function reportLines(report: PassReport): string[] {
  const head = `${timeText(report.startedAt)}  ${plural(report.episodesRead, "episode")} read${report.dryRun ? ", nothing changed" : ""}${report.note === "" ? "" : `. ${report.note}`}`;
  return [head, ...report.entries.map((one) => `  ${one.decision.padEnd(9)}  ${one.skillName ?? one.goal}: ${one.reason}`)];
}
