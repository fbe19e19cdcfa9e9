import { canonicalJson } from "#base/json.ts";
import { ok } from "#base/result.ts";
import { squash } from "#base/text.ts";
import { badInput } from "#contract/errors.ts";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft } from "#contract/learning/schema.ts";
import { valueKindSchema } from "#contract/skills/schema.ts";
import { cleanContent, emitSkillFile, parseSkillFile, readBody, renderBody } from "#core/skills/index.ts";

/** What may be changed, said where it is changed. */
const guide = [
  "A draft of a skill. Nothing of it is kept until you say so; what cannot be read is refused with its line, and the draft stays as it is.",
  "Yours to change: the name, and everything below the front matter. What is not mentioned here is written anew from that.",
  '- The title is the goal; "When to use" is what the skill is recalled by and listed with.',
  "- Inputs: - `name` (kind, required): what it is. Or (kind, optional, otherwise 'value'). The kinds are",
  `  ${valueKindSchema.options.join(", ")}. {{name}} stands for its value in a step; an input no step uses is left out.`,
  '- "Before you start" and "Do not use if": one condition a line. "Edge cases": one a line.',
  "- Steps: the words after the number are for people and the model. What is done is the line Call alone: change both, or they contradict",
  "  each other. A step without a Call, or without a Check that code can decide, needs the model. Delete a step with all its lines.",
  "- Check: heading 'A' and address 'B' and 'C' on the page and no 'D' on the page, or parts of it; a file 'A'; a file 'A' with 'B' in it;",
  "  result 'A'; needs judgement. Other words are for the model to judge. * stands for anything.",
  "- If it fails: what is done and said then.",
  "metadata holds the same as JSON, with what the text does not show (rows of controls, examples). Change the text or the metadata, not both.",
];

/** A draft as a SKILL.md, to be changed in an editor; its head says what may be. */
export function draftFile(draft: Draft): { readonly name: string; readonly text: string } {
  const warned = (draft.warnings ?? []).map((warning) => `Warning: ${asciiLine(warning)}`);
  return { name: draft.name, text: emitSkillFile({ name: draft.name, content: draft.content, comments: [...guide, ...warned] }) };
}

/** A comment is one line of ASCII, and holds nothing that would end the front matter for some readers. */
function asciiLine(text: string): string {
  return squash(text)
    .replace(/[^\x20-\x7e]/gu, "?")
    .replaceAll("---", "- - -");
}

/**
 * The edit that a changed file of this draft comes to; null where it says the same. The text below the front matter may be changed, or the structure in
 * its metadata; where both were and say different things nobody could tell which was meant. Throws bad-input with what cannot be read.
 */
export function readDraftFile(draft: Draft, text: string): DraftEdit | null {
  const { skill, diagnostics } = parseSkillFile(text);
  const wrong = diagnostics.find(({ severity }) => severity === "error");
  if (skill === null || wrong) throw badInput(wrong?.message ?? "The file could not be read; the draft is as it was.");
  const unread = diagnostics.find(({ code }) => code === "metadata-unread");
  if (unread) throw badInput(`${unread.message} Write the draft to a file again and change that one.`);
  const structure = cleanContent(skill.content);
  const body = (skill.body ?? renderBody(structure)).trim();
  // The description is written from "When to use": a change of it would be lost without a word.
  const descriptionIn = (file: string): string | undefined => /^description:[ \t]*["']?(.*?)["']?\s*$/mu.exec(file)?.[1];
  const isDescribed = descriptionIn(text) === undefined || descriptionIn(text) === descriptionIn(draftFile(draft).text);
  const isTextChanged = body !== renderBody(draft.content).trim();
  const isStructureChanged = canonicalJson(structure) !== canonicalJson(cleanContent(draft.content));
  if (!isDescribed) throw badInput('The description is written from "When to use"; change that part of the text instead. The draft is as it was.');
  if (!isTextChanged && !isStructureChanged && skill.name === draft.name) return null;
  if (isStructureChanged && isTextChanged && body !== renderBody(structure).trim())
    throw badInput("Both the text of the file and the structure in its metadata were changed, and they say different things; change one of them.");
  const read = isStructureChanged ? ok(structure) : readBody(draft.content, body);
  if (!read.ok) throw badInput(`${read.error}. The draft is as it was.`);
  return { edit: "rewrite", name: skill.name, content: cleanContent(read.value) };
}
