import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent } from "#app/create-agent.ts";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
let [turnId, episodeId, conversationId] = ["", "", ""];
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-"));
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {} });
  // Without a model the turn fails, and is stored all the same.
  for await (const event of agent.send({ text: "Pay the rent", noSkills: true }, new AbortController().signal))
    if (event.type === "turn-started") [turnId, episodeId, conversationId] = [event.turn.id, event.turn.episodeId, event.turn.conversationId];
  await agent.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("show names the tasks and turns of a conversation and why each had its skill or none; why says it in full", async () => {
  const { out } = await knack("conversations", "show", conversationId);
  expect(out).toContain("why    You asked for no skill.");
  expect(out).toContain(`turn   ${turnId}, task ${episodeId}`);
  expect(await json("skills", "why", turnId)).toEqual({ turnId, answer: "You asked for no skill.", lines: [], recall: null });
  expect((await knack("skills", "why", turnId)).out).toBe("You asked for no skill.\n");
  expectOneLine(await knack("skills", "why", "none-such"), 2, "There is no turn none-such", "knack conversations show");
});

test("the control is told, turned on and off, and takes a share of up to a half", async () => {
  expect((await knack("skills", "control")).out).toBe("The control is off. Turn it on with: knack skills control 0.1\n");
  expect(await json("skills", "control", "0.1")).toMatchObject({ share: 0.1, needed: 10, success: null });
  expect((await knack("skills", "report")).out).toContain("What skills are worth: In 10 % of the tasks");
  expect(await json("skills", "control", "off")).toMatchObject({ share: 0 });
  for (const share of ["0.6", "much", "-1"]) expectOneLine(await knack("skills", "control", "--", share), 2, `"${share}" is no share`);
});

test("conversations are kept for so many days, or always", async () => {
  expect(await json("conversations", "keep")).toEqual({ keepDays: null });
  expect((await knack("conversations", "keep", "90")).out).toContain("nobody used for 90 days");
  expect(await json("conversations", "keep", "all")).toEqual({ keepDays: null });
  expectOneLine(await knack("conversations", "keep", "0"), 2, "whole number from 1");
});

test("a task is forgotten only with a yes; backups that hold it are told of, and go when asked", async () => {
  expectOneLine(await knack("conversations", "erase-episode", episodeId), 3, "Nobody is here to ask; add --yes");
  expectOneLine(await knack("conversations", "erase-episode", "none-such", "--yes"), 2, "There is no task none-such");
  const { out } = await knack("conversations", "erase-episode", episodeId, "--yes");
  expect(out).toBe(`forgot task ${episodeId}\n1 backup still holds it until newer ones take its place.\nErase those too with: knack backup erase\n`);
  expect(await json("conversations", "list")).toEqual([]);
  expect(await json("backup", "erase", "--yes")).toEqual({ erased: 1 });
  expect(await json("backup", "list")).toHaveLength(1);
});
