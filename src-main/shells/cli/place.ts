import { join, resolve } from "node:path";

/** The folder package.json is in. */
export const root = join(import.meta.dirname, "../../..");

/** A path as the person meant it: npm runs scripts in the repository's folder, and says where it was called. */
export function pathFrom(path: string): string {
  const isThroughNpm = /^(?:cli|demo|eval)$/u.test(process.env.npm_lifecycle_event ?? "");
  return resolve(isThroughNpm ? (process.env.INIT_CWD ?? ".") : ".", path);
}
