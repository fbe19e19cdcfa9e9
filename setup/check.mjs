// npm run check [-- --fix]: every check at once, one line each, and in full only what failed.
import { availableParallelism } from "node:os";
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { run } from "./run.mjs";

const node = await ensureDependencies();
const fix = process.argv.includes("--fix") ? ["--write"] : [];
const rooms = ["src-main", "src-preload", "src-renderer", "models", "setup", "test"];

// Longest first, so that the short ones fill the gaps.
const checks = [
  ["types", ["setup/check-types.mjs"]],
  ["unit tests", ["node_modules/vitest/vitest.mjs", "run", "--project", "unit", "--project", "renderer", "--reporter=dot", "--passWithNoTests"]],
  ["lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "--colors=off", ...fix]],
  ["rooms", ["node_modules/dependency-cruiser/bin/dependency-cruise.mjs", ...rooms]],
  ["unused", ["node_modules/knip/bin/knip.js", "--no-progress"]],
];

const waiting = [...checks];
const failed = [];
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));

for (const { name, output } of failed) process.stdout.write(`\n── ${name} ──\n${output.join("\n")}\n`);
process.stdout.write(
  failed.length === 0 ? "\nall checks passed\n" : `\n${failed.length} of ${checks.length} checks failed: ${failed.map(({ name }) => name).join(", ")}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, args] = next;
    const output = [];
    const started = performance.now();
    const code = await run(node, args, { env: { FORCE_COLOR: "0", NO_COLOR: "1" }, stdin: "ignore", onLine: (line) => output.push(line) });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? "✓" : "✗"} ${name.padEnd(12)} ${seconds.padStart(6)} s\n`);
    if (code !== 0) failed.push({ name, output });
  }
}
