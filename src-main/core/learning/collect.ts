import type { Episode, Step } from "#contract/chat/schema.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { TraceStore } from "../ports/stores.ts";
import { callTarget } from "../skills/index.ts";

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

/** A step of the agent's own as the recorder would have noted it; undefined for steps that only looked or talked, or that failed. */
export function actionOf(step: Step): ShownAction[] {
  if (step.status !== "ok") return [];
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
    default:
      return [];
  }
}

/** An episode as it can be learned from; null where its length rules it out. */
export function learnable(trace: TraceStore, episode: Episode): LearnableEpisode | null {
  const actions = trace.stepsOfEpisode(episode.id).flatMap(actionOf);
  const count = lengthOf(actions);
  return count < minSteps || count > maxSteps ? null : { episode, actions };
}

/** Files that came are no steps of their own. */
function lengthOf(actions: readonly ShownAction[]): number {
  return actions.filter((action) => action.kind !== "download").length;
}

/** Judged episodes and what was done in them. `leftOut` names the episodes whose length rules them out. */
export function collect(trace: TraceStore, since: number): { episodes: LearnableEpisode[]; leftOut: { episode: Episode; reason: string }[] } {
  const episodes: LearnableEpisode[] = [];
  const leftOut: { episode: Episode; reason: string }[] = [];
  for (const episode of trace.episodesSince(since)) {
    if (episode.outcome === null || episode.outcome === "abandoned") continue;
    const actions = trace.stepsOfEpisode(episode.id).flatMap(actionOf);
    const count = lengthOf(actions);
    if (count === 0) continue;
    if (count < minSteps || count > maxSteps) leftOut.push({ episode, reason: `${count} steps; ${minSteps} to ${maxSteps} can be learned from` });
    else episodes.push({ episode, actions });
  }
  return { episodes, leftOut };
}
