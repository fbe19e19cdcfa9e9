import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openStateFolder, type StateFolderOptions } from "../../../src-main/adapters/llama/states/state-folder.ts";
import type { StateKey } from "../../../src-main/adapters/llama/states/state-key.ts";

const key: StateKey = {
  model: "a".repeat(64),
  library: "3.21.1",
  engine: "b1",
  machine: "linux-x64 cpu",
  contextSize: 2048,
  batchSize: 512,
  flashAttention: "auto",
  keyType: "F16",
  valueType: "F16",
};
const talk = { conversation: "talk one" };
const tokens = Array.from({ length: 300 }, (_, index) => index * 7);
/** A process that is no longer there, and one that is. */
const dead = 999_999_001;
const living = 999_999_002;

let root: string;
let logged: { event: string; code: unknown }[];
/** Files the engine was given to read. */
let given: string[];

beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), "knack-states-")), "states");
  logged = [];
  given = [];
  const made = root;
  onTestFinished(() => rmSync(join(made, ".."), { recursive: true, force: true }));
});

function open(change: Partial<StateFolderOptions> = {}) {
  const note = (event: string, fields: Record<string, unknown> = {}): void => void logged.push({ event, code: fields.code });
  return openStateFolder({
    root,
    store: "/home/kim/data",
    limitBytes: () => 100_000_000,
    isAlive: (pid) => pid === living,
    log: { info: note, warn: note, error: note },
    ...change,
  });
}

type Folder = ReturnType<typeof open>;

/** The engine of these tests: a state is bytes, and reading one is seen. */
const engine =
  (bytes: number, fill = 1) =>
  async (file: string) => {
    writeFileSync(file, Buffer.alloc(bytes, fill));
    return bytes;
  };
const reads = async (file: string): Promise<void> => void given.push(readFileSync(file).toString("base64"));

async function saved(folder: Folder, { owner = talk, bytes = 8000, fill = 1, note = "said so far" } = {}): Promise<string> {
  await folder.save(owner, { key, tokens, note }, engine(bytes, fill));
  await folder.idle();
  return stateFiles().at(-1) ?? "";
}

function stateFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".state"))
    .map((name) => join(root, name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
}

const everything = (): string[] => readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(root, name)).isFile());

describe("a saved state", () => {
  it("comes back in another process with its tokens, its note and every byte", async () => {
    await saved(open(), { bytes: 5000, fill: 7 });
    const later = open();
    expect(later.look(talk, key)).toMatchObject({ tokens, note: "said so far", bytes: 5000 });
    expect(later.note(talk.conversation)).toBe("said so far");
    expect(await later.load(talk, key, reads)).toBe(true);
    expect(Buffer.from(given[0] ?? "", "base64").subarray(0, 5000)).toEqual(Buffer.alloc(5000, 7));
    expect(logged).toEqual([]);
  });

  it("is for its user alone, and its name tells nothing", async () => {
    chmodSync(join(root, ".."), 0o755);
    mkdirSync(root, { mode: 0o755 });
    const file = await saved(open());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(file).not.toContain("talk one");
  });

  it("is one for a conversation, and one for each beginning", async () => {
    const folder = open();
    await saved(folder);
    await saved(folder, { fill: 2 });
    const other = { ...key, library: "4.0.0" };
    await folder.save(talk, { key: other, tokens, note: "" }, engine(100));
    await folder.save({ prefix: [1, 2, 3] }, { key, tokens: [1, 2, 3], note: "" }, engine(100));
    await folder.save({ prefix: [1, 2, 4] }, { key, tokens: [1, 2, 4], note: "" }, engine(100));
    await folder.idle();
    expect(folder.look(talk, key)).toBeNull();
    expect(folder.look(talk, other)).not.toBeNull();
    expect(folder.usage().files).toBe(3);
  });

  it("is not there while it is being written, and nothing of a writing that broke off stays", async () => {
    const folder = open();
    await folder.save(talk, { key, tokens, note: "" }, async (file) => {
      writeFileSync(file, "half");
      expect(open().look(talk, key)).toBeNull();
      throw new Error("the engine failed");
    });
    expect(everything()).toEqual([]);
    expect(logged).toEqual([{ event: "state-not-saved", code: "state.not-written" }]);
  });

  it("is not kept when the engine wrote less than it says, as on a full disk", async () => {
    const folder = open();
    await folder.save(talk, { key, tokens, note: "" }, async (file) => {
      writeFileSync(file, Buffer.alloc(500));
      return 1000;
    });
    await folder.idle();
    expect(everything()).toEqual([]);
    expect(logged).toEqual([{ event: "state-not-saved", code: "state.not-written" }]);
  });
});

