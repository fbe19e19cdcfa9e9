import { accessSync, constants, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable", "microsoft-edge"];

function isRunnable(path: string): boolean {
  try {
    accessSync(path, process.platform === "win32" ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function usualPlaces(): string[] {
  if (process.platform === "darwin") {
    const apps = ["Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium", "Microsoft Edge.app/Contents/MacOS/Microsoft Edge"];
    return ["/Applications", join(homedir(), "Applications")].flatMap((folder) => apps.map((app) => join(folder, app)));
  }
  if (process.platform === "win32") {
    const roots = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) => process.env[name] ?? "").filter((root) => root !== "");
    const programs = ["Google\\Chrome\\Application\\chrome.exe", "Chromium\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
    return roots.flatMap((root) => programs.map((program) => join(root, program)));
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  return [...new Set([...folders, "/usr/bin", "/usr/local/bin"])].flatMap((folder) => NAMES.map((name) => join(folder, name)));
}

function playwrightFolder(): string {
  const set = process.env["PLAYWRIGHT_BROWSERS_PATH"];
  if (set !== undefined && set !== "" && set !== "0") return set;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "ms-playwright");
  if (process.platform === "win32") return join(process.env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "ms-playwright");
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "ms-playwright");
}

/** Browsers that Playwright downloaded, newest first. */
function playwrightPlaces(): string[] {
  const inside =
    process.platform === "darwin"
      ? [
          "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
          "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
          "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
        ]
      : process.platform === "win32"
        ? ["chrome-win/chrome.exe", "chrome-win64/chrome.exe"]
        : ["chrome-linux/chrome", "chrome-linux64/chrome"];
  const folder = playwrightFolder();
  let entries: string[];
  try {
    entries = readdirSync(folder);
  } catch {
    return [];
  }
  const revision = (entry: string): number => Number(entry.slice("chromium-".length));
  return entries
    .filter((entry) => /^chromium-\d+$/u.test(entry))
    .sort((a, b) => revision(b) - revision(a))
    .flatMap((entry) => inside.map((path) => join(folder, entry, ...path.split("/"))));
}

/** Path of a Chrome, Chromium or Edge on this machine: `KNACK_BROWSER`, then installed ones, then Playwright's own; null when there is none. */
export function findBrowser(set = process.env.KNACK_BROWSER): string | null {
  if (set !== undefined && set !== "") return isRunnable(set) ? set : null;
  return [...usualPlaces(), ...playwrightPlaces()].find(isRunnable) ?? null;
}
