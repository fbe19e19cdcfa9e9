import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { patternsOf, sweep, sweepFolders, sweepProcesses } from "../../fixtures/leak-sweep.ts";

const values = { password: 'Zq7!k"<v&é9 xW+/=', otp: "482913", user: "mira.quill@corp.test" };

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "knack-sweep-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("the leak sweep", () => {
  it("finds a value in each spelling it knows, and says which", () => {
    for (const { value, encoding, bytes } of patternsOf(values)) {
      const found = sweep(values, { there: Buffer.concat([Buffer.from("before: "), bytes, Buffer.from(" :after")]) });
      expect(
        found.some((leak) => leak.where === "there" && leak.value === value),
        `${value}, ${encoding}`,
      ).toBe(true);
    }
    expect(new Set(patternsOf(values).map(({ encoding }) => encoding)).size).toBeGreaterThan(35);
  });
  it("finds nothing in what holds none, nor a code inside a longer number", () =>
    expect(sweep(values, { text: `order 7482913001 ${"lorem ipsum ".repeat(1000)}`, bytes: Buffer.alloc(1000, 7) })).toEqual([]));
  it("looks through files, their names, free pages of a database and long rows", () => {
    const home = folder();
    mkdirSync(join(home, "logs"));
    writeFileSync(join(home, "logs", "knack.log"), `{"event":"x","fields":"${Buffer.from(values.password).toString("base64")}"}`);
    writeFileSync(join(home, values.user), "");
    const database = new Database(join(home, "knack.db"));
    database.exec("CREATE TABLE t (x TEXT); CREATE TABLE gone (x TEXT)");
    database.prepare("INSERT INTO t VALUES (?)").run(`${"a".repeat(9000)}${values.password}`);
    database.prepare("INSERT INTO gone VALUES (?)").run(`gone ${values.otp}.`);
    database.exec("DELETE FROM gone");
    database.close();
    const found = sweepFolders(values, home, join(home, "not-there")).map(({ where, value }) => `${where.slice(home.length + 1)}: ${value}`);
    expect([...new Set(found)].filter((line) => !line.startsWith("knack.db, rows: "))).toEqual(
      expect.arrayContaining([`logs/knack.log: password`, `${values.user}, its name: user`, "knack.db: otp"]),
    );
    expect(found).toContain("knack.db, rows: password");
  });
  it.skipIf(process.platform !== "linux")("looks through arguments and environments of a process and of what it started", async () => {
    const inner = `require("child_process").spawn(process.execPath, ["-e", "console.log(1);setInterval(()=>{},1e3)"], { stdio: "inherit", env: { ...process.env, INNER: ${JSON.stringify(values.otp)} } })`;
    const child = spawn(process.execPath, ["-e", inner, "of", values.password], { stdio: ["ignore", "pipe", "inherit"], detached: true });
    onTestFinished(() => void process.kill(-(child.pid as number)));
    await once(child.stdout, "data");
    const found = sweepProcesses(values, child.pid as number).map(({ where, value }) => `${where.split("/").at(-1)}: ${value}`);
    expect(found).toEqual(expect.arrayContaining(["cmdline: password", "environ: otp"]));
    expect(sweepProcesses({ other: "nobody-has-this-value" }, process.pid)).toEqual([]);
  });
});
