import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Diagnostic } from "#contract/skills/schema.ts";
import type { FoundFile, FoundPack, SkillFiles } from "#core/ports/skill-files.ts";
import { linkProblem, problem, problemOf, readFile } from "./read-file.ts";

/** A file seen and not yet read, or why it will not be. */
interface Sighting {
  readonly path: string;
  readonly kind: "skill" | "contribution";
  readonly problem: Diagnostic | null;
}

interface Survey {
  readonly packs: readonly { readonly name: string; readonly sightings: readonly Sighting[]; readonly problem: Diagnostic | null }[];
  /** Equal for two surveys when nothing changed between them. */
  readonly mark: string;
  /** When the newest file changed, in milliseconds. */
  readonly newest: number;
}

/** A folder of a pack that holds no skill but texts for the prompt. */
const contributionFolder = "contributions";
/** Files of a pack that are looked at; a folder with more of them was hardly meant as one. */
const mostFiles = 1000;
/** How long a file is left alone after it changed, and how long that is waited for, in milliseconds. */
const settled = 150;
const patience = 1500;

/**
 * Looks instead of being told: watching a folder misses changes on network disks, in folders put in a folder's place, and
 * while the process starts, whereas a look costs milliseconds and sees what is there.
 */
export const readPacks = async (root: string, known: string | null, signal: AbortSignal): ReturnType<SkillFiles["packs"]> => {
  const survey = await settledSurvey(root, known, signal);
  if (survey.mark === known) return null;
  const packs: FoundPack[] = [];
  for (const { name, sightings, problem } of survey.packs) {
    const found = { skill: [] as FoundFile[], contribution: [] as FoundFile[] };
    for (const sighting of sightings)
      found[sighting.kind].push(
        sighting.problem === null ? await readFile(join(root, sighting.path), sighting.path, signal) : { path: sighting.path, problem: sighting.problem },
      );
    packs.push({ name, skills: found.skill, contributions: found.contribution, problem });
  }
  return { mark: survey.mark, packs };
};

/** What is there, once nothing has been written for a moment. */
async function settledSurvey(root: string, known: string | null, signal: AbortSignal): Promise<Survey> {
  for (let waited = 0; ; waited += settled) {
    signal.throwIfAborted();
    const survey = await surveyOf(root);
    const age = Date.now() - survey.newest;
    // A time in the future, on a disk with another clock, tells nothing.
    if (survey.mark === known || age < 0 || age >= settled || waited >= patience) return survey;
    await wait(settled - age, undefined, { signal });
  }
}

async function surveyOf(root: string): Promise<Survey> {
  const marks: string[] = [];
  let newest = 0;
  const packs: Survey["packs"][number][] = [];
  for (const entry of await entriesOf(root).catch(nothingIfMissing)) {
    if (entry.isSymbolicLink()) packs.push({ name: entry.name, sightings: [], problem: linkProblem });
    if (!entry.isDirectory()) continue;
    try {
      packs.push({ name: entry.name, sightings: await sightingsOf(root, entry.name), problem: null });
    } catch (error) {
      packs.push({ name: entry.name, sightings: [], problem: problemOf(error) });
    }
  }
  for (const { name, sightings, problem } of packs) {
    marks.push(`${name}\t${problem?.code ?? ""}`);
    for (const sighting of sightings) {
      const status = sighting.problem === null ? await lstat(join(root, sighting.path)).catch(() => null) : null;
      newest = Math.max(newest, status?.mtimeMs ?? 0, status?.ctimeMs ?? 0);
      marks.push([sighting.path, sighting.problem?.code, status?.ino, status?.size, status?.mtimeMs, status?.ctimeMs, status?.mode].join("\t"));
    }
  }
  return { packs, mark: marks.join("\n"), newest };
}

async function sightingsOf(root: string, pack: string): Promise<Sighting[]> {
  const sightings: Sighting[] = [];
  for (const entry of await entriesOf(join(root, pack))) {
    const path = `${pack}/${entry.name}`;
    if (entry.isSymbolicLink()) sightings.push({ path, kind: "skill", problem: linkProblem });
    else if (!entry.isDirectory()) sightings.push(...stray(path));
    else if (entry.name === contributionFolder) sightings.push(...(await contributionsOf(root, path)));
    else sightings.push(await skillOf(root, path));
    // One word for all the rest, none of which is looked into: this is done before every turn.
    if (sightings.length > mostFiles) {
      const message = `The pack holds more than ${mostFiles} files; the rest is not read. Part it into several packs.`;
      return [...sightings.slice(0, mostFiles), { path: pack, kind: "skill", problem: problem("too-many", message) }];
    }
  }
  return sightings;
}

/** Markdown beside the folders was perhaps meant as a skill; a pack may still say what it is. */
function stray(path: string): Sighting[] {
  if (!/\.md$/iu.test(path) || /\/(?:readme|license|changelog)\.md$/iu.test(path)) return [];
  const message = `A skill is a folder with a SKILL.md, a text for the prompt lies in "${contributionFolder}/"; this file is neither and is not read.`;
  return [{ path, kind: "skill", problem: { code: "stray", severity: "note", message } }];
}

async function skillOf(root: string, path: string): Promise<Sighting> {
  try {
    const entries = await entriesOf(join(root, path));
    const file = entries.find(({ name }) => name === "SKILL.md") ?? entries.find(({ name }) => name === "skill.md");
    if (file === undefined) return { path, kind: "skill", problem: problem("no-skill", "The folder holds no SKILL.md.") };
    return { path: `${path}/${file.name}`, kind: "skill", problem: file.isSymbolicLink() ? linkProblem : null };
  } catch (error) {
    return { path, kind: "skill", problem: problemOf(error) };
  }
}

async function contributionsOf(root: string, path: string): Promise<Sighting[]> {
  try {
    return (await entriesOf(join(root, path)))
      .filter(({ name }) => name.endsWith(".md"))
      .map((entry) => ({ path: `${path}/${entry.name}`, kind: "contribution", problem: entry.isSymbolicLink() ? linkProblem : null }));
  } catch (error) {
    return [{ path, kind: "contribution", problem: problemOf(error) }];
  }
}

/** By name, hidden ones left out. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function nothingIfMissing(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
