import { fail, ok, type Result } from "#base/result.ts";
import { fold } from "#base/text.ts";
import type { SkillInput, SkillStep, Target } from "#contract/skills/schema.ts";
import { fill, isPager } from "../skills/index.ts";
import { renderValue } from "../skills/values/index.ts";
import { isChoiceRole } from "./choice-role.ts";
import type { LearnableEpisode } from "./collect.ts";
import { type Generalised, generalise } from "./generalise.ts";
import { commonPairs } from "./sequence.ts";
import { tidyShowing } from "./tidy-showing.ts";

/** What several successful runs have in common, with the goal → inputs pair of each. */
export interface Aligned extends Generalised {
  readonly bindings: { readonly goal: string; readonly inputs: Record<string, string> }[];
}

function targetOf(step: SkillStep): Target | undefined {
  return step.call?.args.target as Target | undefined;
}

function bare(text: string): string {
  return fold(text.replace(/\|[^}]*\}\}/gu, "}}"));
}

/** Steps are the same when tool and target are, values and their forms aside. */
function key(step: SkillStep): string {
  const target = targetOf(step);
  if (!step.call) return "judge";
  return [
    step.call.tool,
    target?.role ?? "",
    bare(target?.name ?? ""),
    target?.within?.includes("{{") ? bare(target.within) : "",
    step.call.tool === "browser_open" ? String(step.call.args.url) : "",
    String(step.call.args.key ?? ""),
  ].join(" ");
}

function isFieldStep(step: SkillStep): boolean {
  return step.call?.tool === "browser_fill" || step.call?.tool === "browser_select";
}

function isPagerStep(step: SkillStep): boolean {
  return step.call?.tool === "browser_click" && isPager(targetOf(step)?.name ?? "");
}

/** Fields of one form may be filled in any order: runs of field steps are put in the order the first run had. */
function ordered(steps: readonly SkillStep[], like: readonly SkillStep[]): SkillStep[] {
  const rank = new Map(like.map((step, index) => [key(step), index]));
  const out: SkillStep[] = [];
  for (let index = 0; index < steps.length; ) {
    let end = index;
    while (end < steps.length && isFieldStep(steps[end] as SkillStep)) end++;
    if (end === index) {
      out.push(steps[index] as SkillStep);
      index++;
      continue;
    }
    out.push(...steps.slice(index, end).sort((a, b) => (rank.get(key(a)) ?? 1e9) - (rank.get(key(b)) ?? 1e9)));
    index = end;
  }
  return out;
}

/** The step with the name its target has on the page, in place of the values of the run. */
function asOnPage(run: Generalised, step: SkillStep): SkillStep {
  const target = targetOf(step);
  if (!step.call || !target?.name.includes("{{")) return step;
  const write = (text: string): string =>
    fill(text, (name, form) => {
      const value = run.values[name];
      return value === undefined ? undefined : renderValue(value, run.inputs[name]?.kind ?? "text", form);
    });
  return { ...step, do: write(step.do), call: { ...step.call, args: { ...step.call.args, target: { ...target, name: write(target.name) } } } };
}

/**
 * A name that one goal happens to speak of ("Download the attachment of …") is no value where another run pressed the same control though its goal
 * does not ("Get me the file …"): it is written back as it stands on the page.
 */
function constantNames(each: readonly Generalised[]): Generalised[] {
  const constant = new Set(each.flatMap(({ steps }) => steps.filter((step) => !targetOf(step)?.name.includes("{{")).map(key)));
  return each.map((run) => ({
    ...run,
    steps: run.steps.map((step) => {
      const written = asOnPage(run, step);
      return constant.has(key(written)) ? written : step;
    }),
  }));
}

/**
 * One of several is picked in every run, and not the same one: where most goals name theirs it is an input, else it needs judgement, as with a
 * field that is filled (IND-07). Runs that picked unlike many have nothing that could be held against each other and stay as they are.
 */
