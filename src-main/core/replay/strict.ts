import { KnackError } from "#contract/errors.ts";
import type { Call, Check, Revision, SkillStep, Target } from "#contract/skills/schema.ts";
import { messageOf } from "../errors.ts";
import { fillDeep, inputRenderer, isStructured, missingInputs, placeholderNames, type RenderInput, type RenderValue } from "../skills/index.ts";
import { evaluateCheck, type Observed } from "./checks.ts";
import { targetOf } from "./target.ts";

/** What happened to one step that was begun. `step` counts from 1. */
export interface TraceEntry {
  readonly step: number;
  readonly do: string;
  /** Calls carried out: 1, or the repetitions of a "repeat until" step. */
  readonly calls: number;
  readonly held: boolean;
  readonly finding: string;
}

export type StepState = "done" | "failed" | "not run";

interface Told {
  readonly trace: readonly TraceEntry[];
  /** One per step of the procedure, in order. */
  readonly states: readonly StepState[];
}

export type StrictResult =
  | ({ readonly done: true } & Told)
  | ({ readonly done: false; readonly failedAt: number; readonly reason: string; readonly onFail: string; readonly stopped: boolean } & Told);

export interface StrictRun {
  readonly revision: Pick<Revision, "steps" | "inputs">;
  readonly inputs: Readonly<Record<string, string>>;
  /** Carries out one filled-in call behind the gates. Rejects when it failed or was refused, with the reason as message. */
  readonly perform: (call: Call, signal: AbortSignal) => Promise<Observed>;
  readonly signal: AbortSignal;
  readonly onStep?: (event: { readonly step: number; readonly of: number; readonly do: string; readonly entry: TraceEntry | null }) => void;
  /** Is the target of the next step there to be acted on? Needed by "repeat until" steps. */
  readonly inSight?: (target: Target, signal: AbortSignal) => boolean | Promise<boolean>;
  readonly renderValue?: RenderValue;
  /** Most repetitions of one step. */
  readonly maxRepeats?: number;
}

interface Planned {
  readonly number: number;
  readonly step: SkillStep;
  readonly call: Call;
  readonly check: Check;
  /** For a "repeat until" step: the next step's target. */
  readonly until: Target | null;
}

/**
 * Carries a procedure out call after call, without a model. Everything that can be known to be missing is an error before
 * the first call; then it halts at the first call or check that fails, at the first repetition that changes nothing, and
 * when the signal aborts.
 */
export async function runStrict(run: StrictRun): Promise<StrictResult> {
  const plan = planOf(run);
  const trace: TraceEntry[] = [];
  for (const planned of plan) {
    const { number, step } = planned;
    if (run.signal.aborted) return halted(plan, trace, planned, "stopped before this step", true);
    run.onStep?.({ step: number, of: plan.length, do: step.do, entry: null });
    const entry = await carryOut(planned, run);
    trace.push(entry);
    run.onStep?.({ step: number, of: plan.length, do: step.do, entry });
    if (!entry.held) return halted(plan, trace, planned, entry.finding, run.signal.aborted);
  }
  return { done: true, trace, states: plan.map(() => "done") };
}

async function carryOut(planned: Planned, run: StrictRun): Promise<TraceEntry> {
  const { number, step, call, check, until } = planned;
  let calls = 0;
  const entry = (held: boolean, finding: string): TraceEntry => ({ step: number, do: step.do, calls, held, finding });
  try {
    if (until === null) {
      const observed = await run.perform(call, run.signal);
      calls = 1;
      const result = evaluateCheck(check, observed);
      return entry(result.held, result.finding);
    }
    const most = run.maxRepeats ?? 50;
    let before = "";
    while (!(await run.inSight?.(until, run.signal))) {
      run.signal.throwIfAborted();
      if (calls >= most) return entry(false, `expected ${until.role} '${until.name}', not there after ${most} times`);
      const observed = await run.perform(call, run.signal);
      calls += 1;
      const result = evaluateCheck(check, observed);
      if (!result.held) return entry(false, result.finding);
      const now = JSON.stringify([observed.page?.url, observed.page?.text, observed.resultText]);
      if (now === before && !(await run.inSight?.(until, run.signal)))
        return entry(false, `expected ${until.role} '${until.name}', and the page no longer changes`);
      before = now;
    }
    return entry(true, `${until.role} '${until.name}' is there`);
  } catch (thrown) {
    return entry(false, run.signal.aborted ? "stopped during this step" : messageOf(thrown));
  }
}

function halted(plan: readonly Planned[], trace: readonly TraceEntry[], at: Planned, reason: string, stopped: boolean): StrictResult {
  const begun = trace.some((entry) => entry.step === at.number);
  const states = plan.map(({ number }): StepState => (number < at.number ? "done" : number === at.number && begun ? "failed" : "not run"));
  return { done: false, failedAt: at.number, reason, onFail: at.step.onFail, stopped, trace, states };
}

/** Fills every call and check in, or throws KnackError naming the step; nothing has been executed then. */
function planOf(run: StrictRun): Planned[] {
  const { steps, inputs: schema } = run.revision;
  if (steps.length === 0) throw notMechanical("The skill has no steps");
  const ready = steps.map((step, index) => {
    const { call, check } = step;
    if (call === undefined) throw notMechanical(`Step ${index + 1} ("${step.do}") has no call`, index + 1);
    if (!isStructured(check)) throw notMechanical(`Step ${index + 1} ("${step.do}") has no check that can be decided by looking`, index + 1);
    return { step, call, check };
  });
  const missing = missingInputs(schema, run.inputs);
  if (missing.length > 0)
    throw new KnackError("replay.input-missing", `Missing input: ${missing.join(", ")}. Nothing was done.`, { exit: 2, fields: { missing } });
  const render = inputRenderer(schema, run.inputs, run.renderValue);
  return ready.map(({ step, call, check }, index) => {
    const until = step.repeatUntilNext === true ? targetOf(ready[index + 1]?.call) : null;
    if (step.repeatUntilNext === true && (until === null || run.inSight === undefined)) {
      throw notMechanical(`Step ${index + 1} ("${step.do}") is repeated until the target of the next step is there, and the next step has none`, index + 1);
    }
    return {
      number: index + 1,
      step: { ...step, do: fillDeep(step.do, render) },
      call: filled(call, render, index),
      check: filled(check, render, index),
      until: until === null ? null : filled(until, render, index),
    };
  });
}

function filled<T>(value: T, render: RenderInput, index: number): T {
  const result = fillDeep(value, render);
  // Names are asked of what was written: braces inside a bound value are text.
  const unknown = placeholderNames(value).filter((name) => render(name, undefined) === undefined);
  if (unknown.length > 0)
    throw new KnackError("replay.input-missing", `Step ${index + 1} needs the input ${unknown.join(", ")}. Nothing was done.`, {
      exit: 2,
      fields: { missing: unknown, step: index + 1 },
    });
  return result;
}

function notMechanical(what: string, step?: number): KnackError {
  return new KnackError("replay.not-mechanical", `${what}, so it cannot run strictly. Nothing was done; use advisory mode.`, {
    fields: step === undefined ? {} : { step },
  });
}
