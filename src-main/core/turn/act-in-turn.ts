import type { TokenCount } from "#contract/chat/schema.ts";
import type { Call } from "#contract/skills/schema.ts";
import type { PageView } from "../ports/browser.ts";
import type { PromptMessage } from "../ports/language-model.ts";
import { fitPage, inertText, pageText, roomOf } from "../prompt/index.ts";
import { type Follower, follow, type Guidance, isDue } from "../replay/index.ts";
import { findingText } from "../skills/index.ts";
import { offeredForms } from "../tools/index.ts";
import { announce } from "./announce.ts";
import { answerPrompt } from "./answer-prompt.ts";
import { readAttached } from "./attached.ts";
import { chooseStep } from "./choose-step.ts";
import { contextMeter } from "./context-meter.ts";
import { type CutOff, cutOffText, stepsDone } from "./cut-off.ts";
import { promptHistory } from "./desk.ts";
import { drive, type Halt } from "./drive.ts";
import { driveStrict } from "./drive-strict.ts";
import { finishRun } from "./finish-run.ts";
import { fromMemory, withQuestion } from "./from-memory.ts";
import { absentAnswer, absentText, excerpt, guidanceText, missedText, notFoundText, openingText, whichText } from "./guidance-text.ts";
import { type Hands, isDestinationRefusal, isRefusedTwice, makeHands, resultText } from "./hands.ts";
import { type HintPlace, hintAfter, hintStart, isHintDone, nextByHint } from "./hint.ts";
import { makeOffer } from "./make-offer.ts";
import { checkPatiently, lookPatiently, seenOf } from "./patience.ts";
import { type Ended, noTokens, type Scene } from "./scene.ts";
import { startRun } from "./start-run.ts";
import { writeStep } from "./step-text.ts";
import { systemText } from "./system-text.ts";
import { type Charge, revisionAt } from "./take-skill.ts";

const defaultMaxSteps = 20;
const changesSomething = /^browser_(?:click|fill|select|press|open|download|login)$|^workspace_(?:write|move|exec)$/u;

