import type { SkillDetail } from "#app/agent.ts";
import type { PassEntry, PassReport } from "#contract/learning/schema.ts";
import { entryTitle, leftForNextPass, reasonWords } from "#contract/learning/words.ts";
import { type Evidence, evidenceWords, originOf, verdictWords } from "#contract/skills/explain.ts";
import { type Lift, liftWords } from "#contract/skills/lift.ts";
import { recordWords, statusWords } from "#contract/skills/record-words.ts";
import type { LedgerEntry, Recall, RecallCandidate, Revision, SkillSummary, Trust } from "#contract/skills/schema.ts";
import { diagnosticLines } from "./skill-file-lines.ts";
import { tableLines } from "./table.ts";
import { plural, timeText } from "./units.ts";

const noRecord = { runs: 0, successes: 0 };

/** "worked 3 of 4 times, trust 0.67"; no trust before the first run that was judged. */
function recordText(record: Trust | undefined): string {
  return record === undefined || record.runs === 0 ? recordWords(record ?? noRecord) : `${recordWords(record)}, trust ${record.trust.toFixed(2)}`;
}

/** The revision that is shown first, then the others with a record of their own. */
function recordLines({ skill, revision, records }: SkillDetail): (readonly [string, string])[] {
  const own = records.find((one) => one.revision === revision.number);
  const others = records.filter((one) => one !== own && (one.runs > 0 || one.unjudged !== undefined));
  return [
    ["record", recordText(own)],
    ...(own?.caveat ? [["caveat", own.caveat] as const] : []),
    ...others.map((one) => ["", `revision ${one.revision}${one.revision === skill.activeRevision ? " (in use)" : ""}: ${recordText(one)}`] as const),
    ["last used", skill.lastUsedAt === null ? "never" : timeText(skill.lastUsedAt)],
  ];
}

/** `successor` is the name of the skill that took its place, where one did. */
export function skillLines(detail: SkillDetail, successor: string | null = null, lift: Lift | null = null): string[] {
  const { skill, revision, runs, evidence, file, ledger } = detail;
  const origin = originOf(revision, ledger);
  const facts: readonly (readonly [string, string])[] = [
    ["name", skill.name],
    [
      "status",
      `${statusWords(skill)}${skill.supersededBy === null ? "" : `, "${successor ?? skill.supersededBy}" took its place`}${skill.pinned ? ", pinned" : ""}`,
    ],
    ["revision", `${revision.number} of ${skill.revisions}${revision.number === skill.activeRevision ? ", in use" : `, in use is ${skill.activeRevision}`}`],
    ["made by", `${revision.author}, ${timeText(revision.createdAt)}`],
    ...recordLines(detail),
    ["strict", skill.fullyMechanical ? "can run without the model" : "a step needs judgement"],
    ["reaches", [...revision.capabilities.primitives, ...revision.capabilities.destinations].join(", ") || "nothing"],
    ...(file === null ? [] : [["file", file.path] as const]),
    ...(origin === undefined || origin.reason === "" ? [] : [["because", `${origin.reason} (${origin.actor})`] as const]),
    ...evidence.map((one) => ["learned from", `${evidenceWords(one)}${evidenceTail(one)}`] as const),
    ...(lift === null ? [] : liftWords(lift).map((line, at) => [at === 0 ? "worth" : "", line] as const)),
    ...runs
      .slice(-5)
      .map(
        (run) =>
          [
            "run",
            `${timeText(run.startedAt)}  revision ${run.revision}, ${run.mode}, ${run.outcome ?? "running"}${run.finding ? `: ${run.finding}` : ""}`,
          ] as const,
      ),
  ];
  return [
    ...facts.map(([name, value]) => `${name.padEnd(12)}  ${value}`),
    ...(file === null ? [] : diagnosticLines(file.diagnostics)),
    "",
    ...revision.body.trimEnd().split("\n"),
  ];
}

/** When it was, and where to look it up. */
function evidenceTail({ at, conversationId, episodeId, fate, isShown }: Evidence): string {
  const when = at === null ? "" : fate === "kept" ? `, ${timeText(at)}` : `, gone since ${timeText(at)}`;
  if (isShown) return when;
  return `${when}${conversationId === null ? ` (${episodeId})` : `, conversation ${conversationId}`}`;
}

/** The playbook as a person checks it: without what only the host reads. */
export function playbookLines(body: string, { calls = false }: { readonly calls?: boolean } = {}): string[] {
  return body
    .trimEnd()
    .split("\n")
    .filter((line) => !/^ {3}- If it fails: /u.test(line) && (calls || !/^ {3}- Call: /u.test(line)));
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
      [{ head: "ENTRY" }, { head: "WHEN" }, { head: "ACTION" }, { head: "BY" }, { head: "CHANGE" }, { head: "WHY" }],
      ledger.map((one) => [one.id, timeText(one.at), one.action, one.actor, changeText(one), one.reason]),
    ),
    "",
    "Take one change back with: knack skills undo <entry>",
  ];
}

/** "active → disabled", "revision 1 → 2"; nothing for what has no before. */
export function changeText({ before, after, beforeRevision, afterRevision }: LedgerEntry): string {
  if (afterRevision !== undefined) return beforeRevision === undefined ? `revision ${afterRevision}` : `revision ${beforeRevision} → ${afterRevision}`;
  return before === null || after === null ? "" : `${before} → ${after}`;
}

