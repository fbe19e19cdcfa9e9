import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ScriptedEmbedder, scriptedEmbedder } from "#adapters/scripted/index.ts";
import { calibrateEmbedder, shipped, takeShippedCalibration } from "#app/calibration.ts";
import { makeMaintenance } from "#app/maintenance.ts";
import type { Calibration } from "#contract/models/schema.ts";
import { type CalibrationStore, type Embedder, embedderKeyText } from "#core/ports/index.ts";
import { thresholdsFor } from "#core/recall/index.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";
import { fileStores, memoryStores, storePlaces } from "../../store/fixtures/stores.ts";

const never = new AbortController().signal;
const miniLm = shipped[0] as Calibration;
const [modelHash = "", quantisation = "", dimension = ""] = miniLm.key.split(":");
const likeMiniLm = scriptedEmbedder(() => [1, 0], { key: { modelHash, quantisation, dimension: Number(dimension) } });
/** Four directions: the whole of the project's goals is done in a second or two. */
const small = (): ScriptedEmbedder =>
  scriptedEmbedder((text) => {
    const counts = [1, 0, 0, 0];
    for (const letter of text) counts[(letter.codePointAt(0) ?? 0) % 4]! += 1;
    return counts;
  });

/** Counts what is written. */
function counted(store: CalibrationStore): { readonly store: CalibrationStore; readonly puts: () => number } {
  let puts = 0;
  const put: CalibrationStore["put"] = (made) => {
    puts += 1;
    store.put(made);
  };
  return { store: { ...store, put }, puts: () => puts };
}

describe("the shipped calibration", () => {
  it("is of the embedder's own key, model and all", () => expect(embedderKeyText(likeMiniLm.key)).toBe(miniLm.key));

  it("is taken over once, and what was measured on this machine stays", () => {
    const { store, puts } = counted(memoryStores().calibrations);
    expect([takeShippedCalibration(store, likeMiniLm), takeShippedCalibration(store, likeMiniLm), puts()]).toEqual([true, true, 1]);
    expect(store.of(miniLm.key)).toEqual(miniLm);
    store.put({ ...miniLm, cluster: 0.9 });
    takeShippedCalibration(store, likeMiniLm);
    expect(store.of(miniLm.key)?.cluster).toBe(0.9);
  });

  it("takes the place of a row that is damaged", () => {
    const places = storePlaces();
    const { calibrations } = fileStores(places);
    calibrations.put(miniLm);
    const database = new Database(places.file);
    database.exec(`UPDATE calibrations SET calibration = '{"embedder'`);
    database.close();
    expect(thresholdsFor(calibrations, likeMiniLm.key, false).calibrated).toBe(false);
    expect(takeShippedCalibration(calibrations, likeMiniLm)).toBe(true);
    expect(calibrations.of(miniLm.key)).toEqual(miniLm);
  });

  it.each<[string, Partial<Embedder["key"]>]>([
    ["model", { modelHash: "other" }],
    ["quantisation", { quantisation: "Q8_0" }],
    ["dimension", { dimension: 768 }],
    ["set of prefixes", { prefixes: "query: |" }],
  ])("is not for another %s", (_what, change) => {
    const { store, puts } = counted(memoryStores().calibrations);
    expect([takeShippedCalibration(store, { ...likeMiniLm, key: { ...likeMiniLm.key, ...change } }), puts()]).toEqual([false, 0]);
  });
});

describe("calibrating an embedder", () => {
  it("keeps the result under its key, and thresholds are those from then on", async () => {
    const { calibrations } = memoryStores();
    const embedder = small();
    const made = await calibrateEmbedder(calibrations, embedder, new Date(0), never);
    expect([made.embedder, made.key]).toEqual(["scripted", embedderKeyText(embedder.key)]);
    expect(calibrations.of(made.key)).toEqual(made);
    expect(thresholdsFor(calibrations, embedder.key, false)).toMatchObject({ ...made.free, calibrated: true });
  });

  it("keeps nothing when it is stopped, or when the embedder fails", async () => {
    const { calibrations } = memoryStores();
    const stopped = AbortSignal.abort(new Error("enough"));
    await expect(calibrateEmbedder(calibrations, small(), new Date(0), stopped)).rejects.toThrow("enough");
    const broken = { ...small(), embed: () => Promise.reject(new Error("out of memory")) };
    await expect(calibrateEmbedder(calibrations, broken, new Date(0), never)).rejects.toThrow("out of memory");
    expect(calibrations.of(embedderKeyText(small().key))).toBeUndefined();
  });

  it("lets others have the processor while it reckons", async () => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await calibrateEmbedder(memoryStores().calibrations, small(), new Date(0), never);
    isDone = true;
    expect(turns).toBeGreaterThan(100);
  });
});

