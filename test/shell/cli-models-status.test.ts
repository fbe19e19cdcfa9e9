import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("what the models take is told, with the settings that bound it", async () => {
  expect(await json("models", "status")).toMatchObject({
    chat: { state: "idle" },
    memory: { model: 0 },
    states: { limitBytes: 2_000_000_000 },
    unloadsAt: null,
  });
  await knack("settings", "set", "stateMegabytes", "0");
  await knack("settings", "set", "idleUnloadMinutes", "none");
  const { out } = await knack("models", "status");
  expect(out).toMatch(/^states +none is kept \(stateMegabytes\)$/mu);
  expect(out).toMatch(/^unloading +never \(idleUnloadMinutes\)$/mu);
});

test("a bound that is none is refused in one line", async () => {
  expectOneLine(await knack("settings", "set", "stateMegabytes", "-5"), 2, "stateMegabytes cannot be -5; allowed: 0 to 1000000");
  expectOneLine(await knack("settings", "set", "idleUnloadMinutes", "0"), 2, "idleUnloadMinutes cannot be 0; allowed: 1 to 1440, none");
});
