import { badInput } from "#contract/errors.ts";
import type { DraftEdit, DraftPlace } from "#contract/learning/draft-edit.ts";
import type { RevisionContent, SkillInput, SkillStep, Target, ValueKind } from "#contract/skills/schema.ts";
import { callTarget, fill, findPlaceholders, mapTexts } from "../skills/index.ts";
import { findValues, literalIn, plainNumber, readCanonicalDate, renderValue, toTemplate } from "../skills/values/index.ts";
import { describeCall } from "./describe-call.ts";

function inputNamed({ inputs }: RevisionContent, name: string): SkillInput {
  const input = Object.hasOwn(inputs.properties, name) ? inputs.properties[name] : undefined;
  if (!input) throw badInput(`There is no input "${name}"; the draft has: ${Object.keys(inputs.properties).join(", ") || "none"}`, { input: name });
  return input;
}

function requireNewName({ inputs }: RevisionContent, name: string): void {
  if (Object.hasOwn(inputs.properties, name)) throw badInput(`There is an input "${name}" already; take another name`, { input: name });
}

/** The value of an input when it was shown, in the one form it is kept in. */
function shownValue(content: RevisionContent, name: string): string | undefined {
  const input = inputNamed(content, name);
  return content.bindings.find(({ inputs }) => inputs[name] !== undefined)?.inputs[name] ?? input.default ?? input.examples[0];
}

function withoutInput(content: RevisionContent, name: string): RevisionContent {
  const { [name]: _gone, ...properties } = content.inputs.properties;
  return {
    ...content,
    inputs: { ...content.inputs, properties, required: content.inputs.required.filter((one) => one !== name) },
    bindings: content.bindings.map(({ goal, inputs: { [name]: _value, ...inputs } }) => ({ goal, inputs })),
  };
}

/** The input becomes the constant it was when it was shown. */
export function fixInput(content: RevisionContent, name: string): RevisionContent {
  const { kind } = inputNamed(content, name);
  const value = shownValue(content, name);
  if (value === undefined)
    throw badInput(`Nothing says what "${name}" was when it was shown; leave it an input, or drop the steps that use it`, { input: name });
  const write = (text: string): string => fill(text, (input, form) => (input === name ? (renderValue(value, kind, form) ?? value) : undefined));
  return withoutInput({ ...content, steps: mapTexts(content.steps, write) }, name);
}

/** The same input under another name, wherever it stands. */
export function renameInput(content: RevisionContent, from: string, to: string): RevisionContent {
  inputNamed(content, from);
  if (from === to) return content;
  requireNewName(content, to);
  const rename = (name: string): string => (name === from ? to : name);
  const write = (text: string): string => fill(text, (name, form) => (name === from ? `{{${to}${form === undefined ? "" : `|${form}`}}}` : undefined));
  const renamed = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [rename(name), value]));
  const properties = renamed(content.inputs.properties);
  const input = properties[to] as SkillInput;
  if (input.description === from.replaceAll("-", " ")) properties[to] = { ...input, description: to.replaceAll("-", " ") };
  return {
    ...content,
    steps: mapTexts(content.steps, write),
    inputs: { ...content.inputs, properties, required: content.inputs.required.map(rename) },
    bindings: content.bindings.map(({ goal, inputs }) => ({ goal, inputs: renamed(inputs) })),
  };
}

/** With a default the input is optional, without one it is asked for. */
export function setDefault(content: RevisionContent, name: string, value: string | null, now: Date): RevisionContent {
  const { default: _before, ...input } = inputNamed(content, name);
  const others = content.inputs.required.filter((one) => one !== name);
  const changed: SkillInput = value === null ? input : { ...input, default: canonicalOf(value, input.kind, now, name) };
  const order = Object.keys(content.inputs.properties);
  const required = value === null ? [...others, name].sort((a, b) => order.indexOf(a) - order.indexOf(b)) : others;
  return { ...content, inputs: { ...content.inputs, properties: { ...content.inputs.properties, [name]: changed }, required } };
}

