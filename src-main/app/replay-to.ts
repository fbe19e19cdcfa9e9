import { setTimeout as sleep } from "node:timers/promises";
import type { Call, SkillStep } from "#contract/skills/schema.ts";
import { paymentReason } from "#core/gates/index.ts";
import type { PageElement, PageView, RecordingSession } from "#core/ports/index.ts";
import { type Bindings, type Follower, follow, type Guidance, type StepCheck } from "#core/replay/index.ts";
import { callTarget, invocationOf } from "#core/skills/index.ts";

/** Pages go on building after they have come: milliseconds between the looks before something counts as not there. */
const waits = [250, 500, 1000] as const;
/** A routine that pages for ever ends. */
const mostCalls = 60;

/** Where a window stands after the replay. */
export interface Reached {
  /** How many steps hold as they are: the person shows from the one after. */
  readonly kept: number;
  /** How many of the recorded actions those took. */
  readonly replayed: number;
  /** Why it went no further, where it did not come as far as it should. */
  readonly why: string | null;
}

/**
 * Carries out the first steps of a routine in a recorder's window, on whose first page it stands, up to the step that is to be shown. Nothing that pays
 * or needs judgement is done: from there on the person shows. A step whose check fails is shown as well, with what it led to.
 */
export async function replayTo(
  session: RecordingSession,
  steps: readonly SkillStep[],
  bindings: Bindings,
  until: number,
  signal: AbortSignal,
): Promise<Reached> {
  const follower = follow(steps, bindings);
  let page = await session.view(signal);
  const first = follower.look(null);
  if (until === 0 || first.kind !== "call" || first.call.tool !== "browser_open") return { kept: 0, replayed: 0, why: null };
  const opened = await checked(follower.took(first.call, first, seenNow(session, page, null, 0)), session, follower, signal);
  if (opened?.held === false) return { kept: 0, replayed: 0, why: opened.finding };
  let kept = 1;
  for (let count = 0; count < mostCalls; count++) {
    const due = await lookPatiently(session, follower, signal);
    if (due.kind === "done" || due.at >= until)
      return { kept: Math.min(until, due.kind === "done" ? steps.length : due.at), replayed: session.actions().length, why: null };
    kept = due.at;
    const replayed = session.actions().length;
    const stopped = (why: string): Reached => ({ kept, replayed, why });
    page = await session.view(signal);
    const call = callFor(due, follower);
    if (typeof call === "string") return stopped(call);
    const pays = paymentReason(call, page);
    if (pays !== null) return stopped(pays);
    try {
      await session.perform([lineOf(call)], signal);
    } catch (error) {
      signal.throwIfAborted();
      return stopped(error instanceof Error ? error.message : String(error));
    }
    const now = await session.view(signal);
    const check = await checked(follower.took(call, due, seenNow(session, now, page, replayed)), session, follower, signal);
    if (check?.held === false) return stopped(check.finding);
  }
  return { kept, replayed: session.actions().length, why: `it took more than ${mostCalls} actions` };
}

/** The next call, or why there is none that can be made without anybody. */
function callFor(due: Exclude<Guidance, { kind: "done" }>, follower: Follower): Call | string {
  switch (due.kind) {
    case "judge":
      return `step ${due.at + 1} needs judgement`;
    case "several":
      return `several things fit ${due.wanted}`;
    case "search": {
      const [way] = due.ways;
      if (way === undefined || follower.searchedTooOften(due)) return `${due.wanted} is not there`;
      return { tool: "browser_click", args: { target: targetOf(way) } };
    }
    default:
      return invocationOf(due.call.tool).kind === "skill" || !performable.has(due.call.tool) ? `step ${due.at + 1} is no action on a page` : due.call;
  }
}

const performable = new Set(["browser_open", "browser_click", "browser_fill", "browser_select", "browser_press"]);

function targetOf({ role, name, within }: PageElement): { role: string; name: string; within?: string } {
  return within === "" ? { role, name } : { role, name, within };
}

/** A call as a line of a script. */
function lineOf(call: Call): string[] {
  const target = callTarget(call);
  const row = target?.within ? [target.within] : [];
  switch (call.tool) {
    case "browser_open":
      return ["open", String(call.args.url)];
    case "browser_fill":
      return ["fill", target?.name ?? "", String(call.args.text), ...row];
    case "browser_select":
      return ["select", target?.name ?? "", String(call.args.option), ...row];
    case "browser_press":
      return ["press", String(call.args.key)];
    default:
      return ["click", target?.role ?? "", target?.name ?? "", ...row];
  }
}

type Seen = Parameters<Follower["took"]>[2];

/** What the recorder took down since, as a check looks at it. */
function seenNow(session: RecordingSession, page: PageView, before: PageView | null, since: number): Seen {
  const actions = session.actions().slice(since);
  return {
    page,
    before,
    downloads: actions.flatMap(({ kind, value = "", after }) => (kind === "download" ? [{ name: value, path: value, bytes: 1, fromUrl: after.url }] : [])),
    resultText: actions.findLast(({ kind }) => kind === "fill" || kind === "select")?.value ?? "",
  };
}

async function lookPatiently(session: RecordingSession, follower: Follower, signal: AbortSignal): Promise<Guidance> {
  let due = follower.look(await session.view(signal));
  for (const ms of waits) {
    if (due.kind !== "search" && due.kind !== "several") return due;
    if (due.kind === "search" && due.ways.length > 0 && ms !== waits[0]) return due;
    await sleep(ms, undefined, { signal });
    due = follower.look(await session.view(signal));
  }
  return due;
}

async function checked(check: StepCheck | null, session: RecordingSession, follower: Follower, signal: AbortSignal): Promise<StepCheck | null> {
  let found = check;
  for (const ms of waits) {
    if (found?.held !== false) return found;
    await sleep(ms, undefined, { signal });
    found = follower.checkAgain(seenNow(session, await session.view(signal), null, session.actions().length - 1));
  }
  return found;
}
