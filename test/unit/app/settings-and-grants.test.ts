import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readGrant, sameGrant, seedGrants } from "#app/grants.ts";
import { changeSettings, readSettings } from "#app/settings-of.ts";
import { settingsSchema } from "#contract/settings/schema.ts";
import { memoryStores } from "../../store/fixtures/stores.ts";

describe("settings", () => {
  const defaults = settingsSchema.parse({});

  it("what was never set has its default", () => expect(readSettings(memoryStores().settings)).toEqual(defaults));

  it("a change is kept, the rest stays", () => {
    const { settings } = memoryStores();
    changeSettings(settings, { learning: false });
    expect(changeSettings(settings, { theme: "dark" })).toEqual({ ...defaults, learning: false, theme: "dark" });
  });

  it("a change is checked as a whole before any of it is written", () => {
    const { settings } = memoryStores();
    expect(() => changeSettings(settings, { learning: false, theme: "pink" } as never)).toThrow(/theme/u);
    expect(readSettings(settings)).toEqual(defaults);
  });

  it("one layer of enforcement is switched without touching the others; a layer that does not exist is refused", () => {
    const { settings } = memoryStores();
    changeSettings(settings, { enforcement: { gate: false } });
    expect(changeSettings(settings, { enforcement: { router: false } }).enforcement).toEqual({
      ...readSettings(memoryStores().settings).enforcement,
      gate: false,
      router: false,
    });
    expect(() => changeSettings(settings, { enforcement: { gates: false } } as never)).toThrow(/enforcement.*gates/u);
  });
  it("a key that does not exist is refused", () => expect(() => changeSettings(memoryStores().settings, { lerning: false } as never)).toThrow(/lerning/u));

  it("a value that went bad does not take the others with it, and unknown keys stay", () => {
    const { settings } = memoryStores();
    settings.set("theme", 7);
    settings.set("memory", false);
    settings.set("ofTomorrow", 1);
    expect([readSettings(settings), settings.get("ofTomorrow")]).toEqual([{ ...defaults, memory: false }, 1]);
  });
});

describe("what a person grants", () => {
  const reading = { isPublicSuffix: (host: string) => host === "example", classify: () => "public" as const };
  let count = 0;
  const read = (what: string) => readGrant(what, "user", reading, () => `id-${(count += 1)}`, 5);
  const folder = (): string => {
    const made = realpathSync(mkdtempSync(join(tmpdir(), "knack-grant-")));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  it.each([
    ["https://portal.example/bills", { scheme: "https", host: "portal.example", port: 443 }],
    ["portal.example", { scheme: "https", host: "portal.example", port: 443 }],
    ["http://portal.example:8080", { scheme: "http", host: "portal.example", port: 8080 }],
  ])("an address or a host: %s", (what, destination) =>
    expect(read(what)).toMatchObject({ kind: "destination", by: "user", createdAt: 5, destination: { ...destination, use: "navigate" } }),
  );

  it("a primitive by its name", () => expect(read("memory")).toMatchObject({ kind: "primitive", primitive: "memory" }));

  it("a folder that is there, by its real path", () => {
    const made = folder();
    mkdirSync(join(made, "inner"));
    expect(read(join(made, "inner", "..", "inner"))).toMatchObject({ kind: "workspace", folder: join(made, "inner") });
  });

  it("a folder that is not there, and a file, are told apart", () => {
    const made = folder();
    writeFileSync(join(made, "file.txt"), "");
    expect(() => read(join(made, "none"))).toThrow("There is no folder");
    expect(() => read(join(made, "file.txt"))).toThrow("is a file; grant the folder it is in");
  });

  it.each(["", "   ", "*.example", "not a host"])("%j is nothing that can be granted", (what) => expect(() => read(what)).toThrow());

  it("the same grant is found again, another one is not", () => {
    const { grants } = memoryStores();
    grants.add(read("https://portal.example"));
    expect([sameGrant(grants, read("portal.example"))?.kind, sameGrant(grants, read("http://portal.example"))]).toEqual(["destination", undefined]);
  });

  it("a new data folder starts with primitives alone: no destination, no folder, nothing that runs commands", () => {
    const { grants } = memoryStores();
    seedGrants(grants, () => `seed-${(count += 1)}`, 1);
    expect(
      grants
        .list()
        .map((grant) => (grant.kind === "primitive" ? grant.primitive : grant.kind))
        .sort(),
    ).toEqual(["browser", "memory", "workspace"]);
  });
});
