import { fold } from "#base/text.ts";
import type { Send, Step, TokenCount, Turn } from "#contract/chat/schema.ts";
import type { Call, Check, Run, Target } from "#contract/skills/schema.ts";
import type { BrowserSession, DownloadedFile, PageElement, PageView } from "../ports/browser.ts";
import type { PromptMessage } from "../ports/language-model.ts";
import { pageText } from "../prompt/index.ts";
import { advance, type Bindings, evaluateCheck, fillText, type Guidance, isDue, look, type Place, startPlace } from "../replay/index.ts";
import { findingText, hostsIn, mapTexts, renderAdvisory, type State } from "../skills/index.ts";
import { findValues, renderValue, withoutUrls, tokens as wordsOf } from "../skills/values/index.ts";
import { type Offer, offeredForms, type ToolResult } from "../tools/index.ts";
import { chooseStep } from "./choose-step.ts";
import { dispatch } from "./dispatch.ts";
import { finishRun } from "./finish-run.ts";
import { type HintPlace, hintStart, nextByHint } from "./hint.ts";
import { writeStep } from "./step-text.ts";
import { systemText } from "./system-text.ts";
import type { Charge } from "./take-skill.ts";
import type { Desk, TurnWorld } from "./world.ts";
import { wrongSiblings } from "./wrong-siblings.ts";

/** How acting ended. */
export type Ended =
  | {
      readonly kind: "said";
      readonly says: string;
      readonly acted: boolean /** What verified it; null when only the model says so. */;
      readonly verified: string | null;
      readonly tokens: TokenCount;
    }
  | { readonly kind: "asked"; readonly says: string; readonly tokens: TokenCount }
  | { readonly kind: "failed"; readonly says: string | null; readonly reason: string; readonly tokens: TokenCount }
  | { readonly kind: "stopped"; readonly says: string | null; readonly reason: string; readonly tokens: TokenCount };

