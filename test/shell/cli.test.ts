import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { catalogue } from "#models/fetch.ts";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const knack = (args: readonly string[], start: Parameters<typeof knackIn>[2] = {}) => knackIn(folder, args, start);
const json = (...args: string[]) => jsonIn(folder, args);

describe("bad usage is one line and exit 2", () => {
  test.each([
    ["an unknown command names the nearest", ["skils"], "Did you mean skills?"],
    ["an unknown command like none names them all", ["zzzzzz"], "There are: ask, chat"],
    ["a word that needs another names them", ["grants"], "knack grants list|add|revoke"],
    ["an unknown option names the nearest", ["grants", "list", "--jsn"], "Did you mean --json?"],
    ["a missing argument names it", ["ask"], "missing required argument 'goal'"],
    ["an argument too many is shown", ["grants", "list", "extra"], "extra"],
    ["a number out of range says the range", ["ask", "hi", "--max-steps", "0"], "from 1 to 100"],
    ["a choice says the choices", ["ask", "hi", "--confirm", "maybe"], "yes, no"],
    ["an empty goal", ["ask", " "], "Say what to do"],
    ["an input without a value", ["skills", "run", "x", "--input", "month"], "name=value"],
    ["an input of nothing", ["skills", "run", "x", "--input", "month= "], "name=value"],
    ["an input given twice", ["skills", "run", "x", "--input", "month=May", "--input", "month=June"], "twice"],
    ["a bench of too few skills", ["bench", "recall", "--skills", "3"], "from 10 to 100000"],
    ["a bench of no episodes", ["bench", "learn", "--episodes", "0"], "from 1 to 1000000"],
    ["a teaching that is none", ["eval", "routines", "--teach", "film"], "none, show, chat"],
    ["teaching at an address no browser opens", ["skills", "teach", "x", "--url", "ftp://a.example"], "https://"],
  ])("%s", async (_, args, says) => {
    expectOneLine(await knack(args), 2, says);
    // Nothing was opened for it.
    expect(await readdir(folder)).toEqual([]);
  });

  test("help is no error", async () => {
    const { code, out, err } = await knack(["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const command of [
      "ask",
      "chat",
      "web",
      "app",
      "skills",
      "conversations",
      "memory",
      "blocks",
      "grants",
      "alerts",
      "models",
      "backup",
      "restore",
      "doctor",
      "eval",
      "bench",
      "demo",
    ])
      expect(out).toMatch(new RegExp(`^  ${command}\\b`, "mu"));
  });
});

describe("grants", () => {
  test("what is added is listed, and revoked by its id or by what it grants", async () => {
    expect((await json("grants", "list")).map((grant: { primitive: string }) => grant.primitive)).toEqual(["browser", "memory", "workspace"]);
    const grant = await json("grants", "add", "https://portal.example:8443");
    expect(grant).toMatchObject({ kind: "destination", destination: { scheme: "https", host: "portal.example", port: 8443 }, by: "user" });
    expect((await knack(["grants", "list"])).out).toMatch(new RegExp(`^${grant.id}  \\S+ \\S+  user  +address  https://portal.example:8443$`, "mu"));
    expect(await json("grants", "revoke", "https://portal.example:8443")).toEqual({ revoked: grant.id });
    const again = await json("grants", "add", "portal.example");
    await json("grants", "revoke", again.id);
    const own = await json("grants", "add", "http://127.0.0.1:8080");
    expect(own).toMatchObject({ destination: { allowPrivate: true } });
    expect(await json("grants", "revoke", "http://127.0.0.1:8080/")).toEqual({ revoked: own.id });
    expect(await json("grants", "list")).toHaveLength(3);
  });

  test("a folder is granted from where the person stands", async () => {
    await mkdir(join(folder, "notes"));
    expect((await json("grants", "add", "./notes")).folder).toMatch(/\/notes$/u);
  });

  test("what cannot be granted or revoked leaves everything as it was", async () => {
    const before = await json("grants", "list");
    expectOneLine(await knack(["grants", "add", "exa mple"]), 2);
    expectOneLine(await knack(["grants", "add", "./not-there"]), 2, "not-there");
    expectOneLine(await knack(["grants", "revoke", "nothing"]), 2, "knack grants list");
    expect(await json("grants", "list")).toEqual(before);
  });
});

