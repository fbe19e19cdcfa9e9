import type { Observation, ShownAction } from "#contract/learning/schema.ts";
import type { Call, Check, SkillInput, SkillStep, Target } from "#contract/skills/schema.ts";
import { asksForAnswer, fill, indexOn, isPager, textsIn, withoutCount } from "../skills/index.ts";
import { renderValue, toTemplate } from "../skills/values/index.ts";
import { checkAfterCall, templatesOf } from "./call-check.ts";
import { callTemplate } from "./call-template.ts";
import { checkAfter, stable } from "./check-after.ts";
import { dateParts } from "./date-parts.ts";
import { describeCall } from "./describe-call.ts";
import { hasPlaceholder, Values } from "./goal-values.ts";
import { aroundOf, fieldTemplate, nameTemplate, rowTarget, withinTemplate } from "./name-template.ts";
import { observe } from "./observe.ts";
import { valueTemplate } from "./value-template.ts";

/** What one run of a routine comes to once its values are taken out. */
export interface Generalised {
  readonly steps: SkillStep[];
  readonly inputs: Record<string, SkillInput>;
  readonly required: string[];
  /** The values of this run by input name, canonical. */
  readonly values: Record<string, string>;
  /** Said to the person who reads the draft. */
  readonly notes: string[];
  readonly origins: string[];
  /** Tools of all steps, also of those that are left to judgement. */
  readonly tools: string[];
  /** For each step what was to be seen after it, and the action it stands for; none for one that only judges. */
  readonly observed: (Observation | null)[];
  readonly shown: (ShownAction | undefined)[];
}

/** What a step says when nobody wrote anything else. */
export const onFail = "Stop and say what was expected and what was seen.";

/**
 * Turns one run (a person's showing, or an agent's own successful run) into steps with inputs: values that the goal names become
 * placeholders, repeated presses become "repeat until the next target is there", what was seen after each action becomes its check.
 * Pure: no model takes part.
 * @param now the day of the run, for relative dates in its goal
 */
