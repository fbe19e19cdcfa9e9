import { join } from "node:path";
import { privateFolder } from "./private-folder.ts";
import { type Environment, usualCacheFolder, usualDataFolder } from "./usual-folders.ts";

/** Folders inside the data folder (SPEC 8). */
export const dataFolders = ["blocks", "skills", "exports", "backups", "logs"] as const;

/** The data folder with its folders, all 0700; makes what is missing. Throws KnackError "files.folder". */
export function dataFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const folder = privateFolder(usualDataFolder(env, platform), "KNACK_HOME");
  for (const name of dataFolders) privateFolder(join(folder, name), "KNACK_HOME");
  return folder;
}

/** The folder for models and caches, 0700, never inside the data folder by default. Throws KnackError "files.folder". */
export function cacheFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  return privateFolder(usualCacheFolder(env, platform), "KNACK_CACHE");
}