/** A value in the one form its kind is kept in. Throws bad-input naming the input. */
function canonicalOf(text: string, kind: ValueKind, now: Date, name: string): string {
  if (kind === "text" || kind === "id" || kind === "email" || kind === "site") return text.trim();
  if ((kind === "date" || kind === "month") && readCanonicalDate(text)) return text;
  const found = findValues(text, now).find((value) => value.kind === kind && value.text.trim() === text.trim())?.canonical;
  const canonical = found ?? (kind === "number" || kind === "amount" ? plainNumber(text) || undefined : undefined);
  if (canonical === undefined) throw badInput(`"${text}" is no ${kind} for the input "${name}"`, { input: name });
  return canonical;
}

const placeWords: Readonly<Record<DraftPlace, string>> = {
  name: "names no control",
  within: "names no row",
  value: "types and chooses nothing",
  url: "opens no address",
};

function textAt(step: SkillStep, place: DraftPlace): string | undefined {
  const target = callTarget(step.call);
  const { text, option, url } = step.call?.args ?? {};
  const read = { name: target?.name, within: target?.within, value: text ?? option, url }[place];
  return typeof read === "string" && read !== "" ? read : undefined;
}

function withTextAt(step: SkillStep, place: DraftPlace, text: string): SkillStep {
  if (!step.call) return step;
  const { args } = step.call;
  const target = callTarget(step.call);
  const changed =
    place === "value" ? { ["text" in args ? "text" : "option"]: text } : place === "url" ? { url: text } : { target: { ...(target as Target), [place]: text } };
  const call = { ...step.call, args: { ...args, ...changed } };
  return { ...step, call, do: step.do === describeCall(step.call) ? describeCall(call) : step.do };
}

/** A shorter value would stand in many texts by chance. */
const tellingLength = 4;

/**
 * A constant of a step becomes an input: there, and in what is looked for from there on. The goal it was shown with did not name it, so what was shown
 * is its default until somebody says otherwise.
 */
export function openValue(content: RevisionContent, edit: Extract<DraftEdit, { edit: "open-value" }>, now: Date): RevisionContent {
  const { step: number, place, name, kind } = edit;
  requireNewName(content, name);
  const at = number - 1;
  const step = content.steps[at] as SkillStep;
  const there = textAt(step, place);
  if (there === undefined) throw badInput(`Step ${number} ${placeWords[place]}, so there is no value to make an input of`, { step: number });
  const text = edit.text ?? there;
  const canonical = canonicalOf(text, kind, now, name);
  const value = { name, kind, canonical };
  const written = toTemplate(text, [value]);
  const mark = findPlaceholders(written)[0];
  if (mark?.start !== 0 || mark.end !== written.length) throw badInput(`"${text}" at step ${number} is no ${kind}`, { step: number });
  const exact = there.indexOf(text);
  const found = exact >= 0 ? { start: exact, end: exact + text.length } : literalIn(there, text);
  if (!found) throw badInput(`Step ${number} does not say "${text}" there but "${there}"`, { step: number });
  const template = there.slice(0, found.start) + written + there.slice(found.end);
  const inCheck = (one: SkillStep): SkillStep => (one.check === undefined ? one : { ...one, check: mapTexts(one.check, (said) => toTemplate(said, [value])) });
  const steps = content.steps.map((one, index) => {
    if (index === at) return inCheck(withTextAt(one, place, template));
    return index > at && text.length >= tellingLength && (one.check === undefined || !("result" in one.check)) ? inCheck(one) : one;
  });
  const input: SkillInput = { type: "string", kind, description: name.replaceAll("-", " "), examples: [text], default: canonical };
  return { ...content, steps, inputs: { ...content.inputs, properties: { ...content.inputs.properties, [name]: input } } };
}
