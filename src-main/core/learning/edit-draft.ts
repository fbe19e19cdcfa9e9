import { canonicalJson } from "#base/json.ts";
import { clip } from "#base/text.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft, Observation } from "#contract/learning/schema.ts";
import type { Capabilities, Check, RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { taskText } from "../skills/index.ts";
import { fixInput, openValue, renameInput, setDefault } from "./edit-inputs.ts";
import { onFail } from "./generalise.ts";
import { commonPairs } from "./sequence.ts";
import { verifiedDraft } from "./verify-draft.ts";
import { wordsBesideCalls } from "./words-beside-call.ts";

export interface DraftWorld {
  /** The day of the showing, for relative dates in values. */
  readonly now: Date;
  /** What these steps reach. */
  readonly reachOf: (steps: readonly SkillStep[]) => Capabilities;
}

/** What the edits work on. */
interface Editing {
  readonly name: string;
  readonly content: RevisionContent;
  readonly observed: readonly (Observation | null)[];
}

/**
 * The draft with these edits made, one after the other, verified as a whole and with its body rendered anew. The draft that was derived is left as it
 * is: the same edits on it always make the same draft.
 * @param base without edits
 * @throws bad-input that names the edit and the step where one cannot be made, and the step or input where what they make cannot be kept
 */
export function editDraft(base: Draft, edits: readonly DraftEdit[], world: DraftWorld): Draft {
  let editing: Editing = { name: base.name, content: base.content, observed: base.observed };
  for (const [index, edit] of edits.entries()) {
    try {
      editing = applied(editing, edit, world.now);
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
      throw badInput(edits.length === 1 ? error.message : `Edit ${index + 1}: ${error.message}`, { ...error.fields, edit: index + 1 });
    }
  }
  editing = { ...editing, content: retold(base.content, editing.content) };
  const draft = verifiedDraft({ ...base, ...editing, observed: [...editing.observed], edits: [...edits] }, world.reachOf);
  const { warnings, notes } = wordsBesideCalls(base.content.steps, draft.content.steps);
  return { ...draft, notes: [...draft.notes, ...notes], ...(warnings.length === 0 ? {} : { warnings }) };
}

/** What code told of the task follows its inputs; words of a person or a model stay. */
function retold(before: RevisionContent, content: RevisionContent): RevisionContent {
  const told = taskText(before.goal, before.inputs);
  const now = taskText(content.goal, content.inputs);
  return {
    ...content,
    ...(before.whenToUse === told && content.whenToUse === told ? { whenToUse: now } : {}),
    ...(before.summary === clip(told, 200) && content.summary === before.summary ? { summary: clip(now, 200) } : {}),
  };
}

function applied(editing: Editing, edit: DraftEdit, now: Date): Editing {
  const { content } = editing;
  switch (edit.edit) {
    case "say-step":
      return withStep(editing, edit.step, (step) => ({ ...step, do: edit.do }));
    case "drop-step":
      stepAt(content, edit.step);
      return {
        ...editing,
        content: { ...content, steps: content.steps.toSpliced(edit.step - 1, 1) },
        observed: editing.observed.toSpliced(edit.step - 1, 1),
      };
    case "fix-input":
      return { ...editing, content: fixInput(content, edit.input) };
    case "open-value":
      stepAt(content, edit.step);
      return { ...editing, content: openValue(content, edit, now) };
    case "rename-input":
      return { ...editing, content: renameInput(content, edit.input, edit.name), observed: renamedIn(editing.observed, edit.input, edit.name) };
    case "set-default":
      return { ...editing, content: setDefault(content, edit.input, edit.default, now) };
    case "look-for":
      return withStep(editing, edit.step, (step) => lookFor(step, edit));
    case "drop-check":
      return withStep(editing, edit.step, ({ check: _check, ...step }) => step);
    case "choose-entry":
      return chooseEntry(editing, edit.step, edit.entry);
    case "rewrite":
      return { name: edit.name, content: edit.content, observed: carried(editing, edit.content.steps) };
  }
}

function stepAt({ steps }: RevisionContent, number: number): SkillStep {
  const step = steps[number - 1];
  if (!step) throw badInput(`There is no step ${number}; the draft has ${steps.length === 0 ? "none" : `1 to ${steps.length}`}`, { step: number });
  return step;
}

function withStep(editing: Editing, number: number, change: (step: SkillStep) => SkillStep): Editing {
  const changed = change(stepAt(editing.content, number));
  return { ...editing, content: { ...editing.content, steps: editing.content.steps.with(number - 1, changed) } };
}

/** One part of a page check set or taken out; a check of a file or of a field is dropped first, since it is no part of a page. */
function lookFor(step: SkillStep, { step: number, part, value }: Extract<DraftEdit, { edit: "look-for" }>): SkillStep {
  const { check, ...rest } = step;
  if (check !== undefined && !("page" in check))
    throw badInput(`Step ${number} does not look at the page but at ${"file" in check ? "a file" : "the field"}; drop that check first`, { step: number });
  const page: Extract<Check, { page: unknown }>["page"] = { ...check?.page };
  delete page[part];
  // An address that may be any says nothing beside something that is looked for.
  if (value !== null && page.url === "*") delete page.url;
  if (value !== null) page[part] = value;
  return Object.keys(page).length === 0 ? rest : { ...rest, check: { page } };
}

/** The step is carried out by naming the entry; no value of a secret is in it. */
function chooseEntry(editing: Editing, number: number, entry: string): Editing {
  const step = stepAt(editing.content, number);
  const field = editing.observed[number - 1]?.secretField ?? null;
  if (field === null) throw badInput(`Nothing secret was typed at step ${number}, so it takes no vault entry`, { step: number });
  const changed: SkillStep = {
    do: `Fill in "${field}" from the vault entry "${entry}"`,
    call: { tool: "browser_login", args: { entry } },
    ...(step.check === undefined ? {} : { check: step.check }),
    onFail,
  };
  return withStep(editing, number, () => changed);
}

/** What was seen after steps that a person wrote anew: that of the step that says or does the same. */
function carried({ content, observed }: Editing, steps: readonly SkillStep[]): (Observation | null)[] {
  const keyOf = (step: SkillStep): string => (step.call === undefined ? `say ${step.do}` : canonicalJson(step.call));
  const before = new Map(commonPairs(content.steps.map(keyOf), steps.map(keyOf)).map(([old, now]) => [now, old]));
  return steps.map((_step, index) => observed[before.get(index) ?? -1] ?? null);
}

function renamedIn(observed: readonly (Observation | null)[], input: string, name: string): (Observation | null)[] {
  const write = (text: string): string => text.replaceAll(new RegExp(`\\{\\{\\s*${input}\\s*(?=\\||\\}\\})`, "gu"), `{{${name}`);
  return observed.map((one) => one && { ...one, heading: write(one.heading), url: write(one.url), lines: one.lines.map(write) });
}