export function generalise(goal: string, actions: readonly ShownAction[], now: Date): Generalised {
  const values = new Values(
    goal,
    now,
    actions.flatMap(({ value, target, call }) => [value ?? "", target?.name ?? "", ...textsIn(call?.args ?? {})]),
  );
  const notes: string[] = [];
  const steps: SkillStep[] = [];
  /** For each step the action it stands for, with the one before. */
  const shown: { readonly action: ShownAction | undefined; readonly before: ShownAction | undefined }[] = [];
  const origins = new Set<string>();
  const note = (url: string): void => {
    try {
      origins.add(new URL(url).origin);
    } catch {
      // about:blank and the like have no origin worth granting
    }
  };
  const acts = actions.filter((action) => action.kind !== "download");
  // Two rounds: a value first seen in a later step (a date typed in a form) also explains earlier names and checks.
  const parts = dateParts(values, acts);
  const templates = acts.map((action) => {
    const part = parts.get(action);
    if (part !== undefined) return part;
    if (action.kind === "fill" || action.kind === "select")
      return action.secret
        ? ""
        : valueTemplate(values, action.value ?? "", action.target?.name || "value", action.kind === "select" ? action.options : undefined, notes);
    return action.kind === "click" && action.target ? nameTemplate(values, action, action.target.name) : "";
  });
  const calls = new Map(
    acts.flatMap((action, index): [ShownAction, Call][] =>
      action.call ? [[action, { tool: action.call.tool, args: callTemplate(values, action.call, acts.slice(0, index), notes) }]] : [],
    ),
  );
  const lastAct = acts.findLastIndex((action) => action.kind === "click" || action.kind === "press");
  let previous: ShownAction | undefined;
  const loose = new Set<string>();
  const fields = acts.flatMap(({ kind, target }) => ((kind === "fill" || kind === "select") && target ? [target.name] : []));
  for (const [index, action] of acts.entries()) {
    note(action.after.url);
    const plain = calls.get(action);
    if (plain?.tool === "browser_login") {
      shown.push({ action, before: previous });
      steps.push({ do: describeCall(plain), call: plain, check: checkAfter(action, values, false, previous, false, loose), onFail });
      previous = action;
      continue;
    }
    if (plain) {
      shown.push({ action, before: previous });
      steps.push(
        action.secret
          ? secretStep(plain.tool)
          : callStep(
              plain,
              acts.slice(index).flatMap((act) => templatesOf(calls.get(act))),
              action,
              values,
            ),
      );
      previous = action;
      continue;
    }
    const named =
      action.kind === "click"
        ? (templates[index] ?? action.target?.name)
        : action.target && !action.secret
          ? fieldTemplate(values, action, fields)
          : action.target?.name;
    const row = action.target && named === action.target.name ? rowTarget(values, action, named) : undefined;
    const target: Target | undefined = action.target && {
      role: action.target.role,
      name: named ?? action.target.name,
      ...row,
      ...(action.target.within === undefined || action.target.within === ""
        ? {}
        : { within: withinTemplate(values, action.target.within, action.context, aroundOf(action)) }),
    };
    const varies =
      (target !== undefined && (hasPlaceholder(target.name) || hasPlaceholder(target.within ?? ""))) ||
      acts.slice(0, index).some((act) => act.kind === "fill" || act.kind === "select");
    const next = acts[index + 1];
    const repeats =
      action.kind === "click" &&
      target !== undefined &&
      isPager(target.name) &&
      next?.kind === "click" &&
      (next.target?.name === action.target?.name || hasPlaceholder(templates[index + 1] ?? ""));
    const isIndexed = action.kind === "click" && indexOn(action.siblings.map((name) => ({ name }))).some(({ name }) => name === action.target?.name);
    if (isIndexed && hasPlaceholder(templates[index + 1] ?? "")) {
      // Which letter it is follows from what is looked for.
      previous = action;
      continue;
    }
    const sameAsBefore =
      action.kind === "click" &&
      previous?.kind === "click" &&
      previous.target?.name === action.target?.name &&
      previous.target?.role === action.target?.role &&
      (previous.target?.within ?? "") === (action.target?.within ?? "");
    if (sameAsBefore) {
      const before = steps.at(-1);
      if (before && isPager(action.target?.name ?? "")) {
        before.repeatUntilNext = true;
        shown[shown.length - 1] = { action, before: shown.at(-1)?.before };
        before.do = `Press ${action.target?.name ?? ""} until the next target is there`;
        previous = action;
        continue;
      }
    }
    const download = actions[actions.indexOf(action) + 1];
    const file = download?.kind === "download" ? download.value : undefined;
    let call: { tool: string; args: Record<string, unknown> } | undefined;
    let check: Check;
    if (action.kind === "open") {
      call = { tool: "browser_open", args: { url: action.value ?? action.after.url } };
      check = checkAfter(action, values, false, previous, false, loose);
    } else if (action.kind === "fill" || action.kind === "select") {
      if (action.secret) {
        shown.push({ action, before: previous });
        const check = action.isSent ? { check: checkAfter(action, values, varies, previous, false, loose) } : {};
        steps.push({ do: `Enter the secret for ${action.target?.name ?? "the field"} from a vault entry (choose one)`, ...check, onFail });
        previous = action;
        continue;
      }
      const text = templates[index] ?? "";
      call = action.kind === "fill" ? { tool: "browser_fill", args: { target, text } } : { tool: "browser_select", args: { target, option: text } };
      check = { result: { equals: text } };
    } else if (action.kind === "press") {
      call = { tool: "browser_press", args: { key: action.value ?? "Enter" } };
      check = checkAfter(action, values, varies, previous, index === lastAct, loose);
    } else {
      call = { tool: "browser_click", args: { target } };
      check =
        file === undefined
          ? checkAfter(action, values, varies, previous, index === lastAct, loose)
          : { file: { exists: stable(toTemplate(withoutCount(file), values.known)) } };
    }
    shown.push({ action, before: previous });
    steps.push({
      do: repeats ? `Press ${target?.name ?? ""} until the next target is there` : describeCall(call),
      call,
      check,
      ...(repeats ? { repeatUntilNext: true } : {}),
      onFail,
    });
    previous = action;
  }
  const ended = actions.at(-1)?.kind;
  if (asksForAnswer(goal) && ended !== "download") {
    shown.push({ action: undefined, before: undefined });
    steps.push({
      do: ended === "call" ? "Answer what was asked from what was found" : "Read this page and answer what was asked",
      onFail: "Say what could not be found.",
    });
  }
  const inputs: Record<string, SkillInput> = {};
  const used = JSON.stringify(steps);
  for (const value of values.known) {
    if (!used.includes(`{{${value.name}}}`) && !used.includes(`{{${value.name}|`)) continue;
    inputs[value.name] = {
      type: "string",
      kind: value.kind,
      description: value.name.replaceAll("-", " "),
      examples: [value.text],
      ...(value.choices && value.choices.length > 1 && value.choices.length <= 60 ? { choices: [...new Set(value.choices)] } : {}),
      ...(value.hasDefault ? { default: value.canonical } : {}),
    };
  }
  return {
    steps,
    inputs,
    required: Object.keys(inputs).filter((name) => inputs[name]?.default === undefined),
    values: Object.fromEntries(values.known.filter((value) => inputs[value.name]).map((value) => [value.name, value.canonical])),
    notes,
    origins: [...origins],
    tools: [...new Set(steps.flatMap(({ call }) => (call ? [call.tool] : [])).concat([...calls.values()].map(({ tool }) => tool)))],
    shown: shown.map(({ action }) => action),
    observed: shown.map(({ action, before }) => (action ? observe(action, before, values.known) : null)),
  };
}

/** A call that works on no page, with what is to be seen after it. */
function callStep(call: Call, own: readonly string[], { call: made }: ShownAction, values: Values): SkillStep {
  const asSeen = (template: string): string =>
    fill(template, (name, form) => {
      const value = values.known.find((one) => one.name === name);
      return value && renderValue(value.canonical, value.kind, form);
    });
  const check = checkAfterCall(call, own, made?.result ?? "", asSeen);
  return { do: describeCall(call), call, ...(check ? { check } : {}), onFail };
}

/** What held a secret names a vault entry to choose, as a field does. */
function secretStep(tool: string): SkillStep {
  return { do: `Use ${tool} with a secret from a vault entry (choose one)`, onFail };
}