export interface Scene {
  readonly world: TurnWorld;
  readonly desk: Desk;
  readonly turn: Turn;
  readonly input: Send;
  readonly goal: string;
  readonly charge: Charge | null;
  readonly state: State;
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

const defaultMaxSteps = 20;
const maxSearches = 4;

/** Steps until something is said, asked, or a limit is reached. In strict mode the host takes every step; else the model writes each one. */
export async function actInTurn(scene: Scene): Promise<Ended> {
  const { world, desk, turn, input, signal } = scene;
  const maxSteps = input.maxSteps ?? defaultMaxSteps;
  const now = new Date(world.clock());
  let { charge } = scene;
  const strict = charge?.mode === "strict";
  const run = charge ? startRun(world, turn, charge) : null;
  let place: Place = startPlace;
  let hintPlace: HintPlace = hintStart;
  let page: PageView | null = desk.episodeId === turn.episodeId ? desk.page : null;
  let total: TokenCount = { evaluated: 0, reused: 0, generated: 0 };
  let searches = 0;
  let acted = false;
  let refusedSays: string | null = null;
  let lastCheck: { held: boolean; finding: string; step: number } | null = null;
  let verified: string | null = null;
  let warned = false;
  let previous: { call: string; result: string } | null = null;
  const downloads: DownloadedFile[] = [];

  const browser = async (): Promise<BrowserSession> => {
    if (desk.session && desk.episodeId === turn.episodeId) return desk.session;
    await desk.session?.close();
    desk.session = null;
    desk.page = null;
    const session = await world.newBrowser(turn.conversationId, input.workspace ?? null, signal);
    desk.session = session;
    desk.episodeId = turn.episodeId;
    return session;
  };
  const workspace = input.workspace === undefined ? null : await world.openWorkspace(input.workspace);
  const settings = world.settings();
  const system: PromptMessage = { role: "system", text: systemText(settings.memory, workspace !== null) };
  let pending = openingText(scene, charge);
  const end = (ended: Ended): Ended => {
    desk.page = page;
    return { ...ended, tokens: total };
  };
  const fail = (says: string, reason: string): Ended => {
    desk.messages = [
      ...desk.messages,
      ...(pending === "" ? [] : [{ role: "user" as const, text: pending }]),
      { role: "assistant", text: writeStep("reply", { text: says }) },
    ];
    return end({ kind: "failed", says, reason, tokens: total });
  };

  for (let count = 0; count < maxSteps; count++) {
    signal.throwIfAborted();
    const due: Guidance | null = charge ? look(charge.revision.steps, place, page, charge.bindings) : null;
    if (charge && due && due.kind !== "done") {
      world.emit({ type: "place-moved", turnId: turn.id, at: due.at + 1, of: charge.revision.steps.length, next: fillAll(due.step.do, charge.bindings) });
    }
    if (due?.kind === "search") {
      searches++;
      if (searches > maxSearches + due.ways.length * 6 || (strict && due.ways.length === 0))
        return fail(notFoundText(due), findingText(due.at + 1, `expected ${due.wanted}, saw ${page?.heading || page?.url || "no page"}`));
    }
    // The step itself: by the driver, or by the model.
    let call: Call;
    let written: string | null = null;
    let tokens: TokenCount = { evaluated: 0, reused: 0, generated: 0 };
    // A file that came is what was advised; after it there is only to tell.
    const hinted = !charge && input.hint && page && downloads.length === 0 ? nextByHint(input.hint, scene.goal, hintPlace, page, now) : undefined;
    if (strict && charge && due) {
      if (due.kind === "done")
        return end({
          kind: "said",
          says: doneText(charge, downloads),
          acted: true,
          verified: lastCheck?.held === false ? null : "every check held",
          tokens: total,
        });
      if (due.kind === "judge") return fail(`Step ${due.at + 1} needs judgement.`, `step ${due.at + 1} needs judgement`);
      call = due.kind === "call" ? due.call : { tool: "browser_click", args: { target: targetOf(due.ways[0] as PageElement) } };
    } else {
      const model = await world.model();
      const offer = makeOffer(scene, charge, due, page, now, workspace !== null, settings.memory, hinted?.element ?? null);
      const shown = page && due?.kind === "call" ? excerpt(page, due.element?.label ?? "") : page;
      const volatile = [
        shown ? pageText(shown, desk.marker) : "",
        guidanceText(scene, charge, due, hinted?.element ?? null),
        warned ? "You did the same thing twice and nothing changed. Choose something else, or ask." : "",
      ]
        .filter((line) => line !== "")
        .join("\n");
      const newest = volatile === "" ? pending : `${pending}\n${volatile}`;
      const chosen = await chooseStep(model, [system, ...desk.messages, { role: "user", text: newest }], offeredForms(offer), page, scene.onText, signal);
      call = chosen.call;
      written = chosen.written;
      tokens = chosen.tokens;
      total = { evaluated: total.evaluated + tokens.evaluated, reused: total.reused + tokens.reused, generated: total.generated + tokens.generated };
      const talks = call.tool === "reply" || call.tool === "ask_user";
      // The page stays in the history only with the last answer of a turn; before that only its outline does.
      desk.messages = [...desk.messages, { role: "user", text: talks ? newest : pending }, { role: "assistant", text: written }];
      pending = "";
      if (call.tool === "skill_leave" && charge && run) {
        finishRun(world, run, "left", String(call.args.reason ?? ""));
        charge = null;
        pending = "The procedure is put aside. Go on by yourself.";
        continue;
      }
    }

    const done = await dispatch(
      world,
      call,
      {
        turnId: turn.id,
        episodeId: turn.episodeId,
        skill: charge?.revision ?? null,
        state: scene.state,
        page,
        tools: toolContext(world, browser, workspace, settings.memory, signal),
        tokens,
      },
      signal,
    );
    const before = page;
    const { result, step } = done;
    if (result?.page) page = result.page;
    if (result?.downloads) downloads.push(...result.downloads);
    if (call.tool === "reply" || call.tool === "ask_user") {
      const says = result?.says ?? step.text;
      if (call.tool === "ask_user") return end({ kind: "asked", says, tokens: total });
      return finishReply(says);
    }
    if (done.askUser !== null) return fail(done.askUser, step.text);
    acted = true;
    if (step.status === "refused" || step.status === "error") refusedSays = step.text;
    if (isDestinationRefusal(step)) return fail(`I stopped: ${step.text}`, step.text);

    const same = previous !== null && previous.call === JSON.stringify(call) && previous.result === step.text + (page?.text ?? "");
    previous = { call: JSON.stringify(call), result: step.text + (page?.text ?? "") };
    if (same && warned) return fail(`I am going round in circles: ${step.text} Could you tell me how to go on?`, "loop");
    warned = same;

    if (charge && due) {
      const wasDue = isDue(call, due);
      if (step.status === "ok") {
        if (wasDue && due.kind === "call" && due.values !== charge.bindings.values)
          charge = { ...charge, bindings: { ...charge.bindings, values: due.values } };
        if (wasDue && due.kind === "call" && due.step.check && !due.step.repeatUntilNext) {
          const check = evaluateCheck(fillCheck(due.step.check, charge.bindings), {
            page,
            downloads: result?.downloads ?? [],
            resultText: result?.value ?? step.text,
          });
          lastCheck = { ...check, step: due.at + 1 };
          if (strict && !check.held)
            return fail(`Step ${due.at + 1} did not do what it should: ${check.finding}. ${due.step.onFail}`, findingText(due.at + 1, check.finding));
        } else if (
          !wasDue &&
          due.kind === "call" &&
          due.step.check &&
          "page" in due.step.check &&
          page &&
          (page.url !== before?.url || page.heading !== before.heading)
        ) {
          // Another way to where the step leads: its check holds, so it is done.
          const check = evaluateCheck(fillCheck(due.step.check, { ...charge.bindings, values: due.values }), {
            page,
            downloads: result?.downloads ?? [],
            resultText: step.text,
          });
          if (check.held && due.step.check.page.heading !== undefined) {
            lastCheck = { ...check, step: due.at + 1 };
            place = { at: due.at + 1, searched: [] };
          }
        }
        if (wasDue || due.kind === "search") place = advance(place, due, call, before);
        if (wasDue) searches = 0;
      } else if (strict) {
        return fail(`Step ${"at" in due ? due.at + 1 : 0} failed: ${step.text}`, findingText("at" in due ? due.at + 1 : 0, step.text));
      }
    }
    if (!charge && hinted && step.status === "ok") {
      const target = call.args.target as Target | undefined;
      const matched = target !== undefined && target.name === hinted.element.name && target.role === hinted.element.role;
      if (matched)
        hintPlace = { offset: hinted.offset, filled: call.tool === "browser_click" ? hintPlace.filled : [...hintPlace.filled, hinted.element.label] };
      else if (call.tool !== "browser_click" && target)
        hintPlace = {
          ...hintPlace,
          filled: [
            ...hintPlace.filled,
            ...(before?.elements.filter((element) => element.name === target.name && element.role === target.role).map((element) => element.label) ?? []),
          ],
        };
    }
    if (step.status === "ok" && result?.details?.verified === true) verified = "a verification step passed";
    else if (/^browser_(?:click|fill|select|press|open)$|^workspace_(?:write|move)$/u.test(call.tool)) verified = null;
    pending = `Result: ${step.status === "ok" ? "" : "not done. "}${resultText(result, step)}`;
  }
  return fail(`I stopped after ${maxSteps} steps without reaching the goal.${refusedSays ? ` The last problem: ${refusedSays}` : ""}`, "step limit");

  function finishReply(says: string): Ended {
    if (charge) {
      const left = look(charge.revision.steps, place, page, charge.bindings);
      const judging = left.kind === "judge" && left.at === charge.revision.steps.length - 1;
      if (left.kind !== "done" && !judging) return end({ kind: "failed", says, reason: "the procedure was not finished", tokens: total });
      if (lastCheck && !lastCheck.held)
        return end({
          kind: "failed",
          says: `${says}\nBut it may not have worked: ${lastCheck.finding}.`,
          reason: findingText(lastCheck.step, lastCheck.finding),
          tokens: total,
        });
      return end({ kind: "said", says, acted: true, verified: judging || lastCheck === null ? null : "the last check held", tokens: total });
    }
    return end({ kind: "said", says, acted, verified, tokens: total });
  }
}

function startRun(world: TurnWorld, turn: Turn, charge: Charge): Run {
  const run: Run = {
    id: world.makeId(),
    skillId: charge.skill.id,
    revision: charge.revision.number,
    episodeId: turn.episodeId,
    turnId: turn.id,
    mode: charge.mode,
    inputs: charge.binding.values,
    outcome: null,
    finding: null,
    startedAt: world.clock(),
    endedAt: null,
  };
  world.stores.skills.addRun(run);
  return run;
}

function toolContext(
  world: TurnWorld,
  browser: () => Promise<BrowserSession>,
  workspace: Awaited<ReturnType<TurnWorld["openWorkspace"]>> | null,
  memory: boolean,
  signal: AbortSignal,
) {
  return { browser, workspace, facts: memory ? world.stores.facts : null, now: world.clock, makeId: world.makeId, signal };
}

/** The newest message of the user, with the routine's guidance when a skill is in charge. It is kept in the history as it is. */
function openingText(scene: Scene, charge: Charge | null): string {
  const parts = [scene.input.text];
  if (scene.input.hint && !charge) parts.push(`The user's advice: ${scene.input.hint}`);
  if (charge) {
    const body = renderAdvisory(charge.revision, charge.binding.values, charge.caveat, {
      renderValue: (value, kind, form) => renderValue(value, kind, form) ?? value,
    });
    parts.push(`<<${scene.desk.marker}\n${body.replaceAll(scene.desk.marker, "")}\n${scene.desk.marker}>>`);
  }
  return parts.join("\n");
}

function guidanceText(scene: Scene, charge: Charge | null, due: Guidance | null, hinted: PageElement | null): string {
  if (charge && due) {
    const of = charge.revision.steps.length;
    switch (due.kind) {
      case "call":
        return `Next, step ${due.at + 1} of ${of}: ${callText(due.call, due.element)}`;
      case "judge":
        return `Step ${due.at + 1} of ${of}: ${fillAll(due.step.do, charge.bindings)}. The question is: ${scene.input.text}`;
      case "search":
        return due.ways.length > 0
          ? `Step ${due.at + 1} of ${of} needs ${due.wanted}, which is not on this page. Look further: ${due.ways.map((way) => way.label).join(", ")}`
          : `Step ${due.at + 1} of ${of} needs ${due.wanted}, which is not on this page. Look for a way to it, or ask the user.`;
      default:
        return "All steps are done. Tell the user what was done, with reply.";
    }
  }
  if (hinted) return `By the advice, next: ${hinted.action === "click" ? "press" : hinted.action === "fill" ? "fill" : "choose in"} ${hinted.label}`;
  return "";
}

function callText(call: Call, element: PageElement | undefined): string {
  switch (call.tool) {
    case "browser_open":
      return `open ${String(call.args.url)}`;
    case "browser_fill":
      return `fill ${element?.label ?? ""} with ${String(call.args.text)}`;
    case "browser_select":
      return `in ${element?.label ?? ""} choose ${String(call.args.option)}`;
    case "browser_press":
      return `press the key ${String(call.args.key)}`;
    default:
      return `press ${element?.label ?? ""}`;
  }
}

const linesAround = 5;
const mostLines = 24;

/** The part of a page a known step needs: its headings and what stands around the target. The rest is only read where something is to be decided. */
function excerpt(page: PageView, label: string): PageView {
  const lines = page.text.split("\n");
  if (lines.length <= mostLines) return page;
  const at = label === "" ? 0 : lines.findIndex((line) => line.includes(`[${label}`));
  const kept = lines.filter((line, index) => line.startsWith("#") || Math.abs(index - Math.max(0, at)) <= linesAround);
  return { ...page, text: kept.slice(0, mostLines).join("\n"), truncated: true };
}

/** Text with what can be filled filled; for people and prompts, where a missing value may show its name. */
function fillAll(text: string, bindings: Bindings): string {
  return text.replace(/\{\{([a-z0-9-]+)(?:\|([^}]*))?\}\}/gu, (mark) => fillText(mark, bindings) ?? mark);
}