/** A process with upkeep, whose embedder nobody has calibrated. After so many calls the embedder waits until it is let go on. */
function upkeepWith(embedder: Embedder, calibrates = true): { on: Stage; upkeep: ReturnType<typeof makeMaintenance>; kept(): Calibration | undefined } {
  const on = stage(billsSite(), { settings: { memory: true } });
  const world = {
    ...on.skillWorld,
    embedder: async () => embedder,
    model: async () => on.model,
    log: on.world.log,
    backUp: async () => undefined,
    prune: () => 0,
    power: { read: async () => ({ onBattery: false, level: null }) },
  };
  const upkeep = makeMaintenance(world, { isOn: () => true, mayDream: () => false, calibrates });
  onTestFinished(() => upkeep.stop());
  return { on, upkeep, kept: () => on.stores.calibrations.of(embedderKeyText(embedder.key)) };
}

/** An embedder that waits at its tenth call until it is stopped, the first time. */
function waitsOnce(): { readonly embedder: Embedder; readonly isWaiting: () => boolean; readonly calls: () => number } {
  const inner = small();
  let calls = 0;
  let isWaiting = false;
  const embed: Embedder["embed"] = async (texts, kind, signal) => {
    calls += 1;
    if (calls === 10) {
      isWaiting = true;
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
    }
    return inner.embed(texts, kind, signal);
  };
  return { embedder: { ...inner, embed }, isWaiting: () => isWaiting, calls: () => calls };
}

const soon = { timeout: 15_000, interval: 20 };

describe("in the background", () => {
  it("an embedder of which nothing is shipped is calibrated, once", async () => {
    const embedder = small();
    const { on, upkeep, kept } = upkeepWith(embedder);
    await upkeep.begin();
    await vi.waitFor(() => expect(kept()).toMatchObject({ embedder: "scripted" }), soon);
    await vi.waitFor(() => expect(on.stores.learning.reports(5)).not.toEqual([]), soon);
    const { length } = embedder.asked;
    await upkeep.stop();
    const again = makeMaintenance(
      {
        ...on.skillWorld,
        embedder: async () => embedder,
        model: async () => on.model,
        log: on.world.log,
        backUp: async () => undefined,
        prune: () => 0,
        power: { read: async () => ({ onBattery: false, level: null }) },
      },
      { isOn: () => true, mayDream: () => false, calibrates: true },
    );
    await again.begin();
    await vi.waitFor(() => expect(on.stores.learning.reports(5)).toHaveLength(2), soon);
    expect(embedder.asked).toHaveLength(length);
    await again.stop();
  });

  it("it gives way to a message, and is begun anew when that is answered", async () => {
    const { embedder, isWaiting, calls } = waitsOnce();
    const { on, upkeep, kept } = upkeepWith(embedder);
    await upkeep.begin();
    await vi.waitFor(() => expect(isWaiting()).toBe(true), soon);
    upkeep.giveWay();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([calls(), kept()]).toEqual([10, undefined]);
    upkeep.goOn();
    await vi.waitFor(() => expect(kept()).toBeDefined(), soon);
    expect(calls()).toBeGreaterThan(100);
    expect(on.log.entries).toEqual([]);
  });

  it("it is left out where Knack is closed meanwhile, which is no failure", async () => {
    const { embedder, isWaiting } = waitsOnce();
    const { on, upkeep, kept } = upkeepWith(embedder);
    await upkeep.begin();
    await vi.waitFor(() => expect(isWaiting()).toBe(true), soon);
    await upkeep.stop();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([kept(), on.log.entries]).toEqual([undefined, []]);
  });

  it("an embedder that fails is told to the log, and the pass goes on", async () => {
    const broken: Embedder = { ...small(), embed: () => Promise.reject(new Error("out of memory")) };
    const { on, upkeep, kept } = upkeepWith(broken);
    await upkeep.begin();
    await vi.waitFor(() => expect(on.stores.learning.reports(5)).not.toEqual([]), soon);
    expect([kept(), on.log.entries]).toEqual([undefined, [expect.objectContaining({ event: "calibration-failed" })]]);
  });

  it("nothing is measured where it is not wanted, nor where a calibration is shipped", async () => {
    for (const [embedder, calibrates] of [
      [small(), false],
      [likeMiniLm, true],
    ] as const) {
      const { on, upkeep, kept } = upkeepWith(embedder, calibrates);
      await upkeep.begin();
      await vi.waitFor(() => expect(on.stores.learning.reports(5)).not.toEqual([]), soon);
      expect(kept()).toEqual(calibrates ? miniLm : undefined);
    }
    expect(likeMiniLm.asked).toEqual([]);
  });
});
