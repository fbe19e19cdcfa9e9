// npm start: the app in its window where there can be one, else the same agent as a page of the browser.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureAll } from "./ensure-all.mjs";
import { ensureElectron } from "./ensure-electron.mjs";
import { isBuildOld } from "./is-build-old.mjs";
import { root } from "./root.mjs";
import { run } from "./run.mjs";
import { progress, say } from "./say.mjs";

const args = process.argv.slice(2);
const node = await ensureAll();
const app = await findApp();
if (app.why) say(`${app.why} Opening the web shell instead.`);
if (process.getuid?.() === 0 && process.env.KNACK_NO_SANDBOX !== "1")
  say("You are root, and Chromium has no sandbox for root: Knack can talk, but open no page. Start it as another user, or with KNACK_NO_SANDBOX=1.");
process.exitCode = app.why ? await run(node, ["src-main/shells/web/main.ts", ...args]) : await run(app.electron, [".", ...app.flags, ...args]);

/** Electron with what it needs, or in one sentence why not. */
async function findApp() {
  if (!hasDisplay()) return { why: "There is no display here." };
  const noSandbox = process.env.KNACK_NO_SANDBOX === "1";
  if (process.platform === "linux" && process.getuid?.() === 0 && !noSandbox)
    return { why: "Electron does not run as root with its sandbox on (KNACK_NO_SANDBOX=1 turns it off)." };
  const electron = await ensureElectron(node);
  if (!electron) return { why: "Electron could not be downloaded." };
  const { main } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (isBuildOld(main) && !(await build())) return { why: "The app could not be built." };
  return { electron, flags: noSandbox ? ["--no-sandbox"] : [] };
}

async function build() {
  say("Building the app …");
  const said = [];
  const onLine = (line) => {
    said.push(line);
    progress(line);
  };
  const code = await run(node, ["node_modules/electron-vite/bin/electron-vite.js", "build"], { stdin: "ignore", onLine });
  if (code !== 0) say(said.join("\n"));
  return code === 0;
}

function hasDisplay() {
  return process.platform === "darwin" || process.platform === "win32" || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
