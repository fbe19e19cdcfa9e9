import { spawn } from "node:child_process";
import { root } from "./root.mjs";

const running = new Set();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const onceWithinMs = 500;
let stoppedAt = 0;

/**
 * A stop reaches the child, so it can put its things away; the parent leaves when the child has. A terminal's Ctrl+C reaches the child by
 * itself, and npm passes a stop on as well: more than one at once would count as impatience.
 */
function passOn(signal) {
  const isRepeat = Date.now() - stoppedAt < onceWithinMs;
  stoppedAt = Date.now();
  if (isRepeat || (signal === "SIGINT" && process.stdin.isTTY)) return;
  for (const child of running) child.kill(signal);
}

const parent = process.ppid;
let watch;

/** npm starts scripts through a shell, which dies of a stop without passing it on: then the parent is suddenly another. */
function stopWithNpm() {
  if (process.ppid !== parent) passOn("SIGTERM");
}

function started(child) {
  running.add(child);
  if (running.size > 1) return;
  for (const signal of signals) process.on(signal, passOn);
  if (process.env.npm_lifecycle_event) watch = setInterval(stopWithNpm, 2 * onceWithinMs).unref();
}

function ended(child) {
  running.delete(child);
  if (running.size > 0) return;
  for (const signal of signals) process.off(signal, passOn);
  clearInterval(watch);
}

/**
 * @typedef {{ env?: Record<string, string>, onLine?: (line: string) => void, stdin?: "inherit" | "ignore", shell?: boolean }} RunOptions
 */

/**
 * Runs a command to its end and resolves with its exit code (128 + n after a signal); rejects only when it cannot be started.
 * `onLine` receives its output line by line; without it the output goes straight to this terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { env, onLine, stdin = "inherit", shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = onLine ? [stdin, "pipe", "pipe"] : [stdin, "inherit", "inherit"];
    const child = spawn(command, args, { cwd: root, stdio, shell, env: env ? { ...process.env, ...env } : process.env });
    started(child);
    if (onLine) for (const stream of [child.stdout, child.stderr]) eachLine(stream, onLine);
    child.on("error", (error) => {
      ended(child);
      reject(error);
    });
    child.on("close", (code, signal) => {
      ended(child);
      const exit = code ?? (signal === "SIGINT" ? 130 : 143);
      if (stoppedAt > 0) process.exit(exit === 0 ? 130 : exit);
      resolve(exit);
    });
  });
}

/** Progress bars redraw with a carriage return: each redraw counts as a line. */
function eachLine(stream, onLine) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r/u);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  stream.on("end", () => {
    if (rest) onLine(rest);
  });
}
