import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { aloneOn, holdHostLock } from "#adapters/sqlite/index.ts";
import { codeThrown, temporaryFolder } from "./fixtures/stores.ts";

const holder = join(import.meta.dirname, "fixtures", "lock-holder.ts");

/** Another process that holds a lock until it is killed. */
async function otherHost(folder: string, host: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [holder, folder, host], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await once(child.stdout, "data");
  return child;
}

describe("the locks of hosts", () => {
  it("tell three living processes from a killed one", async () => {
    const folder = temporaryFolder();
    const first = await otherHost(folder, "first");
    await otherHost(folder, "second");
    const third = holdHostLock(folder, "third");
    expect(["first", "second", "third", "nobody"].map(third.isAlive)).toEqual([true, true, true, false]);

    first.kill("SIGKILL");
    await once(first, "exit");
    expect(["first", "second", "third"].map(third.isAlive)).toEqual([false, true, true]);
    third.release();
  });

  it("keep a restore out, and a restore keeps new ones out", async () => {
    const folder = temporaryFolder();
    const other = await otherHost(folder, "other");
    expect(codeThrown(() => aloneOn(folder, () => "done"))).toBe("store.in-use");
    other.kill("SIGKILL");
    await once(other, "exit");
    expect(aloneOn(folder, () => codeThrown(() => holdHostLock(folder, "new")))).toBe("store.in-use");
    expect(aloneOn(folder, () => codeThrown(() => aloneOn(folder, () => "done")))).toBe("store.in-use");
    holdHostLock(folder, "new").release();
    expect(readdirSync(folder)).toEqual(["other.lock"]);
  });

  it("are given back on release, and files of the dead are removed", async () => {
    const folder = temporaryFolder();
    const dead = await otherHost(folder, "dead");
    dead.kill("SIGKILL");
    await once(dead, "exit");
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(join(folder, "dead.lock"), longAgo, longAgo);
    const one = holdHostLock(folder, "one");
    const two = holdHostLock(folder, "two");
    expect(readdirSync(folder).sort()).toEqual(["one.lock", "two.lock"]);
    one.release();
    expect(two.isAlive("one")).toBe(false);
    two.release();
    expect(readdirSync(folder)).toEqual([]);
  });
});