describe("damage", () => {
  async function neverRead(change: Partial<StateKey> = {}): Promise<void> {
    const folder = open();
    expect(await folder.load(talk, { ...key, ...change }, reads)).toBe(false);
    expect(given).toEqual([]);
  }

  it("by cutting a file short at any kilobyte is seen before the engine sees it, and the state is made anew", async () => {
    const whole = await saved(open(), { bytes: 40_000 });
    const copy = join(root, "..", "whole");
    copyFileSync(whole, copy);
    const { size } = statSync(whole);
    for (let at = 0; at < size; at += 1024) {
      copyFileSync(copy, whole);
      truncateSync(whole, at);
      await neverRead();
      expect(existsSync(whole)).toBe(false);
    }
    expect(logged).toHaveLength(Math.ceil(size / 1024));
    expect(logged[0]).toEqual({ event: "state-removed", code: "state.cut-short" });
    expect(new Set(logged.map(({ event }) => event))).toEqual(new Set(["state-removed"]));
    const folder = open();
    await saved(folder);
    expect(await folder.load(talk, key, reads)).toBe(true);
  });

  it("by a flipped bit anywhere is seen before the engine sees it", async () => {
    const whole = await saved(open(), { bytes: 3000 });
    const bytes = readFileSync(whole);
    // Every eleventh byte, and all of the foot.
    const places = Array.from({ length: bytes.length }, (_, at) => at).filter((at) => at % 11 === 0 || at >= bytes.length - 48);
    for (const at of places) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(whole, flipped);
      const folder = open();
      const isLoaded = await folder.load(talk, key, reads);
      expect([at, isLoaded, existsSync(whole)]).toEqual([at, false, false]);
    }
    expect(given).toEqual([]);
  });

  it("is what the state of another model is under this one's name, or of another version or context", async () => {
    for (const change of [
      { model: "b".repeat(64) },
      { library: "3.22.0" },
      { engine: "b2" },
      { machine: "linux-x64 vulkan" },
      { contextSize: 4096 },
      { flashAttention: "true" },
      { keyType: "Q8_0" },
    ]) {
      const other = { ...key, ...change };
      const folder = open();
      await folder.save(talk, { key: other, tokens, note: "" }, engine(2000));
      await folder.idle();
      const theirs = stateFiles()[0] ?? "";
      await saved(folder);
      const ours = stateFiles()[0] ?? "";
      rmSync(ours);
      await folder.save(talk, { key: other, tokens, note: "" }, engine(2000));
      await folder.idle();
      copyFileSync(theirs, ours);
      logged = [];
      await neverRead();
      expect(existsSync(ours)).toBe(false);
      expect(logged).toEqual([{ event: "state-removed", code: "state.foreign" }]);
      await open().remove(null);
    }
  });

  it("is one of another conversation, of another beginning or of another store, put in its place", async () => {
    const ours = await saved(open());
    for (const theirs of [
      { from: open(), owner: { conversation: "talk two" } },
      { from: open({ store: "/home/ana/data" }), owner: talk },
    ]) {
      await theirs.from.save(theirs.owner, { key, tokens, note: "of somebody else" }, engine(2000));
      await theirs.from.idle();
      const file = stateFiles().find((one) => one !== ours) ?? "";
      copyFileSync(file, ours);
      rmSync(file);
      logged = [];
      expect(open().note(talk.conversation)).toBeNull();
      expect([existsSync(ours), logged]).toEqual([false, [{ event: "state-removed", code: "state.foreign" }]]);
      await saved(open());
    }
    const folder = open();
    await folder.save({ prefix: [1, 2] }, { key, tokens: [1, 2], note: "" }, engine(10));
    await folder.idle();
    const first = stateFiles().at(-1) ?? "";
    await folder.save({ prefix: [1, 3] }, { key, tokens: [1, 3], note: "" }, engine(10));
    await folder.idle();
    copyFileSync(stateFiles().at(-1) ?? "", first);
    expect(open().look({ prefix: [1, 2] }, key)).toBeNull();
  });

  it("is what a file of something else is", async () => {
    const file = await saved(open());
    writeFileSync(file, "not a state".repeat(100));
    await neverRead();
    expect(logged).toEqual([{ event: "state-removed", code: "state.foreign" }]);
  });

  it("is what the engine refuses", async () => {
    const folder = open();
    const file = await saved(folder);
    expect(await folder.load(talk, key, () => Promise.reject(new Error("too large for this context")))).toBe(false);
    expect(existsSync(file)).toBe(false);
    expect(logged[0]).toEqual({ event: "state-removed", code: "state.refused" });
  });
});

