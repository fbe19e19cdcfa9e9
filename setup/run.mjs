import { spawn } from "node:child_process";
import { root } from "./root.mjs";

const running = new Set();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
let stopping = false;

/** A stop reaches the child first, so it can put its things away; the parent leaves when the child has. */
function passOn(signal) {
  if (stopping) process.exit(130);
  stopping = true;
  for (const child of running) child.kill(signal);
}

function started(child) {
  if (running.size === 0) for (const signal of signals) process.on(signal, passOn);
  running.add(child);
}

function ended(child) {
  running.delete(child);
  if (running.size === 0) for (const signal of signals) process.off(signal, passOn);
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
      if (stopping) process.exit(exit === 0 ? 130 : exit);
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
