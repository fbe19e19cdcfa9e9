import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import type { Call, SkillStep } from "#contract/skills/schema.ts";
import type { PageView } from "#core/ports/index.ts";
import { type Observed, runStrict, type StrictRun } from "#core/replay/index.ts";
import { content, step } from "../skills/content.ts";

const page = (heading: string, text = ""): PageView => ({
  url: "https://portal.example/",
  title: "",
  heading,
  text,
  lines: [],
  elements: [],
  truncated: false,
});
const seen = (heading: string, text?: string): Observed => ({ page: page(heading, text), downloads: [], resultText: "" });

/** A site on which every link leads to a page of its name; counts what reached it. */
function site(change: (call: Call, count: number) => Observed | Promise<Observed> = (call) => seen((call.args["target"] as { name: string }).name)) {
  const calls: Call[] = [];
  const perform = async (call: Call) => {
    calls.push(call);
    return change(call, calls.length);
  };
  return { calls, perform };
}
const run = (steps: SkillStep[], world: ReturnType<typeof site>, change: Partial<StrictRun> = {}) =>
  runStrict({ revision: content({ steps }), inputs: { month: "2026-03" }, perform: world.perform, signal: new AbortController().signal, ...change });

describe("strict replay", () => {
  it("STR-04: carries out every step in order, values filled in, with nothing but the tools", async () => {
    const world = site();
    const steps = [
      step(1),
      step(2, {
        call: { tool: "browser_click", args: { target: { role: "link", name: "Bill {{month|MMMM}}" } } },
        check: { page: { heading: "Bill {{month|MMMM}}" } },
      }),
    ];
    const told: unknown[] = [];
    const result = await run(steps, world, { onStep: ({ step: number, entry }) => told.push([number, entry?.held ?? null]) });
    expect(result).toMatchObject({
      done: true,
      states: ["done", "done"],
      trace: [
        { step: 1, held: true },
        { step: 2, held: true, calls: 1 },
      ],
    });
    expect(world.calls[1]?.args).toEqual({ target: { role: "link", name: "Bill March" } });
    expect(told).toEqual([
      [1, null],
      [1, true],
      [2, null],
      [2, true],
    ]);
  });
  it.each([
    ["check", /Step 2 \("Press Page 2"\) has no check/u],
    ["call", /Step 2 \("Press Page 2"\) has no call/u],
  ] as const)("STR-01: a step without a %s is an error that names it, and nothing is carried out", async (missing, message) => {
    const world = site();
    const { [missing]: _left, ...rest } = step(2);
    await expect(run([step(1), rest as SkillStep, step(3)], world)).rejects.toThrow(message);
    expect(world.calls).toEqual([]);
  });
  it("STR-01: a check only a person can judge is none", async () => {
    const world = site();
    await expect(run([step(1, { check: { prose: "looks right" } })], world)).rejects.toMatchObject({ code: "replay.not-mechanical", fields: { step: 1 } });
    expect(world.calls).toEqual([]);
  });
  it("STR-02: halts at the second of three checks; the third tool is never called", async () => {
    const world = site((call, count) => seen(count === 2 ? "Sign in" : (call.args["target"] as { name: string }).name));
    const result = await run([step(1), step(2, { onFail: "tell the user to sign in" }), step(3)], world);
    expect(result).toEqual({
      done: false,
      failedAt: 2,
      reason: "expected heading 'Page 2', saw 'Sign in'",
      onFail: "tell the user to sign in",
      stopped: false,
      states: ["done", "failed", "not run"],
      trace: [
        { step: 1, do: "Press Page 1", calls: 1, held: true, finding: "heading 'Page 1'" },
        { step: 2, do: "Press Page 2", calls: 1, held: false, finding: "expected heading 'Page 2', saw 'Sign in'" },
      ],
    });
    expect(world.calls).toHaveLength(2);
  });
  it("STR-03, STR-07: halts where a call fails or is refused, with the reason", async () => {
    const world = site(() => Promise.reject(new KnackError("grant.primitive", '"browser" is not granted')));
    expect(await run([step(1), step(2)], world)).toMatchObject({
      done: false,
      failedAt: 1,
      reason: '"browser" is not granted',
      states: ["failed", "not run"],
      trace: [{ calls: 0 }],
    });
    expect(world.calls).toHaveLength(1);
  });
  it("STR-07: the user stops between two steps: halted before the next action", async () => {
    const stop = new AbortController();
    const world = site((call) => seen((call.args["target"] as { name: string }).name));
    const result = await run([step(1), step(2)], world, { signal: stop.signal, onStep: ({ entry }) => (entry === null ? undefined : stop.abort()) });
    expect(result).toMatchObject({ done: false, failedAt: 2, stopped: true, states: ["done", "not run"], reason: "stopped before this step" });
    expect(world.calls).toHaveLength(1);
  });
  it("STR-07: the user stops during a step: the step is told as failed, the next is not run", async () => {
    const stop = new AbortController();
    const world = site(() => {
      stop.abort();
      return Promise.reject(stop.signal.reason as Error);
    });
    expect(await run([step(1), step(2)], world, { signal: stop.signal })).toMatchObject({
      done: false,
      failedAt: 1,
      stopped: true,
      states: ["failed", "not run"],
      reason: "stopped during this step",
    });
  });
  it("a missing input is an error before anything is carried out", async () => {
    const world = site();
    await expect(run([step(1)], world, { inputs: {} })).rejects.toMatchObject({
      code: "replay.input-missing",
      message: expect.stringContaining("month") as string,
    });
    await expect(run([step(1), step(2, { call: { tool: "browser_open", args: { url: "https://x.example/{{nobody}}" } } })], world)).rejects.toMatchObject({
      fields: { missing: ["nobody"], step: 2 },
    });
    expect(world.calls).toEqual([]);
  });
  it("braces in a value are text", async () => {
    const world = site(() => seen("Page 1"));
    const typed = step(1, { call: { tool: "browser_fill", args: { text: "{{note}}" } } });
    const inputs = {
      type: "object" as const,
      properties: { note: { type: "string" as const, kind: "text" as const, description: "", examples: [] } },
      required: ["note"],
    };
    expect(await run([typed], world, { revision: content({ steps: [typed], inputs }), inputs: { note: "{{other}}" } })).toMatchObject({ done: true });
    expect(world.calls[0]?.args).toEqual({ text: "{{other}}" });
  });
  it("a skill without steps is an error", async () => await expect(run([], site())).rejects.toThrow(/no steps/u));
});

