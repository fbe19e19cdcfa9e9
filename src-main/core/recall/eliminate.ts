import { words } from "#base/text.ts";
import type { Call, RecallCheck, Revision, SkillStep } from "#contract/skills/schema.ts";
import { covers, toolName } from "../envelope/index.ts";
import { evaluateStatePredicate, findPlaceholders, mayBeOffered, recallText } from "../skills/index.ts";
import { literalIn } from "../skills/values/index.ts";
import { type Candidate, usesHost } from "./candidates.ts";
import { countersOf, indexCounters } from "./index-skill.ts";
import type { MatchWorld } from "./match-world.ts";
import { whyOpposed } from "./opposites.ts";

interface Asked {
  readonly goal: string;
  /** Sites the goal names. */
  readonly hosts: readonly string[];
  /** The goal's. */
  readonly vector: Float32Array;
  readonly world: MatchWorld;
  readonly signal: AbortSignal;
}

/** One check that code decides, without the model: null where it holds, else why not, in words that follow "it fits, but". */
type StructuredCheck = (candidate: Candidate, asked: Asked) => string | null | Promise<string | null>;

/**
 * The structured checks of SPEC 3.6, 2, in order; the first that is not true takes the candidate out. What says that it is not the skill that is meant
 * comes before what it lacks, so that only a skill that would be used otherwise is told to lack a grant.
 */
const checks: readonly (readonly [RecallCheck, StructuredCheck])[] = [
  ["record", ({ trust }) => (mayBeOffered(trust) ? null : `it worked only ${trust.successes} of ${trust.runs} times`)],
  ["site", namesAnotherSite],
  ["opposite", isOpposed],
  ["declined", wasDeclined],
  ["state", failsState],
  ["tool", lacksTool],
  ["file", lacksFile],
  ["grant", lacksGrant],
];

/** Writes into each candidate which check took it out, if one did. */
export async function eliminate(candidates: readonly Candidate[], asked: Asked): Promise<void> {
  for (const candidate of candidates) {
    for (const [check, isWrong] of checks) {
      const reason = await isWrong(candidate, asked);
      if (reason === null) continue;
      candidate.out = { check, reason };
      break;
    }
  }
}

function namesAnotherSite({ revision }: Candidate, { hosts }: Asked): string | null {
  // A routine that takes an address as a value may be asked for without its own site being named.
  const asValues = Object.values(revision.inputs.properties).filter(({ kind }) => kind === "site").length;
  return hosts.length > asValues && !usesHost(revision.capabilities.destinations, hosts) ? `the goal names ${hosts.join(", ")}, which it does not use` : null;
}

function isOpposed({ skill, revision }: Candidate, { goal, world }: Asked): string | null {
  const meant = world.skills.phrasings(skill.id).flatMap(({ text, counter }) => (counter ? [] : [text]));
  const texts = [revision.goal, revision.whenToUse, ...revision.phrasings, ...revision.bindings.map((binding) => binding.goal), ...meant];
  return whyOpposed(withoutChoices(goal, revision), texts, revision.steps.at(-1)?.call === undefined);
}

/** The goal without what it picks from a list: "Change of plans" as a reason is no wish for a change. */
function withoutChoices(goal: string, { inputs }: Revision): string {
  const picked = Object.values(inputs.properties)
    .flatMap(({ choices }) => choices ?? [])
    .filter((choice) => words(choice).length > 1);
  return picked.reduce((rest, choice) => {
    const place = literalIn(rest, choice);
    return place ? `${rest.slice(0, place.start)}it${rest.slice(place.end)}` : rest;
  }, goal);
}

/** The goal, or one more like a goal that was declined or corrected than like any the skill is for (REC-13, REC-14). */
async function wasDeclined({ skill, nearest }: Candidate, { goal, vector, world, signal }: Asked): Promise<string | null> {
  const compared = (text: string): string => recallText(text, new Date(world.now)).toLowerCase();
  const answered = world.skills.phrasings(skill.id);
  if (!answered.some(({ counter }) => counter)) return null;
  const asked = compared(goal);
  // The same words with other values are the same question: what was said of it last counts.
  const last = answered.findLast(({ text }) => compared(text) === asked);
  if (last) return last.counter ? "you said it was not meant for this" : null;
  const nearestCounter = () => world.vectors.nearestOf(world.embedder.key, "counter", vector, [skill.id])[0];
  let counter = nearestCounter();
  // A correction is kept at once and read only here; so is what another embedder read before.
  if (counter?.of !== countersOf(skill.id, world)?.length) {
    await indexCounters(skill.id, world, signal);
    counter = nearestCounter();
  }
  return counter !== undefined && counter.score > nearest ? `you said it was not meant for the like of this ("${counter.text}")` : null;
}

function failsState({ revision }: Candidate, { world }: Asked): string | null {
  for (const rule of revision.preconditions) {
    if (typeof rule === "string") continue;
    const outcome = evaluateStatePredicate(world.state, rule);
    if (!outcome.matched) return `its condition on ${rule.state.path} does not hold (${outcome.reason})`;
  }
  return null;
}

function lacksTool({ revision }: Candidate, { world }: Asked): string | null {
  const needed = [...revision.toolsRequired, ...revision.steps.flatMap(({ call }) => (call ? [call.tool] : []))].map(toolName);
  const missing = needed.find((tool) => !world.hasTool(tool));
  return missing === undefined ? null : `the tool ${missing}, which it needs, is not there`;
}

async function lacksFile({ revision }: Candidate, { world }: Asked): Promise<string | null> {
  for (const path of filesRead(revision.steps)) {
    if (world.fileExists === null) return `it reads ${path}, and no folder is open`;
    if (!(await world.fileExists(path))) return `the file ${path}, which it reads, is not there`;
  }
  return null;
}

/** Files that must be there before the first step: read, and not written by a step before. A path with a value in it is known only once that is bound. */
function filesRead(steps: readonly SkillStep[]): string[] {
  const written = new Set<string>();
  const read = new Set<string>();
  for (const { call } of steps) {
    if (!call) continue;
    const from = pathRead(call);
    if (from !== null && !written.has(from)) read.add(from);
    const to = { workspace_write: call.args.path, workspace_move: call.args.to }[toolName(call.tool)];
    if (typeof to === "string") written.add(to);
  }
  return [...read];
}

function pathRead({ tool, args }: Call): string | null {
  const path = { workspace_read: args.path, workspace_expect: args.path, workspace_move: args.from }[toolName(tool)];
  return typeof path === "string" && findPlaceholders(path).length === 0 ? path : null;
}

/** Destinations, vault entries and primitives that the revision declares and nobody granted: the whole use would be refused (SPEC 3.4). */
function lacksGrant(candidate: Candidate, { world }: Asked): string | null {
  const coverage = covers(candidate.revision.capabilities, world.envelope);
  if (coverage.covered) return null;
  candidate.lacking = coverage.missing;
  return `${coverage.missing.join(", ")} ${coverage.missing.length === 1 ? "is" : "are"} not granted`;
}
