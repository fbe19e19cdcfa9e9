import { cosine } from "#base/vectors.ts";
import { matchesWildcard } from "#base/wildcard.ts";
import type { RevisionContent, Skill } from "#contract/skills/schema.ts";
import type { Embedder } from "#core/ports/index.ts";
import { certaintyOf, similaritiesOf, thresholdsFor, whyOpposed } from "#core/recall/index.ts";
import { asPattern, callTarget, hostsIn, isAuthored, isPager, recallText } from "#core/skills/index.ts";
import { makePause } from "./pause.ts";
import { reindexChanged, type SkillWorld } from "./skills.ts";

type Procedure = Pick<RevisionContent, "steps" | "capabilities" | "goal">;

/** Least share of controls two procedures of one meaning have in common; of up to four it is all of them. */
const controlShare = 0.8;
/** Least cosine of their goals, which may be worded very differently: as for runs of one cluster that agree on their controls. */
const goalCloseness = 0.1;
/** Roles of controls that only lead somewhere. */
const ways = new Set(["link", "tab", "menuitem", ""]);

interface Control {
  readonly tool: string;
  readonly role: string;
  /** Lower case, `*` for every value. */
  readonly name: string;
}

/** Fields filled and controls pressed, values aside. Where it begins and how far it pages on are not what it means. */
function controls({ steps }: Procedure): Control[] {
  return steps.flatMap(({ call }) => {
    if (!call || call.tool === "browser_open") return [];
    const { role = "", name = "" } = callTarget(call) ?? {};
    return isPager(name) ? [] : [{ tool: call.tool, role, name: asPattern(name).toLowerCase() }];
  });
}

function alike(a: Control, b: Control): boolean {
  return a.tool === b.tool && a.role === b.role && (matchesWildcard(a.name, b.name) || matchesWildcard(b.name, a.name));
}

