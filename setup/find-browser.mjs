import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

const commands = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable", "microsoft-edge"];
const macApps = ["Google Chrome", "Chromium", "Microsoft Edge"];
const windowsPrograms = ["Google\\Chrome\\Application\\chrome.exe", "Chromium\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];

/** The first browser of the Chromium family that is installed and starts, Playwright's own download last; undefined when there is none. */
export function findBrowser() {
  return candidates().find((path) => existsSync(path) && starts(path));
}

function candidates() {
  const told = process.env.KNACK_BROWSER ? [process.env.KNACK_BROWSER] : [];
  return [...told, ...installed(), playwrightBrowser()].filter((path) => path !== undefined);
}

function installed() {
  const { env, platform } = process;
  if (platform === "darwin") {
    return ["/Applications", join(env.HOME ?? "", "Applications")].flatMap((folder) =>
      macApps.map((app) => join(folder, `${app}.app`, "Contents", "MacOS", app)),
    );
  }
  if (platform === "win32") {
    const folders = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].filter((folder) => folder !== undefined);
    return folders.flatMap((folder) => windowsPrograms.map((program) => join(folder, program)));
  }
  return commands.flatMap((command) => (env.PATH ?? "").split(delimiter).map((folder) => join(folder, command)));
}

function playwrightBrowser() {
  try {
    return createRequire(import.meta.url)("playwright-core").chromium.executablePath();
  } catch {
    return undefined;
  }
}

/** A browser whose libraries are missing is there but does not start. On Windows `--version` opens a window, so being there is enough. */
function starts(path) {
  return process.platform === "win32" || spawnSync(path, ["--version"], { timeout: 20_000, stdio: "ignore" }).status === 0;
}
