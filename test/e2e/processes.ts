import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly isDead: boolean;
  readonly command: string;
}

/** Everything a process has started and what that has started, as far as it is still linked to it. */
export function descendantsOf(root: number): number[] {
  const all = processes();
  const found: number[] = [];
  const look = (parent: number): void => {
    for (const each of all.filter((one) => one.parent === parent)) {
      found.push(each.pid);
      look(each.pid);
    }
  };
  look(root);
  return found;
}

/** Those of `pids` that still run, and on Linux every process that has `mark` in its environment, each with its command. */
export function stillRunning(pids: readonly number[], mark: string): string[] {
  const marked = new Set(process.platform === "linux" ? markedWith(mark) : []);
  return processes()
    .filter(({ pid, isDead }) => !isDead && (pids.includes(pid) || marked.has(pid)))
    .map(({ pid, command }) => `${pid} ${command.slice(0, 120)}`);
}

function processes(): Process[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8", maxBuffer: 50_000_000 })
    .split("\n")
    .flatMap((line) => {
      const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s?(.*)$/u.exec(line);
      return match ? [{ pid: Number(match[1]), parent: Number(match[2]), isDead: match[3]?.startsWith("Z") ?? false, command: match[4] ?? "" }] : [];
    });
}

function markedWith(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, "latin1").includes(mark);
      } catch {
        // It ended meanwhile, or is somebody else's.
        return false;
      }
    })
    .map(Number);
}