function alikePicks(each: readonly Generalised[]): { runs: Generalised[]; notes: string[] } {
  const isPick = (step: SkillStep): boolean => step.call?.tool === "browser_click" && isChoiceRole(targetOf(step)?.role ?? "");
  const inAll = (step: SkillStep): boolean => each.every((run) => run.steps.some((other) => key(other) === key(step)));
  const picks = each.map((run) => run.steps.filter((step) => isPick(step) && !inAll(step)));
  const count = picks[0]?.length ?? 0;
  if (picks.some((ofRun) => ofRun.length !== count)) return { runs: [...each], notes: [] };
  const notes: string[] = [];
  const instead = new Map<SkillStep, SkillStep>();
  for (let index = 0; index < count; index++) {
    const same = picks.map((ofRun) => ofRun[index] as SkillStep);
    if (new Set(same.map((step, of) => key(asOnPage(each[of] as Generalised, step)))).size === 1) continue;
    const named = same.filter((step) => targetOf(step)?.name.includes("{{"));
    const [best] = [...Map.groupBy(named, key).values()].sort((a, b) => b.length - a.length);
    if (best?.[0] && best.length * 2 > same.length) for (const step of same) instead.set(step, { ...best[0], ...(step.check ? { check: step.check } : {}) });
    else {
      const picked = [...new Set(same.map((step) => targetOf(step)?.name ?? ""))].join(", ");
      notes.push(`${picked} were picked, which not every goal names: it needs judgement.`);
      for (const step of same) instead.set(step, { do: `Decide which to pick (${picked})`, onFail: step.onFail });
    }
  }
  return { runs: each.map((run) => ({ ...run, steps: run.steps.map((step) => instead.get(step) ?? step) })), notes };
}

/**
 * Steps present in every run, in order. Values that the goals name are inputs already; an argument that differs without being one costs the
 * step its call (IND-07). A pager pressed a different number of times becomes one repeat step (IND-17). Detours drop out (IND-04).
 */
export function align(runs: readonly LearnableEpisode[], now: Date): Result<Aligned> {
  const { runs: picked, notes } = alikePicks(runs.map((run) => generalise(run.episode.goal, tidyShowing(run.actions).kept, now)));
  const each = constantNames(picked);
  const [first, ...others] = each;
  if (!first) return fail("no successful run");
  const pagers: { before: string; step: SkillStep }[] = [];
  const withoutPagers = each.map((run) => {
    const kept: SkillStep[] = [];
    let held: SkillStep | null = null;
    for (const step of run.steps) {
      if (isPagerStep(step)) {
        held = step;
        continue;
      }
      if (held) pagers.push({ before: key(step), step: held });
      held = null;
      kept.push(step);
    }
    return kept;
  });
  let common = withoutPagers[0] ?? [];
  const reference = common;
  const sequences = withoutPagers.map((steps) => ordered(steps, reference));
  for (const steps of sequences.slice(1)) {
    const pairs = commonPairs(common.map(key), steps.map(key));
    common = pairs.map(([index]) => common[index] as SkillStep);
  }
  const effects = sequences.map((steps) => steps.findLast((step) => step.call !== undefined));
  const lastKeys = new Set(effects.map((step) => (step ? key(step) : "")));
  const share = common.length / Math.max(1, ...sequences.map((steps) => steps.length));
  if (common.length < 2 || lastKeys.size > 1 || share < 0.5) return fail("NO_COMMON_PROCEDURE");

  const matching = (step: SkillStep): SkillStep[] => sequences.flatMap((steps) => steps.filter((other) => key(other) === key(step)).slice(0, 1));
  const steps: SkillStep[] = [];
  for (const step of common) {
    const pager = pagers.find((entry) => entry.before === key(step));
    if (pager) steps.push({ ...pager.step, repeatUntilNext: true, do: `Press ${targetOf(pager.step)?.name ?? ""} until the next target is there` });
    steps.push(merge(step, matching(step), notes));
  }
  const inputs: Record<string, SkillInput> = {};
  const used = JSON.stringify(steps);
  for (const run of each) {
    for (const [name, input] of Object.entries(run.inputs)) {
      if (!new RegExp(`\\{\\{${name}(?:\\||\\}\\})`, "u").test(used)) continue;
      const there = inputs[name];
      if (!there) inputs[name] = input;
      else {
        const { default: _default, ...rest } = there;
        const differs = there.default !== undefined && (input.default === undefined || fold(input.default) !== fold(there.default));
        inputs[name] = { ...(differs ? rest : there), examples: [...new Set([...there.examples, ...input.examples])].slice(0, 5) };
      }
    }
  }
  return ok({
    steps,
    inputs,
    required: Object.keys(inputs).filter((name) => inputs[name]?.default === undefined),
    values: first.values,
    notes: [...notes, ...first.notes],
    origins: [...new Set([first, ...others].flatMap((run) => run.origins))],
    bindings: runs.map((run, index) => ({
      goal: run.episode.goal,
      inputs: Object.fromEntries(Object.entries(each[index]?.values ?? {}).filter(([name]) => inputs[name])),
    })),
  });
}