describe("a process that died while it read a state", () => {
  it("leaves a mark, and the next one removes the file unread", async () => {
    const file = await saved(open());
    writeFileSync(`${file}.reading.${dead}`, "");
    const folder = open();
    expect(everything()).toEqual([]);
    expect(await folder.load(talk, key, reads)).toBe(false);
    expect(given).toEqual([]);
    expect(logged).toEqual([{ event: "state-removed", code: "state.crashed" }]);
  });

  it("is noticed by one that was there all along", async () => {
    const folder = open();
    const file = await saved(folder);
    writeFileSync(`${file}.reading.${dead}`, "");
    expect(await folder.load(talk, key, reads)).toBe(false);
    expect(given).toEqual([]);
  });

  it("is told from one that reads just now", async () => {
    const file = await saved(open());
    writeFileSync(`${file}.reading.${living}`, "");
    const folder = open();
    expect(await folder.load(talk, key, reads)).toBe(true);
    expect(existsSync(`${file}.reading.${living}`)).toBe(true);
  });

  it("is not mistaken for a living one whose number was given anew", async () => {
    const file = await saved(open());
    const mark = `${file}.reading.${living}`;
    writeFileSync(mark, "");
    utimesSync(mark, new Date(1000), new Date(1000));
    expect(await open().load(talk, key, reads)).toBe(false);
  });

  it("had its mark in place while it read, and nothing stays after a reading that went well", async () => {
    const folder = open();
    const file = await saved(folder);
    await folder.load(talk, key, async () => expect(existsSync(`${file}.reading.${process.pid}`)).toBe(true));
    expect(everything()).toHaveLength(1);
  });

  it("may have left drafts, which go; those of a living one stay", async () => {
    const file = await saved(open());
    writeFileSync(`${file}.writing.${dead}.1`, "half");
    writeFileSync(`${file}.writing.${living}.1`, "half");
    open();
    expect(everything().map((name) => name.replace(/^.*\.state/u, ""))).toEqual(expect.arrayContaining(["", `.writing.${living}.1`]));
    expect(everything()).toHaveLength(2);
  });
});

