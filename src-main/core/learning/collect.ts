import type { Episode, Step } from "#contract/chat/schema.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { TraceStore } from "../ports/stores.ts";
import { callTarget } from "../skills/index.ts";
import { withoutSecretsOf } from "./without-secrets.ts";

/** Fewest and most steps of an episode that can be learned from (SPEC 4). */
export const minSteps = 3;
export const maxSteps = 20;

/** An episode with the actions in it that changed something or led somewhere. */
export interface LearnableEpisode {
  readonly episode: Episode;
  readonly actions: readonly ShownAction[];
}

interface After {
  readonly url: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

const nothing: After = { url: "", title: "", heading: "", text: "" };

/**
 * A step of the agent's own as the recorder would have noted it; undefined for steps that only looked or talked, brought
 * a page back, or failed.
 */
export function actionOf(step: Step): ShownAction[] {
  if (step.status !== "ok" || step.details.again === true) return [];
  const target = callTarget(step);
  const details = step.details as { siblings?: string[]; landmark?: string; context?: string; options?: string[]; after?: After; downloads?: string[] };
  const after = details.after ?? nothing;
  const common = {
    secret: false,
    siblings: details.siblings ?? [],
    landmark: details.landmark ?? "",
    context: details.context ?? "",
    ...(details.options ? { options: details.options } : {}),
    after,
    at: step.startedAt,
  };
  const files = (details.downloads ?? []).map((name): ShownAction => ({ ...common, kind: "download", value: name }));
  switch (step.tool) {
    case "browser_open":
      return [{ ...common, kind: "open", value: String(step.args.url ?? "") }];
    case "browser_click":
    case "browser_download":
      return target ? [{ ...common, kind: "click", target }, ...files] : [];
    case "browser_fill":
      return target ? [{ ...common, kind: "fill", target, value: String(step.args.text ?? "") }] : [];
    case "browser_select":
      return target ? [{ ...common, kind: "select", target, value: String(step.args.option ?? "") }] : [];
    case "browser_press":
      return [{ ...common, kind: "press", value: String(step.args.key ?? "") }, ...files];
    case "browser_login":
      // Which login it was is all there is to learn; what it was typed into is found anew.
      return [{ ...common, kind: "call", call: { tool: step.tool, args: { entry: step.args.entry }, result: resultOf(step) } }];
    default:
      return isLearnable(step.tool) ? [{ ...common, kind: "call", call: { tool: step.tool, args: step.args, result: resultOf(step) } }] : [];
  }
}

/** Tools that act on the folder or came from elsewhere. Looking at a page, talk, memory and the keeping of skills are no steps of a routine. */
function isLearnable(tool: string): boolean {
  return !/^(?:browser_|skill_)|^(?:reply|ask_user|remember|recall|update_memory|forget|search_past_conversations)$/u.test(tool);
}

/** What a check of the step would compare. */
function resultOf({ details, text }: Step): string {
  return typeof details.value === "string" ? details.value : text;
}

/** What learning makes of one episode: nothing to learn from, too short or too long, or a run. */
export type Collected =
  | { readonly kind: "none" }
  | { readonly kind: "left-out"; readonly reason: string; readonly run: LearnableEpisode }
  | { readonly kind: "run"; readonly run: LearnableEpisode };

/** Reads the steps of a judged episode; of one that is not judged, or in which nothing was done, nothing is learned. */
export function collect(trace: TraceStore, episode: Episode): Collected {
  if (episode.outcome === null || episode.outcome === "abandoned") return { kind: "none" };
  const run = withoutSecretsOf({ episode, actions: trace.stepsOfEpisode(episode.id).flatMap(actionOf) });
  const count = run.actions.filter((action) => action.kind !== "download").length;
  if (count === 0) return { kind: "none" };
  if (count < minSteps || count > maxSteps) return { kind: "left-out", reason: `${count} steps; ${minSteps} to ${maxSteps} can be learned from`, run };
  return { kind: "run", run };
}

/** An episode as it can be learned from; null where its length rules it out, or nobody judged it. */
export function learnable(trace: TraceStore, episode: Episode): LearnableEpisode | null {
  const collected = collect(trace, episode);
  return collected.kind === "run" ? collected.run : null;
}
