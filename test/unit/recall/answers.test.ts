import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { openStores } from "#adapters/sqlite/open-stores.ts";
import { shipped } from "#app/calibration.ts";
import type { Calibration } from "#contract/models/schema.ts";
import { factKeys } from "#core/learning/index.ts";
import { indexUnknown, thresholdsFor } from "#core/recall/index.ts";
import { learnedShift } from "#core/recall/learn-from-answers.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";
import { storePlaces } from "../../store/fixtures/stores.ts";

const { signal } = new AbortController();
const [known] = shipped as [Calibration];
const steep = (slope: number): Calibration => ({ ...known, curve: { ...known.curve, slope, intercept: -slope * 0.55 } });

describe("what answers say of the threshold", () => {
  it("is the same however many there are and however steep the embedder's curve is: more wrong ones never lower it", () => {
    const answers = fc.array(fc.record({ certainty: fc.double({ min: -10, max: 10, noNaN: true }), right: fc.boolean() }), { maxLength: 300 });
    fc.assert(
      fc.property(fc.constantFrom(0, 9, 40, 80, 1000), answers, fc.double({ min: 0.3, max: 1, noNaN: true }), (slope, some, certainty) => {
        const shift = learnedShift(steep(slope), some);
        expect(Math.abs(shift)).toBeLessThanOrEqual(0.1);
        expect(learnedShift(steep(slope), [...some, { certainty, right: false }])).toBeGreaterThanOrEqual(shift - 1e-9);
        expect(learnedShift(steep(slope), [...some, { certainty, right: true }])).toBeLessThanOrEqual(shift + 1e-9);
      }),
    );
  });

  it("lies where half of fifty answers of one certainty being right is what the moved curve says", () => {
    const half = Array.from({ length: 500 }, (_, at) => ({ certainty: 0.63, right: at % 2 === 0 }));
    expect(learnedShift(steep(40), half)).toBeCloseTo(0.08, 2);
  });
});

describe("a calibration that cannot be read", () => {
  it.each(["", "{", "null", '{"key":1}', "\u0000"])("counts as none, and recall says that nothing is calibrated: %j", (text) => {
    const places = storePlaces();
    openStores({ ...places, clock: () => 1, factKeys }).close();
    const connection = connectionOver(new Database(places.file), places.file);
    const key = { modelHash: "a", quantisation: "", dimension: 4, prefixes: "" };
    connection.run("INSERT INTO calibrations (key, calibration) VALUES (:key, :text)", { key: "a||4|", text });
    const keys = connection.all<{ key: string }>("SELECT key FROM calibrations");
    connection.close();
    const stores = openStores({ ...places, clock: () => 1, factKeys });
    expect([stores.calibrations.of(keys[0]?.key ?? ""), thresholdsFor(stores.calibrations, key, false).calibrated]).toEqual([undefined, false]);
    stores.close();
  });
});

describe("what was declined", () => {
  async function withSkill(): Promise<{ on: Stage; id: string; texts: () => string[]; ready: () => Promise<void> }> {
    const on = stage(billsSite());
    const { id } = await on.addSkill("show-bills", procedure("Show bills"));
    const { skills, vectors } = on.stores;
    return {
      on,
      id,
      texts: () => vectors.vectorsOf(on.embedder.key, "counter", id).map(({ text }) => text),
      ready: () => indexUnknown({ skills, vectors, embedder: on.embedder, now: on.world.clock() }, signal),
    };
  }

  it("REC-13: is compared again after everything was taken out of the index, as an upgrade or a process that ended in between does", async () => {
    const { on, id, texts, ready } = await withSkill();
    on.stores.skills.addPhrasing(id, "Pay bills", true, on.world.clock());
    on.stores.vectors.remove(id);
    await ready();
    expect([texts(), on.stores.vectors.unknown("phrasing", [id])]).toEqual([["Pay bills"], []]);
  });

  it("REC-14: is compared also where a correction declined it, with no embedder at hand", async () => {
    const { on, id, texts, ready } = await withSkill();
    on.stores.skills.addPhrasing(id, "Pay bills", true, on.world.clock());
    await ready();
    on.stores.skills.addPhrasing(id, "Burn bills", true, on.world.clock());
    await ready();
    expect(texts()).toEqual(["Pay bills", "Burn bills"]);
    const asked = on.embedder.asked.length;
    await ready();
    expect(on.embedder.asked.length).toBe(asked);
  });

  it("REC-13: and taken later, with another value in it, counts as taken", async () => {
    const { on, id } = await withSkill();
    on.stores.skills.addPhrasing(id, "Show bills of March 2026", true, on.world.clock());
    expect((await on.turn("Show bills of June 2026")).turn.recall?.candidates[0]?.eliminatedBy).toBe("declined");
    on.stores.skills.addPhrasing(id, "Show bills of May 2026", false, on.world.clock());
    expect((await on.turn("Show bills of June 2026")).turn.recall?.candidates[0]?.eliminatedBy ?? null).toBe(null);
  });
});
