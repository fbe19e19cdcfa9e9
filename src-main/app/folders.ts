import { homedir } from "node:os";
import { join, resolve } from "node:path";

export interface Folders {
  /** Everything that is the user's (SPEC 8): 0700. */
  readonly dataFolder: string;
  /** Models and what can be fetched or made again; never inside the data folder. */
  readonly cacheFolder: string;
}

/** Where things are kept: KNACK_HOME and KNACK_CACHE, else the platform's usual places. */
export function foldersOf(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform = process.platform, home: string = homedir()): Folders {
  const usual = usualPlaces(env, platform, home);
  return { dataFolder: resolve(env.KNACK_HOME || usual.dataFolder), cacheFolder: resolve(env.KNACK_CACHE || usual.cacheFolder) };
}

function usualPlaces(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform, home: string): Folders {
  if (platform === "darwin") return { dataFolder: join(home, "Library/Application Support/Knack"), cacheFolder: join(home, "Library/Caches/Knack") };
  if (platform === "win32") {
    return {
      dataFolder: join(env.APPDATA || join(home, "AppData/Roaming"), "Knack"),
      cacheFolder: join(env.LOCALAPPDATA || join(home, "AppData/Local"), "Knack/Cache"),
    };
  }
  return { dataFolder: join(env.XDG_DATA_HOME || join(home, ".local/share"), "knack"), cacheFolder: join(env.XDG_CACHE_HOME || join(home, ".cache"), "knack") };
}
