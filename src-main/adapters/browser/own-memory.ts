import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Bytes of memory of each of these processes; on Linux without the files it has mapped. A process that is gone has none. */
export async function ownMemory(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (pids.length === 0) return new Map();
  if (process.platform === "linux") return new Map(await Promise.all(pids.map(async (pid): Promise<[number, number]> => [pid, await privateBytes(pid)])));
  const run = promisify(execFile);
  if (process.platform === "win32") {
    const { stdout } = await run("tasklist", ["/fo", "csv", "/nh"], { windowsHide: true });
    return readTaskList(stdout, new Set(pids));
  }
  const { stdout } = await run("ps", ["-o", "pid=,rss=", "-p", pids.join(",")]).catch(() => ({ stdout: "" }));
  return readProcessList(stdout);
}

/** proc(5), status: what is the process's own, and what it shares as memory; not the files it has mapped. */
async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return [...text.matchAll(/^Rss(?:Anon|Shmem):\s*(\d+) kB$/gmu)].reduce((sum, found) => sum + Number(found[1]) * 1024, 0);
}

/** Lines of "pid rss", the latter in kilobytes. */
export function readProcessList(text: string): Map<number, number> {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/u).map(Number));
  return new Map(rows.filter((row) => row.length === 2 && row.every(Number.isFinite)).map(([pid, kilobytes]) => [pid as number, (kilobytes as number) * 1024]));
}

/** Lines of "name","pid","session","number","1.234.567 K", grouped as the language of the machine has it. */
export function readTaskList(text: string, wanted: ReadonlySet<number>): Map<number, number> {
  const rows = text.split("\n").map((line) => [...line.matchAll(/"([^"]*)"/gu)].map((cell) => cell[1] ?? ""));
  return new Map(
    rows.filter((row) => wanted.has(Number(row[1]))).map((row): [number, number] => [Number(row[1]), Number((row[4] ?? "").replace(/\D/gu, "")) * 1024]),
  );
}
