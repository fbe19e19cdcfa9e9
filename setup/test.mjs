// npm test [-- <vitest arguments>]: what the tests need, then the whole suite, then one line that counts.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureAll } from "./ensure-all.mjs";
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { root } from "./root.mjs";
import { run } from "./run.mjs";
import { allowNoSandboxForRoot } from "./sandbox.mjs";

const args = process.argv.slice(2);
const needsNothing = args.some((arg) => /^(unit|renderer|test\/(unit|store|rooms|renderer)\b.*)$/u.test(arg));
const node = needsNothing ? await ensureDependencies() : await ensureAll();
if (!needsNothing) allowNoSandboxForRoot();

const results = join(root, ".set-up", `test-results-${process.pid}.json`);
mkdirSync(join(root, ".set-up"), { recursive: true });
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
const code = await run(node, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args]);
const { passed, failed, skipped } = count();
rmSync(results, { force: true });

if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
// A suite that ran nothing, or died before it could count, has not passed.
process.exitCode = code !== 0 || failed > 0 || passed === 0 ? code || 1 : 0;

/** A file that broke before its first test counts as one failure; a suite that left no results as one, too. */
function count() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(readFileSync(results, "utf8"));
    const brokenFiles = testResults.filter((file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")).length;
    return { passed: numPassedTests, failed: numFailedTests + brokenFiles, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