/** The check for the values of this run. What rests on a value that is not known asks for nothing. */
function fillCheck(check: Check, bindings: Bindings): Check {
  const filled = mapTexts(check, (text) => fillAll(text, bindings));
  if (!("page" in filled)) return filled;
  const known = Object.fromEntries(Object.entries(filled.page).filter(([, text]) => !String(text).includes("{{")));
  return { page: Object.keys(known).length > 0 ? known : { url: "*" } };
}

function targetOf(element: PageElement): Target {
  return { role: element.role, name: element.name, ...(element.within === "" ? {} : { within: element.within }) };
}

/** Words with which people ask to have something kept or looked up; else the tools of memory are not offered (few tools at a time). */
const aboutMemory =
  /\b(?:remember|forget|note (?:that|down)|keep in mind|make a note|recall|what did i (?:say|tell)|do you know (?:my|what i)|my name is|call me|i live|i work|i prefer)\b/iu;

/** What may be written now. The goal's own values are all that can be typed where a routine or advice leads. */
function makeOffer(
  scene: Scene,
  charge: Charge | null,
  due: Guidance | null,
  page: PageView | null,
  now: Date,
  hasWorkspace: boolean,
  hasMemory: boolean,
  hinted: PageElement | null,
): Offer {
  const urls = addressesIn(scene);
  const base: Offer = {
    page,
    without: new Set(),
    urls,
    texts: null,
    mayPress: true,
    mayReply: true,
    mayLeave: false,
    mayAct: true,
    hasWorkspace,
    hasMemory: hasMemory && aboutMemory.test(scene.input.text),
  };
  if (charge && due) {
    const guided = { ...base, hasWorkspace: false, hasMemory: false, mayPress: false, mayLeave: true };
    if (due.kind === "done") return { ...guided, mayAct: false, mayLeave: false };
    if (due.kind === "judge") return due.at === charge.revision.steps.length - 1 ? { ...guided, mayAct: false, mayLeave: false } : guided;
    const values = Object.entries(charge.bindings.values).flatMap(
      ([name, value]) => renderValue(value, charge.bindings.inputs.properties[name]?.kind ?? "text") ?? [],
    );
    if (due.kind === "search")
      return { ...guided, mayReply: false, without: new Set(due.siblings), ...(due.ways.length > 0 ? { only: due.ways } : {}), texts: () => values };
    const dueText = due.call.tool === "browser_fill" ? String(due.call.args.text) : null;
    const openUrl = due.call.tool === "browser_open" ? String(due.call.args.url) : null;
    return {
      ...guided,
      mayReply: false,
      mayPress: due.call.tool === "browser_press",
      without: new Set(due.siblings),
      texts: (element) => (dueText !== null && element === due.element ? [dueText] : []),
      urls: openUrl ? [openUrl] : urls,
      // A step that opens an address can be written only where no page is in the way.
      page: openUrl ? null : page,
    };
  }
  const without = page ? wrongSiblings(page, scene.goal, now) : new Set<PageElement>();
  if (!scene.input.hint) return { ...base, without };
  const candidates = typable(scene.goal, now);
  return { ...base, without, texts: (element) => candidates(element), ...(hinted ? { mayReply: false } : {}) };
}