test("memory remembers, lists and forgets, and shows no escape sequence to the terminal", async () => {
  const fact = await json("memory", "add", "I live in \u001b[31mLeeds");
  const listed = await knack(["memory", "list"]);
  expect(listed.out).toContain(fact.id);
  expect(listed.out).not.toContain("\u001b");
  expectOneLine(await knack(["memory", "add", " "]), 2);
  expectOneLine(await knack(["memory", "forget", "nothing"]), 2);
  expect(await json("memory", "list")).toHaveLength(1);
  await json("memory", "forget", fact.id, "--yes");
  expect(await json("memory", "list")).toEqual([]);
});

test("skills and alerts of an empty store are empty lists, and say so in words", async () => {
  expect(await json("skills", "list", "--all")).toEqual([]);
  expect(await json("skills", "report")).toEqual([]);
  expect(await json("alerts", "list")).toEqual([]);
  expect((await knack(["skills", "list"])).out).toContain("knack skills teach");
  expectOneLine(await knack(["skills", "show", "nothing"]), 2, "knack skills list");
  expectOneLine(await knack(["skills", "diff", "nothing", "1", "x"]), 2, '"x"');
  expectOneLine(await knack(["skills", "enable", "nothing"]), 2, "nothing");
  expectOneLine(await knack(["alerts", "resolve", "nothing"]), 2, "nothing");
});

test("what is to be erased or put back is looked for before anybody is asked for a yes", async () => {
  expectOneLine(await knack(["conversations", "erase-episode", "nothing"]), 2, "There is no task nothing");
  expectOneLine(await knack(["conversations", "delete", "nothing"]), 2, "There is no conversation nothing");
  expectOneLine(await knack(["skills", "erase", "nothing"]), 2, "There is no skill");
  expectOneLine(await knack(["restore", join(folder, "nothing.db")]), 2, "There is no backup");
});

test("a model that is not there is answered with those that can be had, and none that is for tests", async () => {
  const { err } = await knack(["models", "use", "nope"]);
  expect(err).toContain("qwen2.5-coder-1.5b");
  for (const { id } of catalogue.filter(({ role }) => role === "test")) expect(err).not.toContain(id);
  expect(catalogue.some(({ role }) => role === "test")).toBe(true);
});

test("doctor names every part, says what to do about what is missing, and exits 1", async () => {
  const human = await knack(["doctor"], { env: { KNACK_BROWSER: process.execPath } });
  expect(human.code).toBe(1);
  expect(human.out).toMatch(/^✓ data folder {3}\S+/mu);
  expect(human.out).toMatch(/^✗ chat model {4}none\n {16}→ knack models get qwen/mu);
  const { code, out } = await knack(["doctor", "--json"], { env: { KNACK_BROWSER: process.execPath } });
  const { ok, checks } = JSON.parse(out);
  expect({ code, ok }).toEqual({ code: 1, ok: false });
  expect(Object.fromEntries(checks.map((check: { what: string; ok: boolean }) => [check.what, check.ok]))).toEqual({
    "data folder": true,
    database: true,
    "chat model": false,
    embedder: false,
    browser: true,
    sandbox: true,
    context: true,
    states: true,
    "disk, data": true,
    "disk, models": true,
  });
});

