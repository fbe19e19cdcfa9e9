import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isOwnPage, ownPageUrl } from "#shells/electron/own-page.ts";
import { keepWindowState, readWindowState } from "#shells/electron/window-state.ts";

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const state = { x: 100, y: 80, width: 900, height: 700, isMaximized: false };
let file: string;

beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), "knack-window-")), "window.json");
});
afterEach(() => rm(join(file, ".."), { recursive: true }));

test("a window opens where it was left", () => {
  keepWindowState(file, state);
  expect(readWindowState(file, [screen])).toEqual(state);
});

test.each([
  ["right of every screen", { ...state, x: 1900 }],
  ["with its title bar above the screen", { ...state, y: -40 }],
  ["below the screen", { ...state, y: 1040 }],
  ["too small to use", { ...state, width: 10 }],
  ["beyond all measure", { ...state, x: -1e9, width: 2e9 }],
  ["half a pixel wide", { ...state, width: 900.5 }],
  ["without a size", { x: 1, y: 1, isMaximized: false }],
])("a window %s is placed anew", (_, left) => {
  keepWindowState(file, left as typeof state);
  expect(readWindowState(file, [screen])).toBeNull();
});

test.each(["", "{", "null", "[]", '"x"'])("a file that holds %j is as good as none", async (text) => {
  await writeFile(file, text);
  expect(readWindowState(file, [screen])).toBeNull();
});

test("a window on a screen that is gone is placed anew, one on a screen that is there is not", () => {
  keepWindowState(file, { ...state, x: 2500 });
  expect(readWindowState(file, [screen])).toBeNull();
  expect(readWindowState(file, [screen, { x: 1920, y: 0, width: 1920, height: 1080 }])).not.toBeNull();
});

test.each(["knack://app.evil/", "knack://evil/", "https://app/", "file:///app/", "knack:app", "", "data:text/html,x", "knack://app:80/"])(
  "%s is not the app's page",
  (url) => {
    expect(isOwnPage(url, "knack://app/")).toBe(false);
  },
);

test("the development server is the page while developing, never in a packaged app", () => {
  const env = { ELECTRON_RENDERER_URL: "http://localhost:5173" };
  expect(ownPageUrl(false, env)).toBe("http://localhost:5173");
  expect(ownPageUrl(true, env)).toBe("knack://app/");
});
