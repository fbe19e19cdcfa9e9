import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { migrate } from "#adapters/sqlite/migrate.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { openStores } from "#adapters/sqlite/open-stores.ts";
import { shipped } from "#app/calibration.ts";
import type { Calibration } from "#contract/models/schema.ts";
import type { EmbedderKey } from "#core/ports/embedder.ts";
import { ledgerEntry, revision, skill } from "./fixtures/records.ts";
import { codeThrown, fileStores, memoryStores, storePlaces } from "./fixtures/stores.ts";

const miniLm = shipped[0] as Calibration;
const key: EmbedderKey = { modelHash: "aa", quantisation: "", dimension: 2, prefixes: "" };
const otherModel: EmbedderKey = { ...key, modelHash: "bb" };
const vector = (...values: number[]): Float32Array => new Float32Array(values);
const entry = (text: string, ...values: number[]) => ({ text, vector: vector(...values) });

describe("a calibration", () => {
  it("comes back as it was kept, under its own key alone, and takes the place of the one before", () => {
    const { calibrations } = memoryStores();
    calibrations.put(miniLm);
    calibrations.put({ ...miniLm, key: "other", cluster: 0.1 });
    expect([calibrations.of(miniLm.key), calibrations.of("other")?.cluster, calibrations.of("third")]).toEqual([miniLm, 0.1, undefined]);
    calibrations.put({ ...miniLm, cluster: 0.9 });
    expect([calibrations.of(miniLm.key)?.cluster, calibrations.of("other")?.cluster]).toEqual([0.9, 0.1]);
  });

  it.each([
    ["is cut short", '{"embedder":"all-'],
    ["is empty", ""],
    ["is something else", "[1,2]"],
    ["has no threshold", JSON.stringify({ ...miniLm, free: undefined })],
    ["has a threshold that is no number", JSON.stringify(miniLm).replace(/"use":[0-9.]+/u, '"use":null')],
  ])("that %s counts as none, and can be made anew", (_what, text) => {
    const places = storePlaces();
    const stores = fileStores(places);
    stores.calibrations.put(miniLm);
    const database = new Database(places.file);
    database.prepare("UPDATE calibrations SET calibration = ?").run(text);
    database.close();
    expect(stores.calibrations.of(miniLm.key)).toBeUndefined();
    stores.calibrations.put(miniLm);
    expect(stores.calibrations.of(miniLm.key)).toEqual(miniLm);
  });
});

describe("answers", () => {
  it("come back newest first, as many as 500 of each embedder; older ones are let go", () => {
    const places = storePlaces();
    const { calibrations } = fileStores(places);
    calibrations.addAnswer("other", { certainty: 0.5, right: true }, 1);
    for (let at = 0; at < 520; at += 1) calibrations.addAnswer("key", { certainty: at / 1000, right: at % 2 === 0 }, at);
    const answers = calibrations.answers("key");
    expect([answers.length, answers[0], answers[499]]).toEqual([500, { certainty: 0.519, right: false }, { certainty: 0.02, right: true }]);
    expect(calibrations.answers("other")).toEqual([{ certainty: 0.5, right: true }]);
    const database = new Database(places.file);
    expect(database.prepare("SELECT key, count(*) AS count FROM recall_answers GROUP BY key ORDER BY key").all()).toEqual([
      { key: "key", count: 500 },
      { key: "other", count: 1 },
    ]);
    database.close();
  });
});

