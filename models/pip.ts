import { spawn } from "node:child_process";
import { SourceFailure } from "./source-failure.ts";

/** Ways to start pip, in order. */
const commands: readonly (readonly string[])[] = [["pip"], ["pip3"], ["python3", "-m", "pip"], ["python", "-m", "pip"], ["py", "-m", "pip"]];
const keptOutput = 4_000;

/** Runs pip with these arguments, from whatever index the machine is set up with. */
export type Pip = (args: readonly string[], temporary: string, signal: AbortSignal) => Promise<void>;

/** Finds pip. Rejects with SourceFailure when there is none. */
export async function findPip(signal: AbortSignal): Promise<Pip> {
  for (const command of commands) {
    const works = await run(command, ["--version"], undefined, signal).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (works) return (args, temporary, stop) => run(command, args, temporary, stop);
  }
  throw new SourceFailure("needs Python's pip, and there is none; install Python 3 with pip");
}

async function run(command: readonly string[], args: readonly string[], temporary: string | undefined, signal: AbortSignal): Promise<void> {
  const [program = "pip", ...before] = command;
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, [...before, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      windowsHide: true,
      env: temporary === undefined ? process.env : { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    });
    let said = "";
    const stop = () => child.kill();
    signal.addEventListener("abort", stop, { once: true });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-keptOutput);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason);
      else if (code === 0) resolve();
      else reject(new SourceFailure(`pip failed: ${lastLine(said)}`));
    });
  });
}

function lastLine(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (lines.findLast((line) => line.startsWith("ERROR")) ?? lines.at(-1) ?? "it said nothing").trim();
}