/** The verdict in one line, the skills that were looked at in a small table, then the reasons. */
export function recallLines(recall: Recall): string[] {
  const { candidates, skillName, useThreshold, suggestThreshold, embedder, calibrated } = recall;
  const rows = candidates.map((one) => [one.name, one.score.toFixed(2), useThreshold.toFixed(2), suggestThreshold.toFixed(2), resultOf(one, recall)]);
  const columns = [
    { head: "SKILL" },
    { head: "SCORE", right: true },
    { head: "USED FROM", right: true },
    { head: "SUGGESTED FROM", right: true },
    { head: "RESULT" },
  ];
  return [
    `${verdictWords[recall.verdict]}${skillName === null ? "" : `: ${skillName}`}${certaintyText(recall)}`,
    ...(rows.length === 0 ? [] : ["", ...tableLines(columns, rows).map((line) => `  ${line}`), ""]),
    recall.why,
    ...candidates.flatMap((one) => [candidateLine(one), ...conditionLines(one)]),
    `Compared by ${embedder}${calibrated ? "" : ", which has not been calibrated on this machine: the thresholds are general ones"}.`,
  ];
}

function certaintyText({ score, certainty }: Recall): string {
  return score === null ? "" : ` (score ${score.toFixed(2)}${certainty === null ? "" : `, ${certainty.toFixed(2)} with its lead over the next`})`;
}

function resultOf({ name, eliminatedBy, score }: RecallCandidate, { verdict, skillName, suggestThreshold }: Recall): string {
  if (eliminatedBy !== null) return `out by its ${eliminatedBy}`;
  if (name === skillName) return verdictWords[verdict];
  return score < suggestThreshold ? "below" : "behind";
}

/** Why it has the score it has, and what took it out. */
function candidateLine({ name, phrasing, similarity, vectorRank, lexicalRank, eliminated }: RecallCandidate): string {
  const places = [
    ...(vectorRank === null ? [] : [`place ${vectorRank} by meaning`]),
    ...(lexicalRank === null ? [] : [`place ${lexicalRank} by shared words`]),
  ];
  const near = [`closest to "${phrasing}"`, `similarity ${similarity.toFixed(2)} before the form of the goal`, ...places].join(", ");
  return `${name}: ${eliminated === null ? "" : `out, because ${eliminated}; `}${near}`;
}

function conditionLines({ name, conditions }: RecallCandidate): string[] {
  return conditions.map(({ kind, text, probability, holds }) => {
    const read = probability === null ? "could not be read" : `yes ${probability.toFixed(2)}`;
    return `${name}, ${kind} "${text}": ${read}, ${holds === null ? "unknown" : holds ? "holds" : "does not hold"}`;
  });
}

export function reportLines(report: PassReport): string[] {
  const { dream, entries, dryRun, note } = report;
  const looked = dream
    ? `dream: ${plural(dream.conversations.length, "conversation")}, ${plural(dream.messagesRead, "message")} and ${plural(report.episodesRead, "episode")} read`
    : `${plural(report.episodesRead, "new or changed episode")} read`;
  // A dry run tells of everything that is open, whenever it was read.
  const open = dryRun ? `; ${kinds(entries)} open, of ${plural(new Set(entries.flatMap(({ episodes }) => episodes)).size, "episode")}` : "";
  const head = `${timeText(report.startedAt)}  ${looked}${open}${dryRun ? "; nothing was changed" : ""}${note === "" ? "" : `. ${note}`}`;
  const isOpenable = entries.some(({ now }) => now?.sources.some(({ conversationId }) => conversationId !== null));
  return [head, ...entries.flatMap(entryLines), ...(isOpenable ? ["  Open one of these with: knack conversations show <id>"] : [])];
}

/** The way on after a dry run: only what would be learned can be. */
export function dryRunLine({ entries }: PassReport): string {
  const wouldLearn = entries.filter(({ decision }) => decision === "added" || decision === "updated").length;
  if (wouldLearn > 0) return `${plural(wouldLearn, "routine")} could be learned: knack skills induce --apply`;
  const isLeft = entries.some(({ reason }) => reason === leftForNextPass);
  return isLeft ? "Nothing could be learned yet; more is left to look at: knack skills induce --apply" : "There is nothing to learn yet.";
}

function kinds(entries: readonly PassEntry[]): string {
  return `${entries.length} ${entries.length === 1 ? "kind" : "kinds"} of task`;
}

function entryLines(entry: PassEntry): string[] {
  const { decision, reason, now } = entry;
  const sources = (now?.sources ?? []).map(({ conversationId, messageId }) =>
    conversationId === null ? "a conversation that was erased" : `conversation ${conversationId}${messageId === undefined ? "" : `, message ${messageId}`}`,
  );
  const kept = decision === "added" || decision === "updated";
  return [
    `  ${decision.padEnd(9)}  ${nameOf(entry)}: ${reasonWords(reason)}`,
    ...(sources.length === 0 ? [] : [`${" ".repeat(13)}from ${sources.join("; ")}`]),
    ...(kept && now?.fact ? [`${" ".repeat(13)}take it back with: knack memory forget ${now.fact.id}`] : []),
  ];
}

function nameOf(entry: PassEntry): string {
  const { fact, now } = entry;
  if (fact) return now?.fact ? `"${now.fact.text}"` : fact.id === null ? "a sentence" : "a fact that is forgotten";
  return entryTitle(entry);
}
