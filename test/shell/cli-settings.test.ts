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

test("settings are listed, and one is changed without the others", async () => {
  expect((await knack("settings", "list")).out).toMatch(/^learning +on +on, off +learn routines from what went well/mu);
  expect((await knack("settings", "set", "enforcement.gate", "off")).out).toBe("enforcement.gate is off from now on\n");
  expect((await knack("settings", "set", "keepDays", "90")).out).toBe("keepDays is 90 from now on\n");
  expect(await json("settings", "list")).toMatchObject({ learning: true, keepDays: 90, enforcement: { gate: false, router: true } });
  expect((await knack("settings", "set", "keepDays", "none")).out).toBe("keepDays is none from now on\n");
});

test("every setting says what it may be and what it is for", async () => {
  const { out } = await knack("settings", "list");
  const [, ...lines] = out.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) expect(line).toMatch(/^\S+ +\S+ +\S.* {2,}\S/u);
});

test("a name or a value that is none is refused in one line, and nothing changes", async () => {
  expectOneLine(await knack("settings", "set", "lerning", "off"), 2, 'There is no setting "lerning"', "there are: memory, learning");
  expectOneLine(await knack("settings", "set", "control", "0.9"), 2, "control cannot be 0.9; allowed: 0 to 0.5");
  expectOneLine(await knack("settings", "set", "learning", "maybe"), 2, "learning cannot be maybe; allowed: on, off");
  expect(await json("settings", "list")).toMatchObject({ learning: true, control: 0 });
});