/** Steps until something is said, asked, or a limit is reached. In strict mode the host takes every step; else the model writes each one. */
export async function actInTurn(scene: Scene): Promise<Ended> {
  const { world, desk, turn, input, signal } = scene;
  const hands = await makeHands(scene);
  let { charge } = scene;
  const run = charge ? startRun(world, turn, charge) : null;
  let follower: Follower | null = charge
    ? (scene.resumed ?? follow(charge.revision.steps, charge.bindings, scene.cutOff ? stepsDone(scene.cutOff, charge) : 0))
    : null;
  desk.halted = null;
  const reopened = scene.cutOff ? await openAgain(scene.cutOff, hands, charge, desk.marker) : "";
  if (charge?.mode === "strict" && follower) return driveStrict(scene, charge, hands, follower);

  const maxSteps = input.maxSteps ?? defaultMaxSteps;
  const now = new Date(world.clock());
  const { memory } = world.settings();
  // Before anything of memory is put into the prompt: it may be what is to be forgotten.
  const ofMemory = await fromMemory(scene, hands);
  if (ofMemory?.kind === "ended") return endedByMemory(ofMemory.ended);
  if (ofMemory !== null) forgetOnDesk();
  const blocks = await world.blocks();
  const system: PromptMessage = { role: "system", text: systemText(scene, hands.hasWorkspace, blocks.L1) };
  const offered = { now, hasWorkspace: hands.hasWorkspace, hasMemory: memory };
  let hintPlace: HintPlace = hintStart;
  let pending = [
    withoutForgotten(openingText(scene, charge, blocks.L2)),
    ofMemory?.told ?? "",
    await readAttached(scene),
    scene.cutOff ? cutOffText(scene.cutOff, desk.marker) : "",
    reopened,
  ]
    .filter((text) => text !== "")
    .join("\n");
  const meter = contextMeter(scene);
  let begun = scene.cutOff?.said ?? "";
  let tokens = { ...noTokens, evaluated: charge?.binding.tokensEvaluated ?? 0 };
  let acted = ofMemory !== null;
  let hasStrayed = false;
  let verified: string | null = null;
  let lastProblem: string | null = null;
  /** What the last act failed at; nothing done since got past it. */
  let standing: string | null = null;
  /** Why a request was not let out, once. */
  let blocked: string | null = null;
  /** How often a step led to the same page; to and fro between two pages is a circle as well. */
  const met = new Map<string, number>();
  let repeated = false;
  const remember = (says: string): void => {
    desk.messages = [
      ...desk.messages,
      ...(pending === "" ? [] : [{ role: "user" as const, text: world.masked(pending) }]),
      { role: "assistant", text: writeStep("reply", { text: world.masked(says) }) },
    ];
  };
  const fail = (says: string, reason: string): Ended => {
    remember(says);
    return { kind: "failed", says, reason, tokens };
  };

  /** Where what was asked for is not there, and others of its kind are. */
  const notThere = (due: Extract<Guidance, { kind: "search" }>): Ended | null => {
    const absent = follower?.absent(due) ?? null;
    if (absent === null) return null;
    const says = absentAnswer(due, absent);
    remember(says);
    return { kind: "absent", says, reason: findingText(due.at + 1, absentText(absent)), tokens };
  };

  const asked = (says: string): Ended => {
    remember(says);
    return { kind: "asked", says, tokens };
  };

  for (let count = 0; count < maxSteps; count++) {
    signal.throwIfAborted();
    let halt: Halt | null = null;
    if (charge?.mode === "assisted" && follower) {
      const driven = await drive(scene, charge, hands, follower);
      if (driven.kind !== "halted") {
        if (driven.says !== null) remember(driven.says);
        return { ...driven, tokens };
      }
      halt = driven;
      acted = true;
      // The host alone knew no model that would read it.
      const found = driven.found === null ? "" : resultText(driven.found, desk.marker, roomOf(await world.model()));
      pending = [pending, found].filter((text) => text !== "").join("\n");
    }
    // After a failed check its step has been done, and another is due.
    const due = follower ? (halt && halt.due.kind !== "call" ? halt.due : await lookPatiently(follower, hands)) : null;
    // The last check failed: nothing is left to do, and the model is not asked to talk it right.
    if (halt && due?.kind === "done") return fail(halt.says, halt.reason);
    const before = hands.page;
    if (charge && due && follower) announce(scene, charge.revision.steps.length, due, follower.bindings);
    if (due?.kind === "several") return asked(whichText(due));
    if (due?.kind === "search" && follower?.searchedTooOften(due))
      return notThere(due) ?? fail(notFoundText(due), findingText(due.at + 1, missedText(due, before)));
    // A file that came is what was advised; after it there is only to tell.
    const advice = charge ? undefined : input.hint;
    const hinted = advice && before && hands.downloads.length === 0 ? nextByHint(advice, scene.goal, hintPlace, before, now) : undefined;
    const isAdviceDone = advice !== undefined && !hinted && before !== null && (hands.downloads.length > 0 || isHintDone(advice, hintPlace, before));
    const led = { charge, due, bindings: follower?.bindings ?? null, hasStrayed, hinted: hinted?.element ?? null, isAdviceDone };
    const known = due?.kind === "call" ? (due.element?.label ?? "") : (hinted?.element.label ?? null);
    const isRead = isLastWord(due, charge) && before !== null;
    // What was found holds words of a page, and stands among them.
    const found = halt?.due.kind === "call" ? `${halt.reason}\n` : "";
    const model = await world.model();
    hands.readBy(model);
    const shown = before && fitPage(maskedPage(known === null ? before : excerpt(before, known), world), roomOf(model));
    pending = world.masked(pending);
    const said = [
      pending,
      shown ? pageText({ ...shown, text: `${found}${shown.text}` }, desk.marker) : found.trimEnd(),
      inertText(guidanceText(scene, led), desk.marker),
      repeated ? "You did the same thing twice and nothing changed. Choose something else, or ask." : "",
    ]
      .filter((line, index) => index === 0 || line !== "")
      .join("\n");
    const newest = world.masked(said);
    const forms = offeredForms(makeOffer(scene, led, { ...offered, page: before }));
    const messages: readonly PromptMessage[] = isRead
      ? answerPrompt(scene.goal, before, desk.marker)
      : [system, ...promptHistory(desk), { role: "user", text: newest }];
    const keep = isRead ? null : { conversation: desk.conversationId, prefix: 1 };
    const chosen = await chooseStep(model, messages, forms, before, scene.onText, keep, signal, begun).catch(meter.failed);
    begun = "";
    if (isRead) meter.added(model, [newest, chosen.written]);
    else meter.read(model, chosen.tokens);
    const { call } = chosen;
    tokens = sum(tokens, chosen.tokens);
    const talks = call.tool === "reply" || call.tool === "ask_user";
    // The page stays in the history only with the last answer of a turn; before that only its outline does.
    desk.messages = [...desk.messages, { role: "user", text: talks ? newest : pending }, { role: "assistant", text: world.masked(chosen.written) }];
    pending = "";
    if (call.tool === "skill_leave" && charge && run) {
      finishRun(world, run, "left", String(call.args.reason ?? ""));
      charge = null;
      follower = null;
      pending = "The procedure is put aside. Go on by yourself.";
      continue;
    }

    const done = await hands.act(call, charge && revisionAt(charge, due), chosen.tokens, due);
    const { step, result, askUser } = done;
    const says = result?.says ?? step.text;
    if (call.tool === "ask_user") return { kind: "asked", says, tokens };
    if (call.tool === "reply") return finishReply(says);
    if (askUser !== null) return isRefusedTwice(step) ? asked(askUser) : fail(askUser, step.text);
    acted = true;
    if (call.tool === "forget" && step.status === "ok") forgetOnDesk();
    hasStrayed = due?.kind === "call" && !isDue(call, due);
    if (step.status === "refused" || step.status === "error") lastProblem = step.text;
    standing = step.status === "ok" ? null : step.text;
    if (isDestinationRefusal(step)) {
      // What the user named, a routine has next, or was tried twice is theirs to grant. An address that only the page spoke of must not end their task.
      const isNext = charge !== null && due?.kind === "call" && isDue(call, due);
      if (isNext || hands.page === null || blocked !== null || isNamed(call, scene.goal)) return fail(`I stopped: ${step.text}`, step.text);
      blocked = step.text;
    }

    const state = JSON.stringify([call, hands.page?.text ?? step.text]);
    const times = (met.get(state) ?? 0) + 1;
    met.set(state, times);
    if (times > 2) return fail(`I am going round in circles: ${step.text} Could you tell me how to go on?`, "loop");
    repeated = times === 2;

    if (step.status === "ok") {
      if (follower && due) {
        const seen = seenOf(result, step);
        hands.checked(step, await checkPatiently(follower.took(call, due, { before, page: hands.page, ...seen }), follower, hands, seen));
      }
      if (hinted) hintPlace = hintAfter(hintPlace, hinted, call, before as PageView);
    }
    if (step.status === "ok" && result?.details?.verified === true) verified = "a verification step passed";
    else if (changesSomething.test(call.tool)) verified = null;
    pending = resultText(done, desk.marker);
  }
  return fail(`I stopped after ${maxSteps} steps without reaching the goal.${lastProblem ? ` The last problem: ${lastProblem}` : ""}`, "step limit");

  /** What the host said by itself stands in the prompt like an answer of the model's. */
  function endedByMemory(ended: Ended): Ended {
    const says = ended.says ?? "";
    const turns: PromptMessage[] = [
      { role: "user", text: world.masked(input.text) },
      { role: "assistant", text: writeStep("reply", { text: world.masked(says) }) },
    ];
    desk.messages = [...desk.messages, ...turns];
    forgetOnDesk();
    return ended;
  }

  function withoutForgotten(text: string): string {
    return memory ? world.keepMemory(turn).withoutForgotten(text) : text;
  }

  /** What stands in the prompt of what was just forgotten goes from it at once; the next process has it from the store without. */
  function forgetOnDesk(): void {
    desk.messages = desk.messages.map((message) => ({ ...message, text: withoutForgotten(message.text) }));
  }

  /** What the host asks of a new user stands at the end of the answer, also in the prompt: else their next word would answer nothing. */
  function asksBesides(says: string): string {
    if (acted || !memory || input.hint !== undefined) return says;
    const question = world.keepMemory(turn).questionAfter(input.text, says);
    if (question === null) return says;
    const asking = withQuestion(says, question);
    desk.messages = [...desk.messages.slice(0, -1), { role: "assistant", text: writeStep("reply", { text: world.masked(asking) }) }];
    return asking;
  }

  /** A routine is done when its last check held, whatever the model says. */
  function finishReply(says: string): Ended {
    const told = blocked === null ? says : `${says}\n${blocked}`;
    if (!follower && standing !== null) return { kind: "failed", says: told, reason: standing, tokens };
    if (!follower) return { kind: "said", says: charge === null ? asksBesides(told) : told, acted, verified, tokens };
    const progress = follower.standing(hands.page);
    const { lastCheck } = follower;
    if (progress === "unfinished") return { kind: "failed", says: told, reason: "the procedure was not finished", tokens };
    if (lastCheck?.held === false) {
      const doubt = `${told}\nBut it may not have worked: ${lastCheck.finding}.`;
      return { kind: "failed", says: doubt, reason: findingText(lastCheck.step, lastCheck.finding), tokens };
    }
    return { kind: "said", says: told, acted: true, verified: progress === "judged" || lastCheck === null ? null : "the last check held", tokens };
  }
}