/** Share of the longer list that stands in the other too, order aside; `spare` of what is missing may be a step that needs judgement. */
function shareOf(a: readonly Control[], b: readonly Control[], spare: number): number {
  const left = [...b];
  const common = a.filter((one) => {
    const at = left.findIndex((other) => alike(one, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
  const most = Math.max(a.length, b.length);
  return most === 0 ? 1 : Math.min(most, common + spare) / most;
}

const judged = ({ steps }: Procedure): number => steps.filter(({ call }) => call === undefined).length;

/** Whether two procedures go to the same places, end on the same control, and fill and press the same ones on the way. */
export function sameProcedure(a: Procedure, b: Procedure): boolean {
  const places = ({ capabilities }: Procedure): string => [...capabilities.destinations].sort().join();
  const [left, right] = [controls(a), controls(b)];
  const [endA, endB] = [left.at(-1), right.at(-1)];
  if (places(a) !== places(b) || !endA || !endB || !alike(endA, endB)) return false;
  const spare = Math.abs(judged(a) - judged(b));
  const deeds = (all: readonly Control[]): Control[] => all.filter(({ role }) => !ways.has(role));
  return shareOf(left, right, spare) >= controlShare && shareOf(deeds(left), deeds(right), spare) >= controlShare;
}

/**
 * The skill that means the same in any of its revisions, so that one whose steps a person edited is known again (IND-12): the same procedure, for goals
 * that are close. Names do not decide. Skills of packs are no one's duplicate: none is found for an authored `author`, and authored ones are passed over.
 */
export async function sameMeaning(
  world: SkillWorld,
  content: RevisionContent,
  now: Date,
  signal: AbortSignal,
  author = "agent:synthesis",
): Promise<Skill | undefined> {
  return isAuthored(author) ? undefined : firstAlike(world, content, (other) => !isAuthored(other), now, signal);
}

/** The skill of a pack that means the same: what is learned beside it names it. */
export function authoredAlike(world: SkillWorld, content: RevisionContent, now: Date, signal: AbortSignal): Promise<Skill | undefined> {
  return firstAlike(world, content, isAuthored, now, signal);
}

async function firstAlike(
  world: SkillWorld,
  content: RevisionContent,
  isWanted: (author: string) => boolean,
  now: Date,
  signal: AbortSignal,
): Promise<Skill | undefined> {
  const embedder = await world.embedder();
  const pause = makePause();
  for (const skill of world.stores.skills.list({ all: true })) {
    await pause();
    signal.throwIfAborted();
    const revisions = world.stores.skills.revisions(skill.id);
    if (!revisions.every(({ author }) => isWanted(author))) continue;
    const same = revisions.filter((revision) => sameProcedure(revision, content));
    if (
      same.length > 0 &&
      (await areClose(
        embedder,
        content.goal,
        same.map(({ goal }) => goal),
        now,
        signal,
      ))
    )
      return skill;
  }
  return undefined;
}

/**
 * Of these skills the one that these words would have recalled, whatever its status: by the phrasings it is found by, on a site it works on. For what has
 * no procedure to compare. Undefined without an embedder.
 */
export async function askedAlike(world: SkillWorld, skills: readonly Skill[], content: RevisionContent, signal: AbortSignal): Promise<Skill | undefined> {
  const { vectors, calibrations } = world.stores;
  const embedder = skills.length > 0 ? await world.embedder() : null;
  if (!embedder) return undefined;
  const [vector] = await embedder.embed([recallText(content.goal, new Date(world.clock()))], "query", signal);
  if (!vector) return undefined;
  const { use, onSite } = thresholdsFor(calibrations, embedder.key, hostsIn(content.goal).length > 0);
  // One that was changed while it was off may not have been read since.
  const ids = skills.map((skill) => skill.id);
  for (const id of vectors.unknown("phrasing", ids)) await reindexChanged(world, id, signal);
  const near = similaritiesOf(ids, vector, onSite, { vectors, embedder });
  const scored = skills.flatMap((skill) => {
    const revision = world.stores.skills.revision(skill.id, skill.activeRevision);
    if (!revision || !onOneSite(revision, content)) return [];
    const texts = [revision.goal, revision.whenToUse, ...revision.phrasings];
    if (whyOpposed(content.goal, texts, revision.steps.at(-1)?.call === undefined) !== null) return [];
    const score = near.get(skill.id)?.similarity;
    return score === undefined ? [] : [{ skill, score }];
  });
  const [best, next] = scored.sort((a, b) => b.score - a.score);
  return best && certaintyOf(best.score, next?.score, onSite) >= use ? best.skill : undefined;
}

/** What goes nowhere may be the like of anything. */
function onOneSite(
  { capabilities: { destinations: a } }: Pick<RevisionContent, "capabilities">,
  { capabilities: { destinations: b } }: RevisionContent,
): boolean {
  return a.length === 0 || b.length === 0 || a.some((origin) => b.includes(origin));
}

/** Pairs of skills whose revisions in use mean nearly the same, for a person to look at. */
export async function pairsOfSameMeaning(world: SkillWorld, skills: readonly Skill[], now: Date, signal: AbortSignal): Promise<(readonly [Skill, Skill])[]> {
  const embedder = await world.embedder();
  const inUse = skills.flatMap((skill) => {
    const revision = world.stores.skills.revision(skill.id, skill.activeRevision);
    return revision ? [{ skill, revision }] : [];
  });
  const pairs: (readonly [Skill, Skill])[] = [];
  const pause = makePause();
  for (const [index, one] of inUse.entries()) {
    await pause();
    signal.throwIfAborted();
    for (const other of inUse.slice(index + 1)) {
      if (!sameProcedure(one.revision, other.revision)) continue;
      if (await areClose(embedder, one.revision.goal, [other.revision.goal], now, signal)) pairs.push([one.skill, other.skill]);
    }
  }
  return pairs;
}

/** Whether one of these goals is close to another. Without an embedder, or where a hand-written skill has no goal, the procedure decides. */
async function areClose(embedder: Embedder | null, goal: string, others: readonly string[], now: Date, signal: AbortSignal): Promise<boolean> {
  if (!embedder || goal === "" || others.includes("") || others.includes(goal)) return true;
  const [own, ...vectors] = await embedder.embed(
    [goal, ...others].map((text) => recallText(text, now)),
    "clustering",
    signal,
  );
  return own !== undefined && vectors.some((vector) => cosine(own, vector) >= goalCloseness);
}