/** One step out of the same step of every run. */
function merge(step: SkillStep, same: readonly SkillStep[], notes: string[]): SkillStep {
  const argument = step.call?.tool === "browser_fill" ? "text" : step.call?.tool === "browser_select" ? "option" : null;
  let merged = step;
  if (argument && step.call) {
    const written = same.map((other) => String(other.call?.args[argument] ?? ""));
    const templated = written.filter((text) => text.includes("{{"));
    const distinct = new Set(written.map(bare));
    if (distinct.size > 1) {
      const [best] = [...Map.groupBy(templated, bare).values()].sort((a, b) => b.length - a.length);
      if (best?.[0] !== undefined && best.length * 2 > written.length) {
        merged = {
          ...step,
          call: { ...step.call, args: { ...step.call.args, [argument]: best[0] } },
          check: { result: { equals: best[0] } },
          do: step.do.replace(written[0] ?? "", best[0]),
        };
      } else {
        notes.push(`"${(step.call.args.target as Target).name}" had ${[...distinct].join(", ")}, which no goal names: it needs judgement.`);
        return { do: `Decide what belongs in ${(step.call.args.target as Target).name}`, onFail: step.onFail };
      }
    }
  }
  // What was not seen after every run is no check: a heading that differs says nothing.
  const checks = same.map((other) => (other.check && "page" in other.check ? other.check.page : undefined)).filter((page) => page !== undefined);
  if (merged.check && "page" in merged.check && checks.length > 0) {
    const page: Record<string, string> = {};
    for (const field of ["heading", "url", "text"] as const) {
      const own = merged.check.page[field];
      if (own === undefined) continue;
      if (checks.every((check) => check[field] !== undefined && bare(check[field]) === bare(own))) page[field] = own;
      else if (field === "url") page[field] = anyUrl(checks.map((check) => check.url ?? ""));
    }
    if (page.url === "") delete page.url;
    const { check: _check, ...rest } = merged;
    merged = Object.keys(page).length > 0 ? { ...rest, check: { page } } : { ...rest, check: { page: { url: "*" } } };
  }
  const files = same.map((other) => (other.check && "file" in other.check ? other.check.file.exists : undefined));
  if (merged.check && "file" in merged.check && new Set(files.map((file) => bare(file ?? ""))).size > 1)
    merged = { ...merged, check: { file: { exists: "*" } } };
  return merged;
}

/** Segments all addresses share, `*` for the others; "" when their lengths differ. */
function anyUrl(urls: readonly string[]): string {
  const split = urls.map((url) => url.split("/"));
  const length = split[0]?.length ?? 0;
  if (split.some((parts) => parts.length !== length)) return "";
  return (split[0] ?? []).map((part, index) => (split.every((parts) => parts[index] === part) ? part : "*")).join("/");
}
