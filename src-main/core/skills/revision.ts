import { stripInvisible } from "#base/invisible.ts";
import { canonicalJson } from "#base/json.ts";
import { badInput } from "#contract/errors.ts";
import { type Revision, type RevisionContent, revisionContentSchema, type SkillStep } from "#contract/skills/schema.ts";
import type { Digest } from "../ports/index.ts";
import { requireAuthor } from "./author.ts";
import { isStructured } from "./check-text.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { mapTexts } from "./placeholders.ts";
import { normalisePrecondition, preconditionEntries } from "./precondition.ts";
import { renderBody } from "./render-body.ts";

export interface RevisionOrigin {
  readonly skillId: string;
  readonly number: number;
  readonly author: string;
  readonly evidence: readonly string[];
  readonly createdAt: number;
  /** Only for a file that came with a text of its own; otherwise the body is rendered from the parts. */
  readonly body?: string;
}

/** Validates content, renders its body, hashes it and freezes the whole. Throws bad-input naming the field. */
export function makeRevision(content: RevisionContent, origin: RevisionOrigin, digest: Digest): Revision {
  const clean = cleanContent(content);
  const body = origin.body === undefined ? renderBody(clean) : stripInvisible(origin.body);
  return deepFreeze({
    ...clean,
    skillId: origin.skillId,
    number: origin.number,
    body,
    author: requireAuthor(origin.author),
    evidence: [...origin.evidence],
    createdAt: origin.createdAt,
    contentHash: contentHash(clean, digest, body),
  });
}

/** Content as it is stored: valid, preconditions normalised, no invisible characters. Throws bad-input naming the field. */
export function cleanContent(content: RevisionContent): RevisionContent {
  const parsed = revisionContentSchema.safeParse(content);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw badInput(`${issue?.path.join(".") || "content"}: ${issue?.message ?? "not valid"}`, { field: issue?.path.join(".") ?? "" });
  }
  const stripped = mapTexts(parsed.data, stripInvisible, stripInvisible);
  const preconditions = normalisePrecondition(stripped.preconditions);
  if (!preconditions.ok) throw badInput(preconditions.error.message, { field: preconditions.error.field });
  return { ...stripped, preconditions: preconditionEntries(preconditions.value) as RevisionContent["preconditions"] };
}

/**
 * Hash of what a revision does and says. Phrasings, bindings and examples are left out: they only teach recall and
 * binding, and a relearned procedure that differs in nothing else must count as unchanged (SPEC 3.5).
 */
export function contentHash(content: RevisionContent, digest: Digest, body?: string): string {
  const { phrasings: _phrasings, bindings: _bindings, inputs, ...said } = onlyContent(content);
  const properties = Object.fromEntries(Object.entries(inputs.properties).map(([name, { examples: _examples, ...input }]) => [name, input]));
  const own = body === undefined || body === renderBody(content) ? {} : { body };
  return digest(canonicalJson({ ...said, inputs: { ...inputs, properties }, ...own }));
}

/** The content of a revision, without number, author and the rest. */
export function onlyContent(revision: RevisionContent): RevisionContent {
  return {
    summary: revision.summary,
    whenToUse: revision.whenToUse,
    goal: revision.goal,
    phrasings: revision.phrasings,
    inputs: revision.inputs,
    bindings: revision.bindings,
    preconditions: revision.preconditions,
    antiPreconditions: revision.antiPreconditions,
    steps: revision.steps,
    edgeCases: revision.edgeCases,
    toolsRequired: revision.toolsRequired,
    capabilities: revision.capabilities,
  };
}

/** Every step has a call and a check the host can decide; only such a skill runs strictly. */
export function fullyMechanical(revision: { readonly steps: readonly Pick<SkillStep, "call" | "check">[] }): boolean {
  return revision.steps.length > 0 && revision.steps.every((step) => step.call !== undefined && isStructured(step.check));
}
