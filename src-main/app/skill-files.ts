import { KnackError } from "#contract/errors.ts";
import type { ExportedSkill, FileCheck, FileText, ImportResult, Skill, SkillFile } from "#contract/skills/schema.ts";
import {
  emitSkillFile,
  folderOf,
  isSkillName,
  isUsable,
  makeRevision,
  nameTaken,
  newSkill,
  onlyContent,
  type ParsedSkill,
  parseSkillFile,
  validateSkillFile,
} from "#core/skills/index.ts";
import { ledgerRow, type SkillWorld, setStatus, skillNamed } from "./skills.ts";

const options = (path: string): { folder?: string } => {
  const folder = folderOf(path);
  return folder === undefined ? {} : { folder };
};

/**
 * Stores what can be read, each file for itself and all in one transaction, so that many are as quick as one. No model is asked: what is imported is
 * disabled, and made findable when it is switched on.
 */
export function importSkills(world: SkillWorld, files: readonly FileText[], actor: string): ImportResult[] {
  return world.stores.transaction(() => files.map((file) => importOne(world, file, actor)));
}

function importOne(world: SkillWorld, { path, text }: FileText, actor: string): ImportResult {
  const { skill: parsed, diagnostics } = parseSkillFile(text, options(path));
  const result = (outcome: ImportResult["outcome"], reason: string, skill: Skill | null): ImportResult => ({
    path,
    outcome,
    name: parsed?.name ?? null,
    skillId: skill?.id ?? null,
    reason,
    diagnostics,
  });
  if (parsed === null) return result("refused", diagnostics.find(({ severity }) => severity === "error")?.message ?? "The file could not be read.", null);
  const digest = world.digest(text);
  const holder = world.stores.skills.byName(parsed.name);
  if (holder !== undefined && isFrom(world, holder, digest)) return result("unchanged", `"${holder.name}" was imported with this very text already`, holder);
  try {
    if (holder !== undefined && isOfFile(world, holder, path)) {
      const number = world.stores.transaction(() => storeEdited(world, holder, parsed, actor, { path, digest, diagnostics }));
      if (number === null) return result("unchanged", `"${holder.name}" says the same already`, holder);
      const before = holder.activeRevision;
      return result("imported", `revision ${number}, disabled; see what it changes with: knack skills diff ${holder.name} ${before} ${number}`, holder);
    }
    if (holder !== undefined) throw nameTaken(parsed.name, holder);
    const skill = world.stores.transaction(() => storeImported(world, parsed, actor, { path, digest, diagnostics }));
    return result("imported", `disabled; switch it on with: knack skills enable ${skill.name}`, skill);
  } catch (error) {
    if (error instanceof KnackError && /^(?:bad-input|skill\.)/u.test(error.code)) return result("refused", error.message, null);
    throw error;
  }
}

/** Whether one of its revisions was imported from a file with these bytes. */
function isFrom(world: SkillWorld, skill: Skill, digest: string): boolean {
  return world.stores.skills
    .revisions(skill.id)
    .some(({ author, number }) => author === "imported" && world.stores.skillFiles.of(skill.id, number)?.digest === digest);
}

/** A skill that came as this file, and was changed by nothing else since, is changed by it; another file of the same name is another skill. */
function isOfFile(world: SkillWorld, skill: Skill, path: string): boolean {
  const revisions = world.stores.skills.revisions(skill.id);
  const last = world.stores.skillFiles.of(skill.id, revisions.length);
  return last?.path === path && revisions.every(({ author }) => author === "imported");
}

/** The file as it is now, as the next revision. What comes from elsewhere lands switched off each time; null where it says the same. */
function storeEdited(
  world: SkillWorld,
  skill: Skill,
  parsed: ParsedSkill,
  actor: string,
  from: Pick<ImportResult, "path" | "diagnostics"> & { readonly digest: string },
): number | null {
  const { skills, skillFiles, vectors } = world.stores;
  const revisions = skills.revisions(skill.id);
  const active = revisions.find(({ number }) => number === skill.activeRevision);
  const number = revisions.length + 1;
  const origin = { skillId: skill.id, number, author: "imported", evidence: [], createdAt: world.clock() };
  const made = makeRevision(parsed.content, { ...origin, ...(parsed.body === undefined ? {} : { body: parsed.body }) }, world.digest);
  if (active !== undefined && made.contentHash === active.contentHash && made.body === active.body) return null;
  const change = { action: "modify", actor, reason: `imported from ${from.path}`, before: active?.contentHash ?? null, after: made.contentHash };
  skills.addRevision(made, ledgerRow(world, skill.id, { ...change, beforeRevision: skill.activeRevision, afterRevision: number }), world.clock());
  skillFiles.put({ skillId: skill.id, revision: number, extra: parsed.extra, ...from });
  vectors.remove(skill.id);
  if (isUsable(skill.status)) setStatus(world, skill.id, "disabled", actor, "its file was imported again");
  return number;
}

function storeImported(
  world: SkillWorld,
  parsed: ParsedSkill,
  actor: string,
  from: Pick<ImportResult, "path" | "diagnostics"> & { readonly digest: string },
): Skill {
  const now = world.clock();
  const id = world.makeId();
  const revision = makeRevision(
    parsed.content,
    { skillId: id, number: 1, author: "imported", evidence: [], createdAt: now, ...(parsed.body === undefined ? {} : { body: parsed.body }) },
    world.digest,
  );
  const skill = newSkill(id, parsed.name, "disabled", now);
  world.stores.skills.create(
    skill,
    revision,
    ledgerRow(world, id, { action: "create", actor, reason: `imported from ${from.path}`, before: null, after: revision.contentHash, afterRevision: 1 }),
  );
  world.stores.skillFiles.put({ skillId: id, revision: 1, extra: parsed.extra, ...from });
  return skill;
}

/** The revision in use, with what its own file held that is not ours. */
export function exportSkill(world: SkillWorld, name: string): ExportedSkill {
  const skill = skillNamed(world, name);
  const revision = world.stores.skills.revision(skill.id, skill.activeRevision);
  if (!revision || !isSkillName(skill.name)) throw new KnackError("skill.not-exportable", `"${skill.name}" has no revision or name that a file could hold.`);
  const file = fileBehind(world, skill);
  const text = emitSkillFile({ name: skill.name, content: onlyContent(revision), body: revision.body, ...(file === undefined ? {} : { extra: file.extra }) });
  return { name: skill.name, fileName: "SKILL.md", text };
}

/** The file the revision in use goes back to: its own, else that of the newest earlier revision with one. */
function fileBehind({ stores }: SkillWorld, { id, activeRevision }: Skill): SkillFile | undefined {
  for (let number = activeRevision; number > 0; number -= 1) {
    const file = stores.skillFiles.of(id, number);
    if (file !== undefined) return file;
  }
  return undefined;
}

export function validateSkills(files: readonly FileText[]): FileCheck[] {
  return files.map(({ path, text }) => ({ path, ...validateSkillFile(text, options(path)) }));
}
