import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { realpath } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { stripInvisible } from "#base/invisible.ts";
import { KnackError } from "#contract/errors.ts";
import type { ProgramEnd, RunProgram } from "#core/ports/index.ts";
import { findProgram } from "./find-program.ts";
import { type Environment, scrubbedEnvironment } from "./scrubbed-environment.ts";

/** Bytes of output after which a program is stopped. */
const mostOutput = 1_000_000;
/** How long what a program left running may keep its output open, once it has been ended. */
const drainMs = 1_000;

export interface ProgramRunnerOptions {
  readonly environment: Environment;
  readonly isSecret: (text: string) => boolean;
}

/** Groups that run now, so that none outlives this process. */
const running = new Set<ChildProcess>();
let isWatching = false;

/**
 * Programs without a shell, each in a process group of its own that ends as a whole: when the program does, when its time or its output is over, when it is
 * aborted, and when this process exits. What moves itself into a session of its own is out of reach.
 */
export function makeProgramRunner({ environment, isSecret }: ProgramRunnerOptions): RunProgram {
  return async ({ program, args, folder, seconds }, signal) => {
    signal.throwIfAborted();
    // Looked at as late as can be: a folder may have become a link meanwhile.
    if ((await realpath(folder).catch(() => null)) !== folder)
      throw new KnackError("program.outside", `The folder ${folder} is not where it was, so nothing was started in it.`, { exit: 3 });
    const env = scrubbedEnvironment(environment, folder, isSecret);
    const file = await findProgram(program, folder, env);
    signal.throwIfAborted();
    const started = performance.now();
    const child = spawn(file, [...args], {
      cwd: folder,
      env,
      argv0: program,
      shell: false,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return await ended(child, program, seconds, started, signal);
  };
}

async function ended(child: ChildProcess, program: string, seconds: number, started: number, signal: AbortSignal): Promise<ProgramEnd> {
  const end = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let stopped: ProgramEnd["stopped"] = null;
  const pieces: Buffer[] = [];
  let bytes = 0;
  const stop = (why: NonNullable<ProgramEnd["stopped"]>): void => {
    stopped ??= why;
    killGroup(child);
  };
  const take = (piece: Buffer): void => {
    const room = mostOutput - bytes;
    if (room > 0) pieces.push(piece.subarray(0, room));
    bytes += piece.length;
    if (bytes > mostOutput) stop("output");
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  child.once("error", (error) => end.reject(new KnackError("program.failed-to-start", `"${program}" could not be started (${codeOf(error)}).`)));
  child.once("exit", () => end.resolve());
  child.once("close", () => closed.resolve());
  const abort = (): void => stop("signal");
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => stop("time"), seconds * 1000);
  watch(child);
  try {
    await end.promise;
    // What it left behind ends with it, and lets go of its output.
    killGroup(child);
    const drained = setTimeout(closed.resolve, drainMs);
    await closed.promise;
    clearTimeout(drained);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    running.delete(child);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
  signal.throwIfAborted();
  const exitCode = child.exitCode;
  return {
    exitCode: stopped === null ? exitCode : null,
    stopped: stopped ?? (exitCode === null ? "signal" : null),
    output: readable(Buffer.concat(pieces).toString("utf8")),
    milliseconds: Math.round(performance.now() - started),
  };
}

/** Words of a program as lines of plain text. */
function readable(output: string): string {
  return stripInvisible(stripVTControlCharacters(output).replace(/\r\n?/gu, "\n")).replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/gu, "");
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"], { windowsHide: true });
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

function watch(child: ChildProcess): void {
  running.add(child);
  if (isWatching) return;
  isWatching = true;
  process.on("exit", () => {
    for (const each of running) killGroup(each);
  });
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : error.name;
}