describe("the room for states", () => {
  const one = { conversation: "1" };
  const two = { conversation: "2" };
  const three = { conversation: "3" };

  it("is bounded over all stores of a user: what was not used for longest goes first", async () => {
    let now = Date.now() - 1_000_000;
    const clock = () => (now += 1000);
    const limitBytes = () => 30_000;
    const folder = open({ limitBytes, clock });
    const other = open({ store: "/elsewhere", limitBytes, clock });
    for (const [at, owner] of [one, two].entries()) {
      await folder.save(owner, { key, tokens, note: "" }, engine(10_000));
      await folder.idle();
      utimesSync(stateFiles().at(-1) ?? "", new Date(now + at * 1000), new Date(now + at * 1000));
    }
    expect(await folder.load(one, key, reads)).toBe(true);
    await other.save(three, { key, tokens, note: "" }, engine(10_000));
    await other.idle();
    expect(folder.look(one, key)).not.toBeNull();
    expect(folder.look(two, key)).toBeNull();
    expect(other.look(three, key)).not.toBeNull();
    expect(folder.usage().bytes).toBeLessThanOrEqual(30_000);
  });

  it("holds no state larger than all of it, and none at all at zero", async () => {
    const small = open({ limitBytes: () => 5000 });
    await saved(small, { bytes: 8000 });
    expect(logged).toEqual([{ event: "state-not-saved", code: "state.too-large" }]);
    let isAsked = false;
    await open({ limitBytes: () => 0 }).save(talk, { key, tokens, note: "" }, async () => {
      isAsked = true;
      return 1;
    });
    expect(isAsked).toBe(false);
    expect(everything()).toEqual([]);
  });

  it("shrinks with its limit", async () => {
    let limit = 100_000;
    const folder = open({ limitBytes: () => limit });
    await saved(folder);
    limit = 0;
    folder.bound();
    expect(folder.usage()).toEqual({ files: 0, bytes: 0 });
  });

  it("is none on a full disk: nothing is written, and the log says so", async () => {
    await saved(open({ freeBytes: () => 1_000_000 }));
    expect(everything()).toEqual([]);
    expect(logged).toEqual([{ event: "state-not-saved", code: "state.disk-full" }]);
  });
});

describe("erasing", () => {
  it("removes what is kept of a conversation, and leaves the others", async () => {
    const folder = open();
    await saved(folder);
    await saved(folder, { owner: { conversation: "another" } });
    expect(folder.remove(talk.conversation)).toBe(1);
    expect(folder.look(talk, key)).toBeNull();
    expect(folder.note(talk.conversation)).toBeNull();
    expect(folder.look({ conversation: "another" }, key)).not.toBeNull();
  });

  it("holds for what is being saved just then", async () => {
    const folder = open();
    for (const [owner, erased] of [
      [talk, talk.conversation],
      [talk, null],
      [{ prefix: [1, 2] }, null],
    ] as const) {
      await folder.save(owner, { key, tokens, note: "" }, engine(2_000_000));
      folder.remove(erased);
      await folder.idle();
      expect(everything()).toEqual([]);
    }
  });

  it("of all takes every state of this store, and none of another", async () => {
    const [folder, other] = [open(), open({ store: "/elsewhere" })];
    await saved(folder);
    await saved(other);
    await folder.save({ prefix: [1] }, { key, tokens: [1], note: "" }, engine(100));
    await folder.idle();
    expect(folder.remove(null)).toBe(2);
    expect(other.look(talk, key)).not.toBeNull();
  });
});

describe("a state that cannot be removed", () => {
  /** No file at all, so that nobody can remove it as one. */
  async function stuck(): Promise<string> {
    const file = await saved(open());
    rmSync(file);
    mkdirSync(file);
    return file;
  }

  it("is told of with where it is, once all others are gone", async () => {
    await stuck();
    await open().save({ prefix: [1, 2] }, { key, tokens: [1, 2], note: "" }, engine(10));
    const folder = open();
    await folder.save({ prefix: [1, 3] }, { key, tokens: [1, 3], note: "" }, engine(10));
    await folder.idle();
    expect(() => folder.remove(null)).toThrow(/1 saved state of prompts could not be removed from .* make the folder writable/iu);
    expect(everything()).toEqual([]);
  });

  it("stops nobody from changing the limit", async () => {
    await stuck();
    open({ limitBytes: () => 0 }).bound();
    expect(logged.map(({ event }) => event)).toEqual(["state-not-removed"]);
  });
});
