import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FileLog, type OpenLogOptions, openLog } from "#adapters/log/open-log.ts";
import { KnackError } from "#contract/errors.ts";
import { temporaryFolder } from "./fixtures/stores.ts";

function logIn(folder: string, options: Partial<OpenLogOptions> = {}): FileLog {
  const log = openLog({ folder, ...options });
  onTestFinished(() => log.close());
  return log;
}

const lines = (file: string): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("the log", () => {
  it("is one object a line, in a private file, there as soon as it is written", () => {
    const folder = join(temporaryFolder(), "logs");
    const log = logIn(folder);
    log.info("turn-started", { turnId: "t", level: "mine", note: "two\nlines" });
    log.warn("model-slow");
    log.error("turn-failed", { error: new KnackError("store.full", "The disk is full.", { cause: new Error("ENOSPC") }) });
    const file = join(folder, "knack.log");
    expect(lines(file)).toMatchObject([
      {
        level: "info",
        time: expect.stringMatching(/^\d{4}-.*Z$/u),
        pid: process.pid,
        event: "turn-started",
        fields: { turnId: "t", level: "mine", note: "two\nlines" },
      },
      { level: "warn", event: "model-slow" },
      { level: "error", event: "turn-failed", fields: { error: { code: "store.full", stack: expect.stringMatching(/^at /u), cause: { message: "ENOSPC" } } } },
    ]);
    expect([(statSync(file).mode & 0o777).toString(8), (statSync(folder).mode & 0o777).toString(8)]).toEqual(["600", "700"]);
  });

  it("UNT-03: names an error that is told to a person by its code, for what it says may quote them, and nobody could erase it there", () => {
    const folder = temporaryFolder();
    const log = logIn(folder);
    log.warn("pass-failed", {
      error: new KnackError("bad-input", 'There is no skill "zyxqwvk"', { fields: { name: "zyxqwvk" }, cause: new KnackError("x", "zyxqwvk\n    at zyxqwvk") }),
    });
    const text = readFileSync(join(folder, "knack.log"), "utf8");
    expect([text.includes("zyxqwvk"), text.includes("bad-input"), text.includes("log.test.ts")]).toEqual([false, true, true]);
  });

  it("moves on to a new file before one is too large, and keeps only a few", () => {
    const folder = temporaryFolder();
    const log = logIn(folder, { maxBytes: 1000, keep: 3 });
    for (let count = 0; count < 50; count += 1) log.info("counted", { count, padding: "x".repeat(100) });
    expect(readdirSync(folder).sort()).toEqual(["knack.1.log", "knack.2.log", "knack.log"]);
    const kept = ["knack.2.log", "knack.1.log", "knack.log"].flatMap((name) =>
      lines(join(folder, name)).map((line) => (line["fields"] as { count: number }).count),
    );
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 50 - kept.length + index));
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1000);
      expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe("600");
    }
  });

  it("goes on in a file of earlier", () => {
    const folder = temporaryFolder();
    const first = logIn(folder);
    first.info("one");
    first.close();
    logIn(folder).info("two");
    expect(lines(join(folder, "knack.log")).map(({ event }) => event)).toEqual(["one", "two"]);
  });

  it("of two processes keeps every line, in order, whoever moves the files on", () => {
    const folder = temporaryFolder();
    const [one, two] = [logIn(folder, { maxBytes: 500 }), logIn(folder, { maxBytes: 500 })];
    one.info("first", { padding: "x".repeat(200) });
    two.info("second", { padding: "x".repeat(50) });
    one.info("third");
    two.info("fourth");
    const events = (name: string) => lines(join(folder, name)).map(({ event }) => event);
    expect(readdirSync(folder).sort()).toEqual(["knack.1.log", "knack.log"]);
    expect([events("knack.1.log"), events("knack.log")]).toEqual([
      ["first", "second"],
      ["third", "fourth"],
    ]);
  });

  it("never throws: what cannot be written is counted, and it goes on when it can", () => {
    const folder = temporaryFolder();
    const log = logIn(folder);
    mkdirSync(join(folder, "knack.log"));
    log.info("lost");
    expect(log.lost()).toBe(1);
    renameSync(join(folder, "knack.log"), join(folder, "away"));
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const error = new Error("loop");
    error.cause = error;
    log.info("written", { circle, big: 10n, error, nothing: undefined });
    expect(lines(join(folder, "knack.log")).map(({ event }) => event)).toEqual(["written"]);
    unlinkSync(join(folder, "knack.log"));
    log.close();
    log.info("again");
    expect(existsSync(join(folder, "knack.log"))).toBe(true);
  });
});
