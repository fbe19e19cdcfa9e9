import type { Call, Check } from "#contract/skills/schema.ts";
import { leavesOf } from "./call-leaves.ts";
import { isLiteral } from "./check-after.ts";
import { hasPlaceholder } from "./goal-values.ts";
import { whatWasGiven } from "./plain-call.ts";
import { commonPairs } from "./sequence.ts";

/** Fields of a result by which a service says how it went, in words that say nothing else: a result may hold anything, and only these are kept. */
const told =
  /"(?:status|state|ok|success|result|outcome)"\s*:\s*(?:true|false|"(?:ok|okay|yes|success|successful|succeeded|done|complete|completed|finished|confirmed|accepted|approved|created|added|made|saved|stored|updated|changed|modified|deleted|removed|cancell?ed|closed|opened|open|active|inactive|enabled|disabled|started|stopped|running|paused|sent|delivered|received|published|posted|scheduled|booked|reserved|ordered|paid|refunded|moved|copied|archived|assigned|resolved|merged|queued|pending|available|valid|verified|on|off)")/giu;
/** Pieces of a result that a check compares at most. */
const mostPieces = 4;

/** What a template comes to in a run, for finding it in what was seen there. */
type AsSeen = (template: string) => string;

/**
 * What is to be seen after a call that works on no page: the file where it was put or read, else of the result what this run's own arguments and the
 * fields about its success account for. Any other word of a result is somebody else's and is not kept (UNT-01). Undefined where nothing can be told:
 * such a step needs judgement.
 * @param call with its templates
 * @param own templates of this run's arguments, this call's and those of later ones, which may rest on what it showed
 */
export function checkAfterCall(call: Call, own: readonly string[], result: string, asSeen: AsSeen): Check | undefined {
  const file = fileAfter(call);
  if (file !== undefined) return { file: { exists: file } };
  const pieces = [...own.filter((template) => hasPlaceholder(template) && whatWasGiven(template) === undefined && isLiteral(withoutMarks(template)))].flatMap(
    (template) => {
      const literal = asSeen(template);
      const at = literal.length < 3 ? -1 : result.indexOf(literal);
      return at < 0 ? [] : [{ at, end: at + literal.length, text: template }];
    },
  );
  const fields = [...result.matchAll(told)].map((match) => ({ at: match.index, end: match.index + match[0].length, text: match[0] }));
  const kept: { at: number; end: number; text: string }[] = [];
  for (const piece of [...fields, ...pieces.sort((a, b) => b.end - b.at - (a.end - a.at))])
    if (kept.length < mostPieces && kept.every(({ at, end }) => piece.end <= at || piece.at >= end)) kept.push(piece);
  kept.sort((a, b) => a.at - b.at);
  return kept.length === 0 ? undefined : { result: { matches: `*${kept.map(({ text }) => text).join("*")}*` } };
}

/** The file a call of the folder leaves or reads; undefined for other calls, and where its path would be read as a pattern. */
export function fileAfter({ tool, args }: Call): string | undefined {
  const path = tool === "workspace_move" ? args.to : /^workspace_(?:write|read|expect)$/u.test(tool) ? args.path : undefined;
  return typeof path === "string" && isLiteral(withoutMarks(path)) && whatWasGiven(path) === undefined ? path : undefined;
}

/** What the results of all runs have in common; undefined where that is nothing. */
export function commonMatch(patterns: readonly string[]): string | undefined {
  const [first = [], ...others] = patterns.map((pattern) => pattern.split("*").filter((piece) => piece !== ""));
  let common = first;
  for (const pieces of others) common = commonPairs(common, pieces).map(([index]) => common[index] ?? "");
  return common.length === 0 ? undefined : `*${common.join("*")}*`;
}

/** The templates of a call's arguments. */
export function templatesOf(call: Call | undefined): string[] {
  return leavesOf(call?.args ?? {}).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
}

function withoutMarks(template: string): string {
  return template.replace(/\{\{[^}]*\}\}/gu, "");
}