/**
 * The page that was open when the turn was interrupted, as browsers bring their pages back: by its address, behind the gates, as a step of its own. What
 * comes of that is for the model to read; "" where there was no page.
 */
async function openAgain({ url }: CutOff, hands: Hands, charge: Charge | null, marker: string): Promise<string> {
  if (url === null || !/^https?:/u.test(url)) return "";
  return resultText(await hands.act({ tool: "browser_open", args: { url } }, charge?.revision ?? null, noTokens, null, true), marker);
}

/** Before it is cut: of a value that is cut in two, neither half would be known. */
function maskedPage(page: PageView, { masked }: Scene["world"]): PageView {
  return { ...page, text: masked(page.text) };
}

/** Whether the user's own words hold the address that was to be opened. */
function isNamed({ args }: Call, goal: string): boolean {
  return typeof args.url === "string" && goal.includes(args.url);
}

/** Only the answer is left: the last step asks to read it off the page. */
function isLastWord(due: Guidance | null, charge: Charge | null): boolean {
  return due?.kind === "judge" && charge !== null && due.at === charge.revision.steps.length - 1;
}

function sum(a: TokenCount, b: TokenCount): TokenCount {
  return { evaluated: a.evaluated + b.evaluated, reused: a.reused + b.reused, generated: a.generated + b.generated };
}