describe("IND-17: a step that is repeated until the next target is there", () => {
  const older = step(1, {
    do: "Press Older",
    repeatUntilNext: true,
    call: { tool: "browser_click", args: { target: { role: "button", name: "Older" } } },
    check: { page: { heading: "Bills" } },
  });
  const bill = step(2, {
    call: { tool: "browser_click", args: { target: { role: "link", name: "Bill {{month|MMMM}}" } } },
    check: { page: { heading: "Bills" } },
  });
  const pressed = (world: ReturnType<typeof site>) => world.calls.filter((call) => (call.args["target"] as { name: string }).name === "Older").length;

  it.each([0, 1, 2, 5])("is carried out %i times when that brings it into sight", async (times) => {
    const world = site((_call, count) => seen("Bills", `page ${count}`));
    const result = await run([older, bill], world, { inSight: (target) => target.name === "Bill March" && pressed(world) >= times });
    expect(result).toMatchObject({ done: true, trace: [{ calls: times }, { calls: 1 }] });
    expect(pressed(world)).toBe(times);
  });
  it("halts when nothing changes any more", async () => {
    const world = site((_call, count) => seen("Bills", `page ${Math.min(count, 2)}`));
    expect(await run([older, bill], world, { inSight: () => false })).toMatchObject({
      done: false,
      failedAt: 1,
      reason: "expected link 'Bill March', and the page no longer changes",
    });
    expect(pressed(world)).toBe(3);
  });
  it("halts after the most repetitions, and when its check fails", async () => {
    const endless = site((_call, count) => seen("Bills", `page ${count}`));
    expect(await run([older, bill], endless, { inSight: () => false, maxRepeats: 4 })).toMatchObject({
      done: false,
      failedAt: 1,
      reason: "expected link 'Bill March', not there after 4 times",
    });
    expect(pressed(endless)).toBe(4);
    const lost = site(() => seen("Sign in"));
    expect(await run([older, bill], lost, { inSight: () => false })).toMatchObject({
      done: false,
      failedAt: 1,
      reason: "expected heading 'Bills', saw 'Sign in'",
    });
    expect(pressed(lost)).toBe(1);
  });
  it("is an error when there is no next target to look for", async () => {
    const world = site();
    await expect(run([older], world, { inSight: () => true })).rejects.toThrow(/repeated until the target of the next step/u);
    await expect(run([older, bill], world)).rejects.toThrow(/repeated until/u);
    expect(world.calls).toEqual([]);
  });
});
