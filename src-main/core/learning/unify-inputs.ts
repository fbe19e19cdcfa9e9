import { fold } from "#base/text.ts";
import type { SkillInput, SkillStep, Target } from "#contract/skills/schema.ts";
import { callTarget, findPlaceholders, mapTexts } from "../skills/index.ts";
import { leafKey, leafText, leavesOf, mapLeaves } from "./call-leaves.ts";
import { asSeen } from "./constant-names.ts";
import type { Generalised } from "./generalise.ts";
import type { Row } from "./match-runs.ts";
import { isPlainCall } from "./plain-call.ts";

/** One input of the procedure, with the name it has in each run that names it. */
interface Shared {
  readonly name: string;
  readonly locals: (string | undefined)[];
}

/** The places of a step where a value may stand, with the text there. */
function places(step: SkillStep): Record<string, string> {
  if (isPlainCall(step.call)) return Object.fromEntries(leavesOf(step.call.args).map((leaf) => [leafKey(leaf), leafText(leaf.value)]));
  const target = callTarget(step.call);
  return { name: target?.name ?? "", within: target?.within ?? "", value: String(step.call?.args.text ?? step.call?.args.option ?? "") };
}

/** For each place of a value in the rows, what each run calls it. Values of two kinds are never the same. */
function slots(rows: readonly Row[], each: readonly Generalised[]): Map<string, (string | undefined)[]> {
  const made = new Map<string, (string | undefined)[]>();
  for (const [at, row] of rows.entries())
    for (const [run, step] of row.steps.entries())
      for (const [place, text] of Object.entries(places(step))) {
        const count = new Map<string, number>();
        for (const { name } of findPlaceholders(text)) {
          const kind = each[run]?.inputs[name]?.kind ?? "text";
          const nth = count.get(kind) ?? 0;
          count.set(kind, nth + 1);
          const id = `${at} ${place} ${kind} ${nth}`;
          const locals = made.get(id) ?? each.map(() => undefined);
          locals[run] = name;
          made.set(id, locals);
        }
      }
  return made;
}

/** Places that most runs fill with the same value are one input; that a single run had the same value twice is chance. */
function shared(all: Iterable<(string | undefined)[]>): Shared[] {
  const groups: (string | undefined)[][] = [];
  for (const locals of all) {
    const like = groups.find((group) => {
      const both = locals.flatMap((name, run) => (name !== undefined && group[run] !== undefined ? [name === group[run]] : []));
      return both.filter(Boolean).length * 2 > both.length;
    });
    if (like) for (const [run, name] of locals.entries()) like[run] ??= name;
    else groups.push([...locals]);
  }
  const taken = new Set<string>();
  return groups.map((locals) => {
    const named = locals.filter((name) => name !== undefined);
    // The plainest of the most common ones: "item" rather than the "item-2" of a run that had another item before.
    const [best] = [...Map.groupBy(named, (name) => name).entries()].sort((a, b) => b[1].length - a[1].length || a[0].length - b[0].length);
    const base = (best?.[0] ?? "value").replace(/-\d+$/u, "");
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}-${count}`;
    taken.add(name);
    return { name, locals };
  });
}

/** The step with the procedure's names; a value that no step of the procedure has is written back as it was seen. */
function renamed(step: SkillStep, run: Generalised, nameOf: (local: string, place?: string) => string | undefined): SkillStep {
  const write = (text: string, place?: string): string => {
    const made = text.replace(/\{\{([^}|]+)(\|[^}]*)?\}\}/gu, (mark, local: string, form = "") => {
      const name = nameOf(local, place);
      return name === undefined ? asSeen(run, mark) : `{{${name}${form}}}`;
    });
    return made;
  };
  const check = step.check ? { check: mapTexts(step.check, (text) => write(text)) } : {};
  if (!step.call) return { ...step, ...check };
  if (isPlainCall(step.call)) {
    const args = mapLeaves(step.call.args, (leaf) => (typeof leaf.value === "string" ? write(leaf.value, leafKey(leaf)) : leaf.value));
    return { ...step, ...check, call: { ...step.call, args } };
  }
  const { target, text, option, ...rest } = step.call.args as { target?: Target; text?: string; option?: string };
  return {
    ...step,
    ...check,
    call: {
      ...step.call,
      args: {
        ...rest,
        ...(target
          ? {
              target: {
                ...target,
                name: write(target.name, "name"),
                ...(target.within === undefined ? {} : { within: write(target.within, "within") }),
              },
            }
          : {}),
        ...(text === undefined ? {} : { text: write(text, "value") }),
        ...(option === undefined ? {} : { option: write(option, "value") }),
      },
    },
  };
}

/** One description out of the same input of several runs; a default that not all share is none. */
function merged(all: readonly SkillInput[]): SkillInput | undefined {
  const [first] = all;
  if (!first) return undefined;
  const { default: own, ...rest } = first;
  const isDefault = own !== undefined && all.every((input) => input.default !== undefined && fold(input.default) === fold(own));
  return { ...(isDefault ? first : rest), examples: [...new Set(all.flatMap(({ examples }) => examples))].slice(0, 5) };
}

/** The rows with one name for each input, whatever each run called it, and what these inputs are and were. */
export function unifyInputs(
  rows: readonly Row[],
  each: readonly Generalised[],
): { rows: Row[]; inputs: Record<string, SkillInput>; values: Record<string, string>[] } {
  const bySlot = slots(rows, each);
  const all = shared(bySlot.values());
  const here = rows.map((row, at) => ({
    ...row,
    steps: row.steps.map((step, run) =>
      renamed(step, each[run] as Generalised, (local, place) => {
        const mine = all.filter(({ locals }) => locals[run] === local);
        if (mine.length < 2 || place === undefined) return mine[0]?.name;
        const group = [...bySlot].find(([id, locals]) => id.startsWith(`${at} ${place} `) && locals[run] === local)?.[1];
        return (mine.find(({ locals }) => group?.every((name, other) => name === undefined || name === locals[other])) ?? mine[0])?.name;
      }),
    ),
  }));
  const inputs: Record<string, SkillInput> = {};
  for (const { name, locals } of all) {
    const input = merged(locals.flatMap((local, run) => (local === undefined ? [] : (each[run]?.inputs[local] ?? []))));
    if (input) inputs[name] = { ...input, description: name.replaceAll("-", " ") };
  }
  const values = each.map((run, at) =>
    Object.fromEntries(
      all.flatMap(({ name, locals }) => {
        const value = run.values[locals[at] ?? ""];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  );
  return { rows: here, inputs, values };
}
