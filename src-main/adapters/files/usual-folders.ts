import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where data lives: KNACK_HOME, else the platform's usual place. Nothing is made. */
export function usualDataFolder(env: Environment, platform: NodeJS.Platform): string {
  if (env.KNACK_HOME) return resolve(env.KNACK_HOME);
  if (platform === "win32") return join(absolute(env.LOCALAPPDATA) ?? join(home(env), "AppData", "Local"), "Knack", "Data");
  if (platform === "darwin") return join(home(env), "Library", "Application Support", "Knack");
  return join(absolute(env.XDG_DATA_HOME) ?? join(home(env), ".local", "share"), "knack");
}

/** Where models and other things that can be had again live: KNACK_CACHE, else the platform's usual place; one for all checkouts and versions. */
export function usualCacheFolder(env: Environment, platform: NodeJS.Platform): string {
  if (env.KNACK_CACHE) return resolve(env.KNACK_CACHE);
  if (platform === "win32") return join(absolute(env.LOCALAPPDATA) ?? join(home(env), "AppData", "Local"), "Knack", "Cache");
  if (platform === "darwin") return join(home(env), "Library", "Caches", "Knack");
  return join(absolute(env.XDG_CACHE_HOME) ?? join(home(env), ".cache"), "knack");
}

/** The XDG base directory specification: a relative path in these variables is to be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

function home(env: Environment): string {
  return absolute(env.HOME) ?? homedir();
}
