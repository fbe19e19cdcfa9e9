import { canonicalJson } from "#base/json.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Diagnostic, PackFile, Revision, Skill, SkillFile, SkillStatus } from "#contract/skills/schema.ts";
import type { FoundFile, FoundPack } from "#core/ports/index.ts";
import { type Contribution, readContribution } from "#core/prompt/index.ts";
import {
  folderOf,
  makeRevision,
  nameTaken,
  newSkill,
  onlyContent,
  type ParsedSkill,
  parseSkillFile,
  requireAuthoredSource,
  statusWord,
} from "#core/skills/index.ts";
import { isWithdrawn, ledgerRow, type SkillWorld, statusRow } from "./skills.ts";

export interface StoredPack {
  readonly files: readonly PackFile[];
  readonly contributions: readonly Contribution[];
}

/** What one look over all packs has come upon. */
export interface Sweep {
  /** Skills whose file is there, with its path. */
  readonly present: Map<string, string>;
  /** Files and folders that are there and could not be read: their skills stay as they are. */
  readonly broken: string[];
  /** Ids of other skills whose names files asked for. */
  readonly holders: string[];
}

type Source = ReturnType<typeof requireAuthoredSource>;

/** Stores the skills of one pack and reads its texts for the prompt. What is wrong with one file is said in its place and stops nothing else. */
export function storePack(world: SkillWorld, found: FoundPack, sweep: Sweep): StoredPack {
  const source = sourceOf(found);
  if (typeof source !== "string") {
    if (isUnreadable(source)) sweep.broken.push(found.name);
    return { files: [{ path: found.name, skill: null, position: null, diagnostics: [source] }], contributions: [] };
  }
  const files = found.skills.map((file) => storeFile(world, source, file, sweep));
  const contributions: Contribution[] = [];
  for (const file of found.contributions) {
    const { contribution, diagnostics } = "text" in file ? readContribution(file.text) : { contribution: null, diagnostics: [file.problem] };
    files.push({ path: file.path, skill: null, position: contribution?.position ?? null, diagnostics });
    if (contribution !== null) contributions.push({ source, ...contribution });
  }
  return { files, contributions };
}

/** Retires every skill of a pack whose file is gone; it comes back with the file (SPEC 3.1). */
export function withdrawGone(world: SkillWorld, sweep: Sweep): void {
  for (const file of world.stores.skillFiles.authored()) {
    const skill = world.stores.skills.get(file.skillId);
    if (!skill || isWithdrawn(world, skill) || sweep.present.has(skill.id) || sweep.broken.some((path) => isAt(file.path, path))) continue;
    setByPack(world, skill, { action: "withdraw", status: "retired", source: authorOf(world, file), reason: `${file.path} is gone` });
  }
}

function isAt(path: string, broken: string): boolean {
  return path === broken || path.startsWith(`${broken}/`);
}

/** Something is there; a folder without its file, or a link in its place, holds nothing of the pack's. */
function isUnreadable({ code, severity }: Diagnostic): boolean {
  return severity === "error" && code !== "no-skill" && code !== "link" && code !== "pack-name";
}

function sourceOf({ name, problem }: FoundPack): Source | Diagnostic {
  if (problem !== null) return problem;
  try {
    return requireAuthoredSource(`authored:${name}`);
  } catch {
    return { code: "pack-name", severity: "error", message: `The folder's name is no name of a pack: use a–z, 0–9 and hyphens. Nothing in it is read.` };
  }
}

function storeFile(world: SkillWorld, source: Source, file: FoundFile, sweep: Sweep): PackFile {
  const refused = (diagnostics: readonly Diagnostic[]): PackFile => ({ path: file.path, skill: null, position: null, diagnostics });
  if (!("text" in file)) {
    if (isUnreadable(file.problem)) sweep.broken.push(file.path);
    return refused([file.problem]);
  }
  const folder = folderOf(file.path);
  const { skill: parsed, diagnostics } = parseSkillFile(file.text, folder === undefined ? {} : { folder });
  if (parsed === null) {
    sweep.broken.push(file.path);
    return refused(diagnostics);
  }
  try {
    const skill = world.stores.transaction(() => storeSkill(world, source, parsed, { path: file.path, digest: world.digest(file.text), diagnostics }, sweep));
    sweep.present.set(skill.id, file.path);
    return { path: file.path, skill: skill.name, position: null, diagnostics };
  } catch (error) {
    if (!(error instanceof KnackError) || !/^(?:bad-input|skill\.)/u.test(error.code)) throw error;
    if (error.code === "bad-input") sweep.broken.push(file.path);
    if (typeof error.fields.otherId === "string") sweep.holders.push(error.fields.otherId);
    return refused([{ code: error.code, severity: "error", message: error.message }, ...diagnostics]);
  }
}

