import { spawn } from "node:child_process";
import { root } from "./root.mjs";

const running = new Set();
let stopping = false;

// A stop reaches the child first, so it can put its things away; the parent leaves when the child has.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (stopping || running.size === 0) process.exit(signal === "SIGINT" ? 130 : 143);
    stopping = true;
    for (const child of running) child.kill(signal);
  });
}

/**
 * Runs a command to its end and resolves with its exit code (128 + n after a signal); rejects only when it cannot be started.
 * `onLine` receives its output line by line; without it the output goes straight to this terminal.
 */
export function run(command, args, { env, onLine, stdin = "inherit", shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = onLine ? [stdin, "pipe", "pipe"] : [stdin, "inherit", "inherit"];
    const child = spawn(command, args, { cwd: root, stdio, shell, env: env ? { ...process.env, ...env } : process.env });
    running.add(child);
    if (onLine) for (const stream of [child.stdout, child.stderr]) eachLine(stream, onLine);
    child.on("error", (error) => {
      running.delete(child);
      reject(error);
    });
    child.on("close", (code, signal) => {
      running.delete(child);
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
