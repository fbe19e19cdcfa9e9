import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { badInput } from "#contract/errors.ts";

/** The folder package.json is in. */
export const root = join(import.meta.dirname, "../../..");

/** A path as the person meant it: npm runs scripts in the repository's folder, and says where it was called. */
export function pathFrom(path: string): string {
  // An empty variable of a script would otherwise mean the folder one is in.
  if (path.trim() === "") throw badInput("The path is empty; name a file or a folder");
  const isThroughNpm = /^(?:cli|demo|eval)$/u.test(process.env.npm_lifecycle_event ?? "");
  return resolve(isThroughNpm ? (process.env.INIT_CWD ?? ".") : ".", path);
}

/** The path of a file that is to be written and is not there yet. Throws bad-input where it is, or where the folder it goes into is none. */
export function requireNewFile(path: string): string {
  const file = pathFrom(path);
  if (existsSync(file)) throw badInput(`There is a file ${file} already; name another one`);
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw badInput(`There is no folder ${folder} for ${file}; make it, or name another place`);
  return file;
}