function addressesIn(scene: Scene): string[] {
  const written = [...scene.goal.matchAll(/\bhttps?:\/\/[^\s"'<>)]+/giu)].map((match) => match[0].replace(/[.,;:!?]+$/u, ""));
  const named = hostsIn(scene.goal).filter((host) => !written.some((url) => url.includes(host)));
  return [...written, ...named.map((host) => `https://${host}`)];
}

/** Values of the goal that may be typed into a field: dates in the form the field takes, and runs of the goal's own words. */
function typable(goal: string, now: Date): (element: PageElement) => string[] {
  const found = findValues(goal, now);
  const text = withoutUrls(goal);
  const all = wordsOf(text);
  const spans: string[] = [];
  for (let start = 0; start < all.length; start++) {
    for (let stop = start; stop < Math.min(all.length, start + 6); stop++) {
      const [first, last] = [all[start], all[stop]];
      if (first && last) spans.push(text.slice(first.start, last.end));
    }
  }
  return (element) => {
    const dates = found.filter((value) => value.kind === "date" || value.kind === "month" || value.kind === "time");
    if (/date|month|time/iu.test(element.role))
      return dates.map((value) =>
        value.kind === "time" ? value.canonical : value.canonical.startsWith("--") ? `${now.getFullYear()}-${value.canonical.slice(2)}` : value.canonical,
      );
    const typed = found.map((value) => value.text);
    const iso = dates.flatMap((value) => (value.kind === "date" && !value.canonical.startsWith("--") ? [value.canonical] : []));
    return [...new Set([...typed, ...iso, ...spans.filter((span) => !/[\n":;]/u.test(span))])].slice(0, 150);
  };
}

function resultText(result: ToolResult | null, step: Step): string {
  const text = result?.text ?? step.text;
  return text.length > 4000 ? `${text.slice(0, 4000)} (truncated, open full result)` : text;
}

function notFoundText(due: Extract<Guidance, { kind: "search" }>): string {
  const others = due.siblings
    .slice(0, 3)
    .map((element) => element.name)
    .join(", ");
  return `I could not find ${due.wanted}.${others === "" ? "" : ` I saw ${others}, and left them alone.`}`;
}

function doneText(charge: Charge, downloads: readonly DownloadedFile[]): string {
  const files = downloads.map((file) => file.name).join(", ");
  const values = Object.entries(charge.binding.values).map(
    ([name, value]) => `${name.replaceAll("-", " ")}: ${renderValue(value, charge.bindings.inputs.properties[name]?.kind ?? "text") ?? value}`,
  );
  return `Done with "${charge.skill.name}"${values.length > 0 ? ` (${values.join(", ")})` : ""}.${files === "" ? "" : ` Downloaded ${files}.`}`;
}

/** The browser or the gates would not let a request out: trying on is no use without a new grant. */
function isDestinationRefusal(step: Step): boolean {
  const code = String(step.details.code ?? "");
  return (step.status === "error" || step.status === "refused") && /^(?:dest|hop|url|dns|form|nav|grant)\./u.test(code) && fold(step.text) !== "";
}
