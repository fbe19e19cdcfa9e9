import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { badInput } from "#contract/errors.ts";
import type { FoundFile } from "#core/ports/skill-files.ts";
import { linkProblem, problem, problemOf, readFile } from "./read-file.ts";

interface Place {
  readonly real: string;
  readonly path: string;
  readonly isLink: boolean;
}

const deepest = 8;
const mostFiles = 5000;
const unread = new Set(["node_modules"]);

/**
 * The files a path names: the file itself, or every SKILL.md below the folder, else the .md files right in it. Each is read, or said why not. The
 * path itself may be a link, as the person named it; links below it are not followed.
 */
export async function findFiles(given: string, signal: AbortSignal): Promise<FoundFile[]> {
  const real = await realpath(given).catch((error: unknown) => {
    throw badInput(`There is no file or folder ${given}.`, { path: given, why: problemOf(error).message });
  });
  const status = await stat(real);
  if (!status.isDirectory()) return [await oneFile(real, signal)];
  const places = await placesIn(real, signal);
  if (places.length === 0) throw badInput(`${given} holds no SKILL.md and no other .md file. Name a file, or a folder of skills.`, { path: given });
  const files: FoundFile[] = [];
  for (const [index, { real: file, path, isLink }] of places.entries()) {
    if (isLink) files.push({ path, problem: linkProblem });
    else if (index >= mostFiles) files.push({ path, problem: problem("too-many", `The folder holds more than ${mostFiles} skills; take them in parts.`) });
    else files.push(await readFile(file, path, signal));
  }
  return files;
}

/** A skill is markdown: any other text is not read, for what it holds would be kept and shown. */
async function oneFile(real: string, signal: AbortSignal): Promise<FoundFile> {
  const path = `${basename(dirname(real))}/${basename(real)}`;
  return /\.(?:md|markdown)$/iu.test(real)
    ? readFile(real, path, signal)
    : { path, problem: problem("not-markdown", "It is no .md file; a skill is a SKILL.md.") };
}

async function placesIn(root: string, signal: AbortSignal): Promise<Place[]> {
  const found: Place[] = [];
  const folders = [{ real: root, path: basename(root), depth: 0 }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    signal.throwIfAborted();
    for (const entry of await entriesOf(folder.real)) {
      const place = { real: join(folder.real, entry.name), path: `${folder.path}/${entry.name}`, isLink: entry.isSymbolicLink() };
      if (entry.isDirectory() && folder.depth < deepest && !unread.has(entry.name)) folders.push({ ...place, depth: folder.depth + 1 });
      else if (!entry.isDirectory() && (/^skill\.md$/iu.test(entry.name) || (place.isLink && (await leadsToFolder(place.real))))) found.push(place);
    }
  }
  if (found.length > 0) return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  return (await entriesOf(root))
    .filter((entry) => !entry.isDirectory() && /\.md$/iu.test(entry.name))
    .map((entry) => ({ real: join(root, entry.name), path: `${basename(root)}/${entry.name}`, isLink: entry.isSymbolicLink() }));
}

/** A link to a folder of skills is worth a word; any other link is no skill. */
async function leadsToFolder(link: string): Promise<boolean> {
  return await stat(link).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

/** By name, hidden ones left out; none where the folder cannot be opened. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1));
}
