import type { SkillDetail } from "#app/agent.ts";
import type { PassEntry, PassReport } from "#contract/learning/schema.ts";
import { entryTitle, reasonWords } from "#contract/learning/words.ts";
import { type Evidence, evidenceWords, originOf } from "#contract/skills/explain.ts";
import { type Lift, liftWords } from "#contract/skills/lift.ts";
import type { LedgerEntry, Recall, RecallCandidate, Revision, SkillSummary, Trust } from "#contract/skills/schema.ts";
import { diagnosticLines } from "./skill-file-lines.ts";
import { tableLines } from "./table.ts";
import { plural, timeText } from "./units.ts";

/** "3 of 4"; "–" before the first run. */
export function trustText({ runs, successes }: Trust): string {
  return runs === 0 ? "–" : `${successes} of ${runs}`;
}

/** "3 of 4, trust 0.67"; "not run yet" before the first run. */
function recordText(record: Trust | undefined): string {
  return record === undefined || record.runs === 0 ? "not run yet" : `${trustText(record)}, trust ${record.trust.toFixed(2)}`;
}

/** The revision that is shown first, then the others with a record of their own. */
function recordLines({ skill, revision, records }: SkillDetail): (readonly [string, string])[] {
  const own = records.find((one) => one.revision === revision.number);
  const others = records.filter((one) => one !== own && one.runs > 0);
  return [
    ["worked", recordText(own)],
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
    ["status", `${skill.status}${skill.supersededBy === null ? "" : `, "${successor ?? skill.supersededBy}" took its place`}${skill.pinned ? ", pinned" : ""}`],
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
function evidenceTail({ at, conversationId, episodeId, fate }: Evidence): string {
  const when = at === null ? "" : fate === "kept" ? `, ${timeText(at)}` : `, gone since ${timeText(at)}`;
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

export function recallLines(recall: Recall): string[] {
  const head = `${recall.verdict}${recall.skillName === null ? "" : `: ${recall.skillName}`}${recall.score === null ? "" : `, score ${recall.score.toFixed(2)}, ${recall.certainty?.toFixed(2) ?? "–"} with its lead`}`;
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
  const { dream } = report;
  const looked = dream
    ? `dream: ${plural(dream.conversations.length, "conversation")}, ${plural(dream.messagesRead, "message")} and ${plural(report.episodesRead, "episode")} read`
    : `${plural(report.episodesRead, "episode")} read`;
  const head = `${timeText(report.startedAt)}  ${looked}${report.dryRun ? ", nothing changed" : ""}${report.note === "" ? "" : `. ${report.note}`}`;
  return [head, ...report.entries.flatMap(entryLines)];
}

function entryLines(entry: PassEntry): string[] {
  const { decision, reason, now } = entry;
  const sources = (now?.sources ?? []).map(({ conversationId, messageId }) =>
    conversationId === null ? "a conversation that was erased" : `${conversationId}${messageId === undefined ? "" : `, message ${messageId}`}`,
  );
  const kept = decision === "added" || decision === "updated";
  return [
    `  ${decision.padEnd(9)}  ${nameOf(entry)}: ${reasonWords(reason)}`,
    ...(entry.fact || kept ? (sources.length === 0 ? [] : [`${" ".repeat(13)}from ${sources.join("; ")}`]) : []),
    ...(kept && now?.fact ? [`${" ".repeat(13)}take it back with: knack memory forget ${now.fact.id}`] : []),
  ];
}

function nameOf(entry: PassEntry): string {
  const { fact, now } = entry;
  if (fact) return now?.fact ? `"${now.fact.text}"` : fact.id === null ? "a sentence" : "a fact that is forgotten";
  return entryTitle(entry);
}
