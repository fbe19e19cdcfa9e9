import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeMaintenance } from "#app/maintenance.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, says, stage } from "../../fixtures/makers/stage.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** A process with upkeep, in which a message was said half an hour ago. */
async function resting(mayDream: () => boolean = () => true): Promise<{ on: Stage; upkeep: ReturnType<typeof makeMaintenance>; texts(): string[] }> {
  const on = stage(billsSite(), { settings: { memory: true } });
  // What is plainly said is noted at once; here only a dream is to find it.
  on.world.heard = () => [];
  await on.turn("I live in Leeds.", [says("Well.")]);
  on.setClock(on.skillWorld.clock() + 31 * 60_000);
  const world = {
    ...on.skillWorld,
    model: async () => on.model,
    log: on.world.log,
    backUp: async () => undefined,
    prune: () => 0,
    power: { read: async () => ({ onBattery: false, level: null }) },
  };
  return { on, upkeep: makeMaintenance(world, { isOn: () => false, mayDream }), texts: () => on.stores.facts.list().map(({ text }) => text) };
}

describe("dreaming while nothing is asked", () => {
  it("looks now and then at what has come to rest", async () => {
    const { upkeep, texts } = await resting();
    vi.advanceTimersByTime(6 * 60_000);
    await vi.waitFor(() => expect(texts()).toEqual(["I live in Leeds"]));
    upkeep.stop();
  });

  it.each([
    ["while an answer is being given", () => false, false],
    ["after it was stopped", () => true, true],
  ])("does not %s", async (_what, mayDream, isStopped) => {
    const { upkeep, texts } = await resting(mayDream);
    if (isStopped) upkeep.stop();
    vi.advanceTimersByTime(30 * 60_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(texts()).toEqual([]);
    upkeep.stop();
  });
});
