import { words } from "#base/text.ts";
import { matchesWildcard } from "#base/wildcard.ts";
import type { Call, RevisionContent, SkillInput, SkillStep, Target } from "#contract/skills/schema.ts";
import { asPattern, callTarget, fill } from "../skills/index.ts";
import { align } from "./align.ts";
import { mapLeaves } from "./call-leaves.ts";
import type { LearnableEpisode } from "./collect.ts";
import { isPlainCall } from "./plain-call.ts";
import { commonLength } from "./sequence.ts";
import { isFieldStep } from "./step-key.ts";
import { unsafeIn } from "./unsafe-text.ts";

/** What a candidate is held against; learning knows neither tools nor grants. */
export interface Limits {
  readonly isTool: (id: string) => boolean;
  /** What is declared and not granted, for a person. */
  readonly notGranted: (declared: RevisionContent["capabilities"]) => readonly string[];
}

/** Words of a control's name that no goal accounts for; what is longer is a passage somebody wrote there. */
const longestControl = 14;

/** What a candidate needs and is not there: no matter of its runs, and may come. Null where nothing is missing. */
export function whatIsMissing(content: RevisionContent, limits: Limits): string | null {
  for (const tool of content.toolsRequired) if (!limits.isTool(tool)) return `it needs the tool ${tool}, which does not exist`;
  const missing = limits.notGranted(content.capabilities);
  return missing.length > 0 ? `it needs ${missing.join(", ")}, which is not granted` : null;
}

/**
 * Why a candidate is not published; null when it may be (SPEC 4.6).
 * @param breathe awaited between small pieces of work; what it throws ends the work
 */
export async function whyNotPublish(
  content: RevisionContent,
  runs: readonly LearnableEpisode[],
  limits: Limits,
  breathe: () => Promise<void> | undefined = () => undefined,
): Promise<string | null> {
  const work = verifying(content, runs, limits);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await breathe();
  }
}

/** The same in one go, for what is done within a transaction. */
export function whyNotPublishNow(content: RevisionContent, runs: readonly LearnableEpisode[], limits: Limits): string | null {
  const work = verifying(content, runs, limits);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

function* verifying(content: RevisionContent, runs: readonly LearnableEpisode[], limits: Limits): Generator<void, string | null> {
  const missing = whatIsMissing(content, limits);
  if (missing !== null) return missing;
  const unsafe = unsafeIn(content);
  if (unsafe !== null) return unsafe;
  const passage = content.steps.findIndex((step) => words(asPattern(callTarget(step.call)?.name ?? "")).length > longestControl);
  if (passage >= 0) return `it holds a passage of a page where a name belongs (step ${passage + 1})`;
  if (!content.steps.some((step) => step.call)) return "no step of it can be carried out";
  const wanted = shapes(content.steps, content.inputs.properties);
  for (const [index, left] of runs.entries()) {
    const others = runs.filter((_, other) => other !== index);
    if (others.length < 2) continue;
    yield;
    // Of the runs that are left half must do: without one of those that named a value, no more may be there.
    const aligned = align(others, { isMost: (count, all) => count * 2 >= all });
    if (!aligned.ok) return `without "${left.episode.goal}" nothing common is left`;
    // Where all other goals spoke of a control, its name is a pattern to them, which is the same control all the same.
    const predicted = shapes(aligned.value.steps, aligned.value.inputs).map(
      (shape) => wanted.find((one) => one === shape) ?? wanted.find((one) => isOf(shape, one)) ?? shape,
    );
    if (commonLength(predicted, wanted) < wanted.length) return `leave-one-out: the other runs do not predict "${left.episode.goal}"`;
  }
  return null;
}

/** The controls of a procedure in order; fields of one form, which may be filled in any, in the order of their names. */
function shapes(steps: readonly SkillStep[], inputs: Readonly<Record<string, SkillInput>>): string[] {
  const out: string[] = [];
  let fields: string[] = [];
  for (const step of steps) {
    const shape =
      step.call && !step.repeatUntilNext
        ? isPlainCall(step.call)
          ? plainShape(step.call)
          : shapeOf(step.call.tool, callTarget(step.call), inputs)
        : undefined;
    if (shape !== undefined && isFieldStep(step)) fields.push(shape);
    else {
      out.push(...fields.sort(), ...(shape === undefined ? [] : [shape]));
      fields = [];
    }
  }
  return [...out, ...fields.sort()];
}

/** What has a default is that control unless a goal names another: to runs that all spoke of it as much as to those that did not. */
function shapeOf(tool: string, target: Target | undefined, inputs: Readonly<Record<string, SkillInput>>): string {
  return `${tool} ${target?.role ?? ""} ${fill(target?.name ?? "", (name) => inputs[name]?.default ?? "*").toLowerCase()}`;
}

/** A call that works on no page with its arguments, every input aside. */
function plainShape({ tool, args }: Call): string {
  return JSON.stringify([tool, mapLeaves(args, ({ value }) => (typeof value === "string" ? asPattern(value).toLowerCase() : value))]);
}

/** Whether a shape with `*` in its name stands for another one. A name that is nothing but `*` stands for any, which tells nothing. */
function isOf(pattern: string, shape: string): boolean {
  const name = pattern.split(" ").slice(2).join(" ");
  return name.includes("*") && name.replace(/[*\s]/gu, "") !== "" && matchesWildcard(pattern, shape);
}
