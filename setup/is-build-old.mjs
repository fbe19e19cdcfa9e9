import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const sources = ["src-main", "src-preload", "src-renderer", "models", "electron.vite.config.ts", "package-lock.json"];

/** Whether `built` (a path in the repository) is missing or older than anything it is made of. */
export function isBuildOld(built) {
  const path = join(root, built);
  return !existsSync(path) || sources.some((source) => newest(join(root, source)) > statSync(path).mtimeMs);
}

function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
