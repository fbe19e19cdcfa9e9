import type { Call } from "#contract/skills/schema.ts";
import type { PageElement } from "../ports/browser.ts";
import { targetOf } from "../ports/target-of.ts";
import type { Absent, Follower, Guidance } from "../replay/index.ts";
import { findingText } from "../skills/index.ts";
import { announce } from "./announce.ts";
import { isBeyondPage } from "./beyond-page.ts";
import type { Dispatched } from "./dispatch.ts";
import { absentAnswer, absentText, doneText, missedText, notFoundText, whichText } from "./guidance-text.ts";
import { type Hands, isDestinationRefusal, isRefusedTwice, isStale } from "./hands.ts";
import { checkPatiently, lookPatiently, seenOf } from "./patience.ts";
import { type Ended, noTokens, type Scene } from "./scene.ts";
import { type Charge, revisionAt } from "./take-skill.ts";

/** Calls of one run unless the user says otherwise, so that a routine that pages for ever ends. */
const mostCalls = 200;

/** Where the host alone cannot go on: a step that needs judgement, a target that is not there, a call or a check that failed. */
export interface Halt {
  readonly kind: "halted";
  /** What was due. After a failed check it has been done. */
  readonly due: Guidance;
  readonly says: string;
  readonly reason: string;
  /** What was asked for and is not there, where that is all that is wrong. */
  readonly absent: Absent | null;
  /** The last call on no page, whose result whoever goes on has not read; null where there is none. */
  readonly found: Dispatched | null;
}

/**
 * Carries a routine out call after call without a model, from where its follower stands: to its end, to a question for the user, or to the first
 * thing that only a person or a model can decide (SPEC 3.7, strict and assisted).
 */
export async function drive(scene: Scene, charge: Charge, hands: Hands, follower: Follower): Promise<Ended | Halt> {
  const { input, signal } = scene;
  const maxCalls = input.maxSteps ?? mostCalls;
  const { steps } = charge.revision;
  // The model may have read the goal for the routine's values before.
  const tokens = { ...noTokens, evaluated: charge.binding.tokensEvaluated };
  const fail = (says: string, reason: string): Ended => ({ kind: "failed", says, reason, tokens });
  let found: Dispatched | null = null;
  let staleAt = -1;
  for (;;) {
    signal.throwIfAborted();
    const due = await lookPatiently(follower, hands);
    const halt = (says: string, reason: string, absent: Absent | null = null): Halt => ({ kind: "halted", due, says, reason, absent, found });
    announce(scene, steps.length, due, follower.bindings);
    if (due.kind === "done") {
      const { lastCheck } = follower;
      if (lastCheck?.held === false)
        return fail(`Every step was done, but it may not have worked: ${lastCheck.finding}.`, findingText(lastCheck.step, lastCheck.finding));
      return { kind: "said", says: doneText(charge, follower.bindings, hands.downloads), acted: true, verified: "every check held", tokens };
    }
    if (due.kind === "several") return { kind: "asked", says: whichText(due), tokens };
    const haltAt = (missed: Extract<Guidance, { kind: "search" }>): Halt => {
      const absent = follower.absent(missed);
      if (absent) return halt(absentAnswer(missed, absent), findingText(missed.at + 1, absentText(absent)), absent);
      return halt(notFoundText(missed), findingText(missed.at + 1, missedText(missed, hands.page)));
    };
    if (due.kind === "judge") return halt(`Step ${due.at + 1} needs judgement.`, `step ${due.at + 1} needs judgement`);
    const [way] = due.kind === "search" ? due.ways : [];
    if (due.kind === "search" && (way === undefined || follower.searchedTooOften(due))) return haltAt(due);
    // What the model did on the way counts as well.
    if (hands.taken >= maxCalls) return fail(`I stopped after ${maxCalls} steps without reaching the goal.`, "step limit");
    const call: Call = due.kind === "call" ? due.call : { tool: "browser_click", args: { target: targetOf(way as PageElement) } };
    const before = hands.page;
    const done = await hands.act(call, revisionAt(charge, due), noTokens, due);
    const { step, result, askUser } = done;
    // What went on after a stop is not judged: it was stopped.
    signal.throwIfAborted();
    if (askUser !== null) return isRefusedTwice(step) ? { kind: "asked", says: askUser, tokens } : fail(askUser, step.text);
    if (isDestinationRefusal(step)) return fail(`I stopped: ${step.text}`, step.text);
    found = step.status === "ok" && isBeyondPage(call) ? done : null;
    // A page that was built anew meanwhile is looked at once more; one that is never still is not.
    if (isStale(step) && staleAt !== due.at) {
      staleAt = due.at;
      continue;
    }
    if (step.status !== "ok") return halt(`Step ${due.at + 1} failed: ${step.text}`, findingText(due.at + 1, step.text));
    const seen = seenOf(result, step);
    const check = await checkPatiently(follower.took(call, due, { before, page: hands.page, ...seen }), follower, hands, seen);
    hands.checked(step, check);
    if (check?.held === false)
      return halt(`Step ${due.at + 1} did not do what it should: ${check.finding}. ${due.step.onFail}`, findingText(due.at + 1, check.finding));
  }
}
