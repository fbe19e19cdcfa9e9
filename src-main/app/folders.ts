import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export interface Folders {
  /** Everything that is the user's (SPEC 8): 0700. */
  readonly dataFolder: string;
  /** Models and what can be fetched or made again; never inside the data folder. */
  readonly cacheFolder: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where things are kept: KNACK_HOME and KNACK_CACHE, else the platform's usual places. Nothing is made. */
export function foldersOf(env: Environment, platform: NodeJS.Platform = process.platform): Folders {
  const usual = usualPlaces(env, platform);
  return { dataFolder: resolve(env.KNACK_HOME || usual.dataFolder), cacheFolder: resolve(env.KNACK_CACHE || usual.cacheFolder) };
}

function usualPlaces(env: Environment, platform: NodeJS.Platform): Folders {
  const home = absolute(env.HOME) ?? homedir();
  if (platform === "darwin")
    return { dataFolder: join(home, "Library", "Application Support", "Knack"), cacheFolder: join(home, "Library", "Caches", "Knack") };
  if (platform === "win32") {
    const local = join(absolute(env.LOCALAPPDATA) ?? join(home, "AppData", "Local"), "Knack");
    return { dataFolder: join(local, "Data"), cacheFolder: join(local, "Cache") };
  }
  return {
    dataFolder: join(absolute(env.XDG_DATA_HOME) ?? join(home, ".local", "share"), "knack"),
    cacheFolder: join(absolute(env.XDG_CACHE_HOME) ?? join(home, ".cache"), "knack"),
  };
}

/** The XDG base directory specification: a relative path in these variables is to be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
