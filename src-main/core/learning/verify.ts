import { matchesWildcard } from "#base/wildcard.ts";
import type { RevisionContent, Target } from "#contract/skills/schema.ts";
import { align } from "./align.ts";
import type { LearnableEpisode } from "./collect.ts";
import { commonLength } from "./sequence.ts";
import { unsafeIn } from "./unsafe-text.ts";

/** What a candidate is held against; learning knows neither tools nor grants. */
export interface Limits {
  readonly isTool: (id: string) => boolean;
  /** What is declared and not granted, for a person. */
  readonly notGranted: (declared: RevisionContent["capabilities"]) => readonly string[];
}

/** Why a candidate is not published; null when it may be (SPEC 4.6). */
export function whyNotPublish(content: RevisionContent, runs: readonly LearnableEpisode[], limits: Limits, now: Date): string | null {
  for (const tool of content.toolsRequired) if (!limits.isTool(tool)) return `it needs the tool ${tool}, which does not exist`;
  const missing = limits.notGranted(content.capabilities);
  if (missing.length > 0) return `it needs ${missing.join(", ")}, which is not granted`;
  const unsafe = unsafeIn(content);
  if (unsafe !== null) return unsafe;
  if (!content.steps.some((step) => step.call)) return "no step of it can be carried out";
  const wanted = content.steps
    .filter((step) => step.call && !step.repeatUntilNext)
    .map((step) => shapeOf(step.call?.tool ?? "", step.call?.args.target as Target | undefined));
  for (const [index, left] of runs.entries()) {
    const others = runs.filter((_, other) => other !== index);
    if (others.length < 2) continue;
    const aligned = align(others, now);
    if (!aligned.ok) return `without "${left.episode.goal}" nothing common is left`;
    const predicted = aligned.value.steps
      .filter((step) => step.call && !step.repeatUntilNext)
      .map((step) => shapeOf(step.call?.tool ?? "", step.call?.args.target as Target | undefined))
      // Where all other goals spoke of a control, its name is a pattern to them, which is the same control all the same.
      .map((shape) => wanted.find((one) => one === shape) ?? wanted.find((one) => isOf(shape, one)) ?? shape);
    if (commonLength(predicted, wanted) < wanted.length) return `leave-one-out: the other runs do not predict "${left.episode.goal}"`;
  }
  return null;
}

function shapeOf(tool: string, target: Target | undefined): string {
  return `${tool} ${target?.role ?? ""} ${(target?.name ?? "").replace(/\{\{[^}]*\}\}/gu, "*").toLowerCase()}`;
}

/** Whether a shape with `*` in its name stands for another one. A name that is nothing but `*` stands for any, which tells nothing. */
function isOf(pattern: string, shape: string): boolean {
  const name = pattern.split(" ").slice(2).join(" ");
  return name.includes("*") && name.replace(/[*\s]/gu, "") !== "" && matchesWildcard(pattern, shape);
}
