import type { Call } from "#contract/skills/schema.ts";
import type { PageElement } from "../ports/browser.ts";
import { targetOf } from "../ports/target-of.ts";
import { follow } from "../replay/index.ts";
import { findingText } from "../skills/index.ts";
import { announce } from "./announce.ts";
import { doneText, notFoundText, whichText } from "./guidance-text.ts";
import { type Hands, isDestinationRefusal } from "./hands.ts";
import { checkPatiently, lookPatiently, seenOf } from "./patience.ts";
import { type Ended, noTokens, type Scene } from "./scene.ts";
import { writeStep } from "./step-text.ts";
import { type Charge, revisionAt } from "./take-skill.ts";

/** Calls of one run unless the user says otherwise, so that a routine that pages for ever ends. */
const mostCalls = 200;

/** Carries the routine out call after call without a model; halts at the first call or check that fails (SPEC 3.7, strict). */
export async function driveStrict(scene: Scene, charge: Charge, hands: Hands): Promise<Ended> {
  const { desk, input, signal } = scene;
  const maxCalls = input.maxSteps ?? mostCalls;
  const { steps } = charge.revision;
  // The model may have read the goal for the routine's values before.
  const tokens = { ...noTokens, evaluated: charge.binding.tokensEvaluated };
  const follower = follow(steps, charge.bindings);
  const remember = (says: string): void => {
    desk.messages = [...desk.messages, { role: "user", text: input.text }, { role: "assistant", text: writeStep("reply", { text: says }) }];
  };
  const fail = (says: string, reason: string): Ended => {
    remember(says);
    return { kind: "failed", says, reason, tokens };
  };
  for (let count = 0; count < maxCalls; count++) {
    signal.throwIfAborted();
    const due = await lookPatiently(follower, hands);
    announce(scene, steps.length, due, follower.bindings);
    if (due.kind === "done") {
      const says = doneText(charge, follower.bindings, hands.downloads);
      remember(says);
      return { kind: "said", says, acted: true, verified: follower.lastCheck?.held === false ? null : "every check held", tokens };
    }
    if (due.kind === "several") {
      const says = whichText(due);
      remember(says);
      return { kind: "asked", says, tokens };
    }
    if (due.kind === "judge") return fail(`Step ${due.at + 1} needs judgement.`, `step ${due.at + 1} needs judgement`);
    const [way] = due.kind === "search" ? due.ways : [];
    if (due.kind === "search" && (way === undefined || follower.searchedTooOften(due)))
      return fail(notFoundText(due), findingText(due.at + 1, `expected ${due.wanted}, saw ${hands.page?.heading || hands.page?.url || "no page"}`));
    const call: Call = due.kind === "call" ? due.call : { tool: "browser_click", args: { target: targetOf(way as PageElement) } };
    const before = hands.page;
    const { step, result, askUser } = await hands.act(call, revisionAt(charge, due), noTokens);
    if (askUser !== null) return fail(askUser, step.text);
    if (isDestinationRefusal(step)) return fail(`I stopped: ${step.text}`, step.text);
    if (step.status !== "ok") return fail(`Step ${due.at + 1} failed: ${step.text}`, findingText(due.at + 1, step.text));
    const seen = seenOf(result, step);
    const check = await checkPatiently(follower.took(call, due, { before, page: hands.page, ...seen }), follower, hands, seen);
    if (check?.held === false)
      return fail(`Step ${due.at + 1} did not do what it should: ${check.finding}. ${due.step.onFail}`, findingText(due.at + 1, check.finding));
  }
  return fail(`I stopped after ${maxCalls} steps without reaching the goal.`, "step limit");
}