test("doctor says what a damaged store needs instead of failing", async () => {
  await json("grants", "list");
  for (const name of await readdir(join(folder, "home"))) if (/^knack\.db-/u.test(name)) await rm(join(folder, "home", name));
  await writeFile(join(folder, "home/knack.db"), "no database at all, and long enough to be looked at ".repeat(100));
  const { code, out } = await knack(["doctor", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(out).checks[0]).toMatchObject({ what: "data", ok: false, todo: expect.stringContaining("knack.db") });
  expect(await readFile(join(folder, "home/knack.db"), "utf8")).toContain("no database at all");
});

describe("without a model", () => {
  test("ask stores the message, says the way on in one line, and ends its events with a summary", async () => {
    expectOneLine(await knack(["ask", "Say hello"]), 1, "knack models get");
    const { code, out, err } = await knack(["ask", "Say hello again", "--json"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^knack: [^\n]+\n$/u);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.type)).toEqual(["turn-started", "turn-finished", "summary"]);
    expect(lines.at(-1)).toMatchObject({
      outcome: "failure",
      reply: "",
      steps: 0,
      downloads: [],
      recall: null,
      tokens: { evaluated: 0, reused: 0, generated: 0 },
      problem: expect.stringContaining("not on this machine"),
    });
    const detail = await json("conversations", "show", lines.at(-1).conversationId);
    expect(detail.messages.map((message: { text: string }) => message.text)).toEqual(["Say hello again"]);
    expect(await json("conversations", "list")).toHaveLength(2);
  });

  test("a goal is not even begun when something beside it is wrong", async () => {
    const before = await json("grants", "list");
    for (const wrong of [
      ["--conversation", "nothing"],
      ["--skill", "nothing"],
      ["--workspace", "nothing"],
      ["--no-skills", "--take-suggestion"],
      ["--allow-host", "exa mple"],
    ]) {
      expectOneLine(await knack(["ask", "Say hello", "--allow-host", "https://portal.example", ...wrong]), 2);
    }
    expect(await json("conversations", "list")).toEqual([]);
    expect(await json("grants", "list")).toEqual(before);
  });

  test("conversations are exported, never over a file that is there, and deleted", async () => {
    await knack(["ask", "Say hello"]);
    const [{ id }] = await json("conversations", "list");
    expect((await knack(["conversations", "export", id])).out).toMatch(/^# Say hello\n\n\*\*You\*\*/u);
    await writeFile(join(folder, "mine.md"), "mine");
    expectOneLine(await knack(["conversations", "export", id, "--out", "mine.md"]), 1, "mine.md");
    expect(await readFile(join(folder, "mine.md"), "utf8")).toBe("mine");
    expectOneLine(await knack(["conversations", "delete", id]), 3, "--yes");
    expect(await json("conversations", "list")).toHaveLength(1);
    expect(await json("conversations", "delete", id, "--yes")).toMatchObject({ deleted: id });
    expectOneLine(await knack(["conversations", "show", id]), 2, id);
  });

  test("chat goes on after a line that went wrong, and ends with /quit or Ctrl+C", async () => {
    const { code, err } = await knack(["chat"], { stdin: "/worked\nSay hello\n/bogus\n/quit\nnever read\n" });
    expect(code).toBe(0);
    expect(err).toContain("Nothing was done yet");
    expect(err).toContain("knack models get");
    expect(err).toContain("There is no /bogus");
    expect(await json("conversations", "list")).toHaveLength(1);
    const stopped = await knack(["chat"], { onError: (text, kill) => (text.includes("/quit") ? kill("SIGINT") : undefined) });
    expect(stopped.code).toBe(130);
  });

  test("models are listed, and one that is not there is neither used nor called whole", async () => {
    const models = await json("models", "list");
    expect(models[0]).toMatchObject({ id: "qwen2.5-coder-1.5b", state: "absent", inUse: false });
    expectOneLine(await knack(["models", "use", "qwen3-8b"]), 1, "knack models get qwen3-8b");
    expectOneLine(await knack(["models", "verify", "qwen3-8b"]), 1, "knack models get qwen3-8b");
    expectOneLine(await knack(["models", "get", "nothing"]), 2, "qwen2.5-coder-1.5b");
  });
});

test("the evaluation of goals that are not there is no success", async () => {
  expectOneLine(await knack(["eval", "routines", "--only", "nothing"]), 2, "portal/invoice");
  expectOneLine(await knack(["eval", "routines", "--only", "portal/nothing"]), 2, "portal/invoice");
});

test("doctor believes no KNACK_BROWSER that is no program", async () => {
  const { code, out } = await knack(["doctor"], { env: { KNACK_BROWSER: join(folder, "nothing") } });
  expect(code).toBe(1);
  expect(out).toMatch(/^✗ browser .*none\n.*KNACK_BROWSER names/mu);
});

describe("backups", () => {
  test("are made where one says, never over a file that is there, and put back with what was there moved aside", async () => {
    await json("memory", "add", "I live in Leeds");
    await json("backup", "make", "copy.db");
    expectOneLine(await knack(["backup", "make", "copy.db"]), 2, "copy.db");
    await json("memory", "add", "I like tea");
    expectOneLine(await knack(["restore", "copy.db"]), 3, "--yes");
    const { aside } = await json("restore", join(folder, "copy.db"), "--yes");
    expect((await json("memory", "list")).map((fact: { text: string }) => fact.text)).toEqual(["I live in Leeds"]);
    await json("restore", aside, "--yes");
    expect(await json("memory", "list")).toHaveLength(2);
  });

  test("bring a damaged store back: the newest when none is named", async () => {
    await json("memory", "add", "I live in Leeds");
    await mkdir(join(folder, "home/backups"), { recursive: true });
    await json("backup", "make", join(folder, "home/backups/knack-20270214T093000Z-daily.db"));
    await writeFile(join(folder, "home/knack.db"), "no database at all, and long enough to be looked at ".repeat(100));
    expectOneLine(await knack(["memory", "list"]), 1, "knack restore");
    expect(await json("backup", "list")).toMatchObject([{ file: expect.stringContaining("knack-20270214T093000Z-daily.db") }]);
    await json("restore", "--yes");
    expect(await json("memory", "list")).toHaveLength(1);
  });

  test("that are none leave everything as it was", async () => {
    await json("memory", "add", "I live in Leeds");
    await writeFile(join(folder, "none.db"), "nothing");
    expectOneLine(await knack(["restore", "none.db", "--yes"]), 1, "Nothing was changed");
    expectOneLine(await knack(["restore", "not-there.db", "--yes"]), 2, "not-there.db");
    expectOneLine(await knack(["restore", "--yes"]), 1, "no backup");
    expect(await json("memory", "list")).toHaveLength(1);
  });
});

test("teaching by a file says which step is wrong before a window opens", async () => {
  const teach = (file: string) => knack(["skills", "teach", "Download the April 2026 invoice", "--url", "https://portal.example", "--script", file]);
  await writeFile(join(folder, "words.json"), "[[");
  await writeFile(
    join(folder, "steps.json"),
    JSON.stringify([
      ["click", "link", "Billing"],
      ["hover", "link", "Billing"],
    ]),
  );
  expectOneLine(await teach("nothing.json"), 2, "nothing.json");
  expectOneLine(await teach("words.json"), 2, "not JSON");
  expectOneLine(await teach("steps.json"), 2, "Step 2", "hover");
  expectOneLine(await knack(["skills", "teach", "Download it", "--url", "https://portal.example"]), 1, "--script");
});

describe("bench recall", () => {
  test("times a store of its own and leaves the user's data alone", async () => {
    const report = (await json("bench", "recall", "--skills", "20", "--revisions", "2", "--repetitions", "5", "--dimension", "16")) as {
      operations: { operation: string; times: { p95: number } }[];
      store: { skills: number };
    };
    expect([report.store.skills, report.operations.map(({ operation }) => operation), report.operations.every(({ times }) => times.p95 > 0)]).toEqual([
      20,
      ["list", "show", "history", "match"],
      true,
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  test("tells a person in a table what it measured on", async () => {
    const { code, out } = await knack(["bench", "recall", "--skills", "20", "--revisions", "2", "--repetitions", "5", "--dimension", "16"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^MS +MIN +MEDIAN +P95 +MAX +P95 OF PROCESSOR +MEDIAN OF 2 +GROWTH +P95 < 50\n(?:list|show|history|match) /u);
    expect(out).toMatch(/20 skills, 40 revisions, 160 runs, \d+ vectors of 16, [^;]+; 5 times each\nmatch: [^\n]+; without embedding the goal\n$/u);
  });
});

test("bench learn tells a person what it measured on, and leaves the user's data alone", async () => {
  const args = ["--episodes", "30", "--fresh", "30", "--kinds", "2", "--repetitions", "1", "--messages", "1", "--dimension", "16"];
  const { code, out } = await knack(["bench", "learn", ...args]);
  expect(code).toBe(0);
  expect(out).toMatch(/^MS +MIN +MEDIAN +MAX\npass over 30 new episodes beside 30 /u);
  expect(out).toMatch(
    /\npass \d+\.\d\d× the empty store's[^\n]+; first token \d+\.\d\d×, [^\n]+\nmemory grew by at most [^\n]+\n30 episodes, 300 steps, 2 kinds, vectors of 16/u,
  );
  expect(await readdir(folder)).toEqual([]);
});
