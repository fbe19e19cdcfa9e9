import { canonicalJson } from "#base/json.ts";
import { ok } from "#base/result.ts";
import { badInput } from "#contract/errors.ts";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft } from "#contract/learning/schema.ts";
import { cleanContent, emitSkillFile, parseSkillFile, readBody, renderBody } from "#core/skills/index.ts";

/** A draft as a SKILL.md, to be changed in an editor. */
export function draftFile(draft: Draft): { readonly name: string; readonly text: string } {
  return { name: draft.name, text: emitSkillFile({ name: draft.name, content: draft.content }) };
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
  const isTextChanged = body !== renderBody(draft.content).trim();
  const isStructureChanged = canonicalJson(structure) !== canonicalJson(cleanContent(draft.content));
  if (!isTextChanged && !isStructureChanged && skill.name === draft.name) return null;
  if (isStructureChanged && isTextChanged && body !== renderBody(structure).trim())
    throw badInput("Both the text of the file and the structure in its metadata were changed, and they say different things; change one of them.");
  const read = isStructureChanged ? ok(structure) : readBody(draft.content, body);
  if (!read.ok) throw badInput(`${read.error}. The draft is as it was.`);
  return { edit: "rewrite", name: skill.name, content: cleanContent(read.value) };
}