type FromFile = Pick<SkillFile, "path" | "digest" | "diagnostics">;

/** Makes the skill, or brings it to what its file says now. Status, pin and a revert are the user's and stay. */
function storeSkill(world: SkillWorld, source: Source, parsed: ParsedSkill, from: FromFile, sweep: Sweep): Skill {
  const { skills, skillFiles, vectors } = world.stores;
  const holder = skills.byName(parsed.name);
  const revisions = holder === undefined ? [] : skills.revisions(holder.id);
  const newest = revisions.at(-1);
  if (holder !== undefined && newest?.author !== source) throw nameTaken(parsed.name, holder);
  const twin = holder && sweep.present.get(holder.id);
  if (twin !== undefined) throw new KnackError("skill.name-taken", `The name "${parsed.name}" is taken by ${twin}. Give one of the two another name.`);
  const id = holder?.id ?? world.makeId();
  const keep = (revision: number): void => skillFiles.put({ skillId: id, revision, extra: parsed.extra, ...from });
  const made = makeRevision(
    parsed.content,
    {
      skillId: id,
      number: (newest?.number ?? 0) + 1,
      author: source,
      evidence: [],
      createdAt: world.clock(),
      ...(parsed.body === undefined ? {} : { body: parsed.body }),
    },
    world.digest,
  );
  if (holder === undefined || newest === undefined) {
    const now = world.clock();
    const skill = newSkill(id, parsed.name, "active", now);
    skills.create(
      skill,
      made,
      ledgerRow(world, id, { action: "create", actor: source, reason: `from ${from.path}`, before: null, after: made.contentHash, afterRevision: 1 }),
    );
    keep(1);
    return skill;
  }
  if (saysTheSame(made, newest)) {
    const known = skillFiles.of(id, newest.number);
    if (known?.digest !== from.digest || known.path !== from.path || canonicalJson(known.diagnostics) !== canonicalJson(from.diagnostics)) keep(newest.number);
  } else {
    const before = skills.revision(id, holder.activeRevision)?.contentHash ?? null;
    const change = { action: "modify", actor: source, reason: `${from.path} has changed`, before, after: made.contentHash };
    const numbers = { beforeRevision: holder.activeRevision, afterRevision: made.number };
    skills.addRevision(made, ledgerRow(world, id, { ...change, ...numbers }), world.clock());
    keep(made.number);
    // What it was found by is out of date; recall reads it anew when it is next asked.
    vectors.remove(id);
  }
  const row = statusRow(world, id);
  if (holder.status === "retired" && row?.action === "withdraw")
    setByPack(world, holder, { action: "return", status: row.before as SkillStatus, source, reason: `${from.path} is there again`, undoes: row.id });
  return holder;
}

/** Also where only phrasings or examples differ, which the hash leaves out: a pack's author changes them to be found by them. */
function saysTheSame(a: Revision, b: Revision): boolean {
  return a.contentHash === b.contentHash && a.body === b.body && canonicalJson(onlyContent(a)) === canonicalJson(onlyContent(b));
}

/** Not an action of the status table: the pack's folder decides, and puts back the status there was. A return takes the withdrawal back. */
function setByPack(
  world: SkillWorld,
  skill: Skill,
  { action, status, source, reason, undoes }: { action: "withdraw" | "return"; status: SkillStatus; source: string; reason: string; undoes?: string },
): void {
  const entry = { action, actor: source, reason, before: statusWord(skill), after: status, ...(undoes === undefined ? {} : { undoes }) };
  world.stores.skills.setStatus(skill.id, status, ledgerRow(world, skill.id, entry), world.clock());
}

function authorOf(world: SkillWorld, { skillId, revision }: SkillFile): string {
  const author = world.stores.skills.revision(skillId, revision)?.author;
  if (author === undefined) throw badInput(`The skill ${skillId} has no revision ${revision}`);
  return author;
}