describe("the mean of an owner's vectors", () => {
  it("finds it by what all its texts have in common, where one text of another is nearer", () => {
    const { vectors } = memoryStores();
    vectors.replace(key, "phrasing", "all", [entry("a", 0.9, 0.2), entry("b", 0.9, -0.2)]);
    vectors.replace(key, "phrasing", "one", [entry("c", 1, 0), entry("d", 0, 1)]);
    const [best, next] = vectors.searchMeans(key, "phrasing", vector(1, 0), 5);
    expect([best?.ownerId, best?.score.toFixed(3), next?.ownerId, next?.score.toFixed(3)]).toEqual(["all", "1.000", "one", "0.707"]);
    expect(vectors.searchMeans(key, "phrasing", vector(1, 0), 1).map(({ ownerId }) => ownerId)).toEqual(["all"]);
    expect(vectors.nearestOf(key, "phrasing", vector(1, 0), ["all", "one"]).map(({ ownerId, of }) => [ownerId, of])).toEqual([
      ["one", 2],
      ["all", 2],
    ]);
  });

  it("is found in the order of ids where two are as near", () => {
    const { vectors } = memoryStores();
    for (const owner of ["c", "a", "b"]) vectors.replace(key, "phrasing", owner, [entry(owner, 1, 0)]);
    expect(vectors.searchMeans(key, "phrasing", vector(1, 1), 2).map(({ ownerId }) => ownerId)).toEqual(["a", "b"]);
    expect(vectors.meansOf(key, "phrasing", vector(1, 1), ["c", "b", "a"]).map(({ ownerId }) => ownerId)).toEqual(["a", "b", "c"]);
  });

  it("is compared only under its own key and kind; another dimension is an error", () => {
    const { vectors } = memoryStores();
    vectors.replace(key, "phrasing", "a", [entry("a", 1, 0)]);
    vectors.replace(otherModel, "phrasing", "b", [entry("b", 1, 0)]);
    vectors.replace(key, "counter", "c", [entry("c", 1, 0)]);
    expect(vectors.searchMeans(key, "phrasing", vector(1, 0), 9).map(({ ownerId }) => ownerId)).toEqual(["a"]);
    expect(vectors.meansOf(key, "phrasing", vector(1, 0), ["a", "b", "c"]).map(({ ownerId }) => ownerId)).toEqual(["a"]);
    expect(codeThrown(() => vectors.searchMeans(key, "phrasing", vector(1, 0, 0), 9))).toBe("store.dimension");
    expect(codeThrown(() => vectors.meansOf(key, "phrasing", vector(1, 0, 0), ["a"]))).toBe("store.dimension");
    expect(codeThrown(() => vectors.nearestOf(key, "phrasing", vector(1, 0, 0), ["a"]))).toBe("store.dimension");
  });

  it("is not there where they cancel out, and comes with the next text", () => {
    const { vectors } = memoryStores();
    vectors.replace(key, "phrasing", "a", [entry("a", 1, 0), entry("b", -1, 0)]);
    expect([vectors.searchMeans(key, "phrasing", vector(1, 0), 9), vectors.nearestOf(key, "phrasing", vector(1, 0), ["a"]).length]).toEqual([[], 1]);
    vectors.replace(key, "phrasing", "a", [entry("a", 1, 0)]);
    expect(vectors.searchMeans(key, "phrasing", vector(1, 0), 9)).toHaveLength(1);
  });

  it("goes with the texts under every key: when they are others, when the owner is removed, and when the skill is erased", () => {
    const stores = memoryStores();
    const { vectors } = stores;
    const means = (): number[] => [key, otherModel].map((one) => vectors.searchMeans(one, "phrasing", vector(1, 0), 9).length);
    const fill = (): void => [key, otherModel].forEach((one) => void vectors.replace(one, "phrasing", "s", [entry("a", 1, 0)]));
    stores.skills.create(skill("s", "name"), revision("s", 1), ledgerEntry("l", "s"));
    fill();
    expect(means()).toEqual([1, 1]);
    vectors.replace(key, "phrasing", "s", [entry("b", 1, 0)]);
    expect(means()).toEqual([1, 0]);
    fill();
    vectors.remove("s");
    expect(means()).toEqual([0, 0]);
    fill();
    stores.skills.erase("s", 1);
    expect(means()).toEqual([0, 0]);
  });

  it("is what reckoning by hand gives, whatever the vectors", () => {
    const component = fc.integer({ min: -9, max: 9 });
    const direction = fc.tuple(component, component).filter(([x, y]) => x !== 0 || y !== 0);
    fc.assert(
      fc.property(fc.uniqueArray(direction, { minLength: 1, maxLength: 6, selector: String }), direction, (stored, query) => {
        const { vectors } = memoryStores();
        vectors.replace(
          key,
          "phrasing",
          "a",
          stored.map((values, at) => entry(`t${at}`, ...values)),
        );
        const [x, y] = [0, 1].map((axis) => stored.reduce((sum, values) => sum + (values[axis] ?? 0), 0)) as [number, number];
        const [found] = vectors.searchMeans(key, "phrasing", vector(...query), 1);
        if (x === 0 && y === 0) expect(found).toBeUndefined();
        else expect(found?.score).toBeCloseTo((x * query[0] + y * query[1]) / (Math.hypot(x, y) * Math.hypot(...query)), 4);
      }),
      { numRuns: 40 },
    );
  });
});

describe("a store of before there were means", () => {
  it("opens; the texts that have none are gone, and are reported as to be embedded anew", () => {
    const before = migrations.findIndex((sql) => sql.includes("CREATE TABLE means"));
    const places = storePlaces();
    fileStores(places).close();
    const file = `${places.file}.old`;
    const connection = connectionOver(new Database(file), file);
    migrate(connection, migrations.slice(0, before), () => {});
    connection.run("INSERT INTO embedders (key, dimension) VALUES ('aa::2:', 2)");
    connection.run("INSERT INTO texts (id, owner_kind, owner_id, text) VALUES (1, 'phrasing', 's', 'Fetch my bill')");
    connection.run("INSERT INTO vectors (id, embedder_id, owner_kind, text_id, vector) VALUES (1, 1, 'phrasing', 1, x'0000803f00000000')");
    connection.close();
    const stores = openStores({ file, backupFolder: places.backupFolder, clock: () => 1000 });
    expect([stores.vectors.unknown("phrasing", ["s"]), stores.vectors.searchText("phrasing", "bill", 5), stores.integrity()]).toEqual([["s"], [], "ok"]);
    stores.vectors.replace(key, "phrasing", "s", [entry("Fetch my bill", 1, 0)]);
    expect(stores.vectors.searchMeans(key, "phrasing", vector(1, 0), 5)).toHaveLength(1);
    stores.close();
  });
});
