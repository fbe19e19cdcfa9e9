import { clip } from "#base/text.ts";
import type { Check, SkillStep } from "#contract/skills/schema.ts";
import { callTarget, isChoiceRole, withoutForms } from "../skills/index.ts";
import { describeCall } from "./describe-call.ts";
import { mergeCalls } from "./merge-calls.ts";
import { isPlainCall } from "./plain-call.ts";

type Enough = (count: number) => boolean;

/** The text all runs have, or the template most have; undefined where it differs and most goals do not name it. */
function agreed(texts: readonly string[], enough: Enough): string | undefined {
  const distinct = new Set(texts.filter((text) => text !== "").map(withoutForms));
  if (distinct.size <= 1) return texts.find((text) => text !== "") ?? "";
  const templated = [
    ...Map.groupBy(
      texts.filter((text) => text.includes("{{")),
      withoutForms,
    ).values(),
  ].sort((a, b) => b.length - a.length)[0];
  return templated && enough(templated.length) ? templated[0] : undefined;
}

function listed(seen: readonly string[]): string {
  return [...new Set(seen.filter((text) => text !== ""))]
    .slice(0, 5)
    .map((text) => clip(text, 60))
    .join(", ");
}

/** What someone has to decide where the runs differ in something that the goals do not say. */
function question(step: SkillStep, place: string, seen: readonly string[]): string {
  const target = callTarget(step.call);
  if (place === "value") return `Decide what belongs in ${target?.name ?? "the field"}`;
  if (place === "within") return `Decide in which row to press ${target?.name ?? ""} (${listed(seen)})`;
  if (place === "url") return `Decide which address to open (${listed(seen)})`;
  return `Decide which to ${isChoiceRole(target?.role ?? "") ? "pick" : "press"} (${listed(seen)})`;
}

const placesOf = {
  name: (step: SkillStep) => callTarget(step.call)?.name ?? "",
  within: (step: SkillStep) => callTarget(step.call)?.within ?? "",
  value: (step: SkillStep) => String(step.call?.args.text ?? step.call?.args.option ?? ""),
  url: (step: SkillStep) => String(step.call?.args.url ?? "").replace(/\/$/u, ""),
};

/**
 * One step out of the same step of every run. What differs is an input where most goals name it; else the step loses its call: it needs judgement
 * (IND-07), and a note says so.
 * @param seen the same steps as they were, with the values of their runs
 * @param enough whether so many of the runs are most of them
 */
export function mergeSteps(same: readonly SkillStep[], seen: readonly SkillStep[], enough: Enough, notes: string[]): SkillStep {
  const [first] = same;
  if (!first) throw new RangeError("a row without steps");
  if (isPlainCall(first.call)) return mergeCalls(same, seen, enough, notes);
  const texts: Record<string, string> = {};
  for (const [place, read] of Object.entries(placesOf)) {
    const text = agreed(same.map(read), enough);
    if (text === undefined) {
      const field = callTarget(first.call)?.name;
      notes.push(`${place === "value" ? `"${field}" had ` : ""}${listed(seen.map(read))}, which not every goal names: it needs judgement.`);
      return { do: question(first, place, seen.map(read)), onFail: first.onFail };
    }
    texts[place] = text;
  }
  const { check: _check, ...rest } = withTexts(first, texts);
  const check = mergedCheck(same, rest.call?.args);
  return check ? { ...rest, check } : rest;
}

/** The step with the agreed texts in its call. */
function withTexts(step: SkillStep, { name = "", within = "", value = "" }: Record<string, string>): SkillStep {
  if (!step.call) return step;
  const args: Record<string, unknown> = { ...step.call.args };
  const target = callTarget(step.call);
  if (target) args.target = { role: target.role, name, ...(within === "" ? {} : { within }) };
  if ("text" in args) args.text = value;
  if ("option" in args) args.option = value;
  const call = { ...step.call, args };
  return { ...step, call, do: step.repeatUntilNext ? step.do : describeCall(call) };
}

/** What was not seen after every run is no check: a heading that differs says nothing. */
function mergedCheck(same: readonly SkillStep[], args: Record<string, unknown> | undefined): Check | undefined {
  const own = same[0]?.check;
  if (!own) return undefined;
  if ("result" in own) return { result: { equals: String(args?.text ?? args?.option ?? "") } };
  if ("file" in own) {
    const files = same.map(({ check }) => (check && "file" in check ? check.file.exists : ""));
    return new Set(files.map(withoutForms)).size > 1 ? { file: { exists: "*" } } : own;
  }
  if (!("page" in own)) return own;
  const checks = same.flatMap(({ check }) => (check && "page" in check ? [check.page] : []));
  const page: { heading?: string; url?: string; text?: string } = {};
  for (const field of ["heading", "url", "text"] as const) {
    const text = own.page[field];
    if (text === undefined) continue;
    if (checks.every((check) => check[field] !== undefined && withoutForms(check[field]) === withoutForms(text))) page[field] = text;
    else if (field === "url") {
      const url = anyUrl(checks.map((check) => check.url ?? ""));
      if (url !== "") page.url = url;
    }
  }
  return { page: Object.keys(page).length > 0 ? page : { url: "*" } };
}

/** Segments all addresses share, `*` for the others; "" when their lengths differ. */
function anyUrl(urls: readonly string[]): string {
  const split = urls.map((url) => url.split("/"));
  const length = split[0]?.length ?? 0;
  if (split.some((parts) => parts.length !== length)) return "";
  return (split[0] ?? []).map((part, index) => (split.every((parts) => parts[index] === part) ? part : "*")).join("/");
}
