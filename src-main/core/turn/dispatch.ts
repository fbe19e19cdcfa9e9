import { cut } from "#base/text.ts";
import type { RoutineNote, Step, TokenCount } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { Call } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import { mayRunAfterYes } from "../gates/index.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { cutToRoom, type Room } from "../prompt/index.ts";
import { callTarget } from "../skills/index.ts";
import { fitArguments, type ToolContext, type ToolResult } from "../tools/index.ts";
import { approvalRequest } from "./approval-request.ts";
import type { Situation } from "./gate-context.ts";
import { judgeCall } from "./judge-call.ts";
import type { TurnWorld } from "./world.ts";

export interface DispatchScene extends Situation {
  readonly tools: ToolContext;
  /** Which step of the routine in charge this is, where one is. */
  readonly routine: RoutineNote | null;
  readonly tokens: TokenCount;
  /** How much of its result the model may read. */
  readonly room: Room;
  /** It only brings back what was there. */
  readonly again: boolean;
}

export interface Dispatched {
  readonly step: Step;
  readonly result: ToolResult | null;
  /** The step was refused and no further try of it is any use: the turn goes to the user with this sentence. */
  readonly askUser: string | null;
  /** What came of it as the model reads it; a tool may have less written down than it tells. */
  readonly told: string;
}

/** What the recorder of a showing would have noted about the element, so that a run of the agent's own can be learned from alike. */
function sceneOf(call: Call, page: PageView | null): Record<string, unknown> {
  const target = callTarget(call);
  if (!target || !page) return {};
  const element: PageElement | undefined = page.elements.find(
    (candidate) => candidate.role === target.role && candidate.name === target.name && candidate.within === (target.within ?? ""),
  );
  return {
    siblings: page.elements
      .filter((candidate) => candidate.role === target.role && candidate !== element && candidate.group === element?.group)
      .map((candidate) => candidate.name)
      .slice(0, 60),
    landmark: element?.landmark ?? "",
    context: element?.context ?? "",
    ...(element?.action === "select" ? { options: [...element.options].slice(0, 100) } : {}),
  };
}

/** What is kept of the page that a step led to. */
export function afterOf({ url, title, heading, lines }: PageView): Record<string, string> {
  return { url, title, heading, text: cut(lines.join("\n"), 4000) };
}

/** What is kept beside a step of a text in its details; longer ones are had as the whole result. */
const longestDetail = 4000;

function shortDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, typeof value === "string" ? cut(value, longestDetail) : value]));
}

/** Gates in order, then the tool; the step is stored before it starts and when it ends. A refusal and a failure are results, not exceptions. */
export async function dispatch(world: TurnWorld, written: Call, scene: DispatchScene, signal: AbortSignal): Promise<Dispatched> {
  const { trace } = world.stores;
  const tool = world.tools.get(toolName(written.tool));
  const call = tool ? { ...written, args: fitArguments(tool.args, written.args) } : written;
  const startedAt = world.clock();
  let step: Step = {
    id: world.makeId(),
    turnId: scene.turnId,
    episodeId: scene.episodeId,
    index: trace.stepsOfTurn(scene.turnId).length,
    tool: call.tool,
    args: call.args,
    status: "running",
    text: "",
    details: {},
    startedAt,
    durationMs: null,
    tokens: scene.tokens,
  };
  trace.addStep(step);
  world.emit({ type: "step-started", step });
  const finish = (change: Partial<Step>, result: ToolResult | null, askUser: string | null = null): Dispatched => {
    // Masked before it is cut: of a value that is cut in two, neither half would be known.
    const whole = world.masked(change.text ?? "");
    const { text, leftOut } = cutToRoom(whole, scene.room);
    if (leftOut > 0) trace.keepResult(step.id, whole);
    const { leftOut: _leftOut, again: _again, ...given } = change.details ?? {};
    const details = {
      ...shortDetails(given),
      ...(leftOut > 0 ? { leftOut } : {}),
      ...(scene.again ? { again: true } : {}),
      ...(scene.routine ? { routine: scene.routine } : {}),
    };
    step = { ...step, ...change, text, details, durationMs: world.clock() - startedAt };
    trace.updateStep(step);
    world.emit({ type: "step-finished", step });
    return { step, result, askUser, told: result?.record === undefined ? text : cutToRoom(world.masked(result.text), scene.room).text };
  };
  const skillId = scene.skill?.skillId ?? null;
  const verdict = await judgeCall(world, call, scene, signal);
  if (verdict.kind === "refuse")
    return finish({ status: "refused", text: verdict.message, details: { code: verdict.code, ruleIds: verdict.ruleIds, skillId } }, null);
  if (verdict.kind === "ask") {
    if (!mayRunAfterYes(verdict)) return finish({ status: "refused", text: verdict.reason, details: { rule: verdict.rule, skillId } }, null, verdict.reason);
    const answer = await world.approve(await approvalRequest(call, verdict, scene, signal), signal);
    const kept = verdict.record ?? verdict.reason;
    if (answer === "deny")
      return finish(
        { status: "refused", text: `${kept} You did not agree, so it was not done.`, details: { rule: verdict.rule } },
        null,
        `${kept} I did not do it, because nobody agreed to it.`,
      );
  }
  if (!tool) return finish({ status: "error", text: `There is no tool ${call.tool}.` }, null);
  try {
    const result = await tool.run(tool.args.parse(call.args), { ...scene.tools, signal });
    return finish(
      {
        status: "ok",
        text: result.record ?? result.text,
        details: {
          ...(result.details ?? {}),
          ...sceneOf(call, scene.page),
          ...(result.page ? { after: afterOf(result.page) } : {}),
          ...(result.value === undefined ? {} : { value: result.value }),
        },
      },
      result,
    );
  } catch (thrown) {
    if (signal.aborted) {
      finish({ status: "interrupted", text: "Stopped." }, null);
      throw signal.reason;
    }
    const isOurs = thrown instanceof KnackError;
    if (!isOurs) world.log.error("tool-failed", { tool: call.tool, error: thrown });
    return finish(
      {
        status: "error",
        // What may be kept nowhere is not kept in its step either.
        ...(isOurs && thrown.fields.unsaid === true ? { args: Object.fromEntries(Object.keys(call.args).map((name) => [name, "***"])) } : {}),
        text: isOurs ? thrown.message : `${call.tool} failed.`,
        details: { code: isOurs ? thrown.code : "tool.failed", ...sceneOf(call, scene.page) },
      },
      null,
    );
  }
}
