#!/usr/bin/env node
// `knack` on the PATH: the command line under Node 24, whichever Node is the usual one here.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const main = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "main.ts");
const own = join(main, "../../../../node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");

if (Number(process.versions.node.split(".")[0]) >= 24) {
  await import("./main.ts");
} else if (existsSync(own)) {
  const child = spawn(own, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  // A terminal's Ctrl+C reaches the child by itself.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal)));
  child.on("close", (code) => process.exit(code ?? 1));
} else {
  process.stderr.write("knack: Node 24 is not here yet. Bring it with: npm install\n");
  process.exitCode = 1;
}
