import { mkdir } from "node:fs/promises";

const names = process.platform === "win32" ? ["TEMP", "TMP"] : ["TMPDIR"];
let original: Record<string, string | undefined> | null = null;
let inside = 0;

/** The environment as it is outside of `withTempFolder`. */
export function outerEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...original };
}

/**
 * Runs a launch with `folder` as the process's temporary folder. Playwright makes a browser's profile and its download folder there and offers no
 * option for it; in a folder of ours, what a killed process left can be told from other programs' and cleared away.
 */
export async function withTempFolder<T>(folder: string, launch: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  original ??= Object.fromEntries(names.map((name) => [name, process.env[name]]));
  inside += 1;
  for (const name of names) process.env[name] = folder;
  try {
    return await launch();
  } finally {
    inside -= 1;
    if (inside === 0) {
      for (const [name, value] of Object.entries(original ?? {})) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      original = null;
    }
  }
}
