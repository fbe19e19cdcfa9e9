import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = dirname(dirname(import.meta.dirname));
const config = join(root, ".dependency-cruiser.cjs");
const rules = (createRequire(import.meta.url)(config) as { forbidden: { name: string }[] }).forbidden.map((rule) => rule.name);

/** Each rule broken once: the rule, the file that breaks it, what it imports. */
const broken: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ["base", "src-main/base/bad.ts", "node:fs"],
  ["base", "src-main/base/bad-type.ts", "#contract/good.ts"],
  ["contract", "src-main/contract/bad.ts", "#core/errors.ts"],
  ["contract", "src-main/contract/bad-package.ts", "yaml"],
  ["core", "src-main/core/turn/bad.ts", "#adapters/files/good.ts"],
  ["core", "src-main/core/turn/bad-node.ts", "node:path"],
  ["core", "src-main/core/turn/bad-package.ts", "ulid"],
  ["core-by-index", "src-main/core/turn/bad-inner.ts", "#core/gates/inner.ts"],
  ["core-order-ports", "src-main/core/ports/bad.ts", "#core/skills/index.ts"],
  ["core-order-skills", "src-main/core/skills/bad.ts", "#core/vault/index.ts"],
  ["core-order-envelope-vault", "src-main/core/vault/bad.ts", "#core/trace/index.ts"],
  ["core-order-trace", "src-main/core/trace/bad.ts", "#core/recall/index.ts"],
  ["core-order-recall-prompt", "src-main/core/prompt/bad.ts", "#core/tools/index.ts"],
  ["core-order-tools", "src-main/core/tools/browser/bad.ts", "#core/gates/index.ts"],
  ["core-order-gates", "src-main/core/gates/bad.ts", "#core/turn/index.ts"],
  ["core-learning", "src-main/core/learning/bad.ts", "#core/turn/index.ts"],
  ["adapter-llama", "src-main/adapters/llama/bad.ts", "better-sqlite3"],
  ["adapter-sqlite", "src-main/adapters/sqlite/bad.ts", "#adapters/files/good.ts"],
  ["adapter-browser", "src-main/adapters/browser/bad.ts", "#adapters/egress/good.ts"],
  ["adapter-egress", "src-main/adapters/egress/bad.ts", "playwright-core"],
  ["adapter-secrets", "src-main/adapters/secrets/bad.ts", "pino"],
  ["adapter-mcp", "src-main/adapters/mcp/bad.ts", "undici"],
  ["adapter-leak-sweep", "src-main/adapters/leak-sweep/bad.ts", "#adapters/sqlite/good.ts"],
  ["adapter-log", "src-main/adapters/log/bad.ts", "#app/good.ts"],
  ["adapter-power", "src-main/adapters/power/bad.ts", "better-sqlite3"],
  ["adapter-plain", "src-main/adapters/files/bad.ts", "#adapters/egress/good.ts"],
  ["adapter-plain", "src-main/adapters/scripted/bad.ts", "pino"],
  ["adapters-core-types", "src-main/adapters/files/bad-core.ts", "#core/gates/index.ts"],
  ["app", "src-main/app/bad.ts", "#shells/cli/main.ts"],
  ["app", "src-main/app/bad-package.ts", "node-llama-cpp"],
  ["adapters-constructed-once", "src-main/app/handlers/bad.ts", "#adapters/files/good.ts"],
  ["shell-cli", "src-main/shells/cli/bad.ts", "#adapters/files/good.ts"],
  ["shell-cli", "src-main/shells/cli/bad-shell.ts", "#shells/web/main.ts"],
  ["shell-web", "src-main/shells/web/bad.ts", "#core/turn/index.ts"],
  ["shell-electron", "src-main/shells/electron/bad.ts", "#shells/cli/main.ts"],
  ["preload", "src-preload/bad.ts", "#app/good.ts"],
  ["renderer", "src-renderer/bad.tsx", "node:os"],
  ["renderer", "src-renderer/bad-core.tsx", "#core/turn/index.ts"],
  ["models", "models/bad.ts", "#app/good.ts"],
  ["setup", "setup/bad.mjs", "yaml"],
  ["electron", "src-main/app/bad-electron.ts", "electron"],
  ["tests-stay-out", "src-main/app/bad-test.ts", "../../test/good.ts"],
  ["no-circle", "src-main/base/circle-a.ts", "./circle-b.ts"],
  ["resolvable", "src-main/app/bad-nowhere.ts", "#core/nowhere.ts"],
];

/** What the rules allow: none of it may be caught. */
const allowed: readonly (readonly [file: string, imported: string])[] = [
  ["src-main/contract/good.ts", "zod"],
  ["src-main/core/errors.ts", "#base/good.ts"],
  ["src-main/core/turn/index.ts", "#core/gates/index.ts"],
  ["src-main/core/turn/good.ts", "./index.ts"],
  ["src-main/core/turn/good-port.ts", "#core/ports/log.ts"],
  ["src-main/core/turn/good-nested.ts", "#core/skills/values/index.ts"],
  ["src-main/core/learning/index.ts", "#core/skills/index.ts"],
  ["src-main/adapters/sqlite/good.ts", "better-sqlite3"],
  ["src-main/adapters/files/good.ts", "node:fs"],
  ["src-main/adapters/egress/good.ts", "#core/ports/log.ts"],
  ["src-main/adapters/egress/good-type.ts", "#core/gates/index.ts"],
  ["src-main/app/create-agent.ts", "#adapters/files/good.ts"],
  ["src-main/app/good-type.ts", "#adapters/files/good.ts"],
  ["src-main/app/good.ts", "#core/turn/index.ts"],
  ["src-main/shells/cli/main.ts", "commander"],
  ["src-main/shells/web/main.ts", "#app/good.ts"],
  ["src-main/shells/electron/good.ts", "electron"],
  ["src-preload/good.ts", "electron"],
  ["src-renderer/good.tsx", "react"],
  ["models/good.ts", "node:crypto"],
];

const empty = [
  "src-main/base/good.ts",
  ...["gates", "ports", "skills", "vault", "trace", "recall", "tools"].map((folder) => `src-main/core/${folder}/index.ts`),
  "src-main/core/gates/inner.ts",
  "src-main/core/skills/values/index.ts",
  "src-main/core/ports/log.ts",
  "test/good.ts",
];

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

let tree = "";
let violations: readonly Violation[] = [];

function cruise(folder: string): readonly Violation[] {
  const program = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
  const rooms = ["src-main", "src-preload", "src-renderer", "models", "setup", "test"];
  const child = spawnSync(process.execPath, [program, "--config", config, "--output-type", "json", ...rooms], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (!child.stdout) throw new Error(`dependency-cruiser said nothing: ${child.stderr}`);
  return (JSON.parse(child.stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

/** A file that imports one thing and is otherwise empty; one named `…-type.ts` imports it as a type. */
function write(file: string, imported?: string): void {
  const path = join(tree, file);
  mkdirSync(dirname(path), { recursive: true });
  const keyword = file.endsWith("-type.ts") ? "import type" : "import";
  writeFileSync(path, imported ? `${keyword} * as it from ${JSON.stringify(imported)};\nexport type { it };\n` : "export const nothing = null;\n");
}

describe("the rules of the rooms", { timeout: 60_000 }, () => {
  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), "knack-rooms-"));
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"), "junction");
    const imports = Object.fromEntries(["base", "contract", "core", "adapters", "app", "shells"].map((name) => [`#${name}/*`, `./src-main/${name}/*`]));
    writeFileSync(join(tree, "package.json"), JSON.stringify({ type: "module", imports }));
    for (const file of empty) write(file);
    for (const [file, imported] of allowed) write(file, imported);
    for (const [, file, imported] of broken) write(file, imported);
    write("src-main/base/circle-b.ts", "./circle-a.ts");
    violations = cruise(tree);
  }, 60_000);

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it.each(broken)("%s is caught when %s imports %s", (rule, file) => {
    expect(violations.filter((violation) => violation.from === file).map((violation) => violation.rule.name)).toContain(rule);
  });

  it.each(allowed)("%s may import %s", (file) => {
    expect(violations.filter((violation) => violation.from === file)).toEqual([]);
  });

  it("are each broken by at least one case", () => {
    expect(rules.filter((rule) => !broken.some(([name]) => name === rule))).toEqual([]);
  });

  it("are kept by Knack itself", () => {
    expect(cruise(root).map((violation) => `${violation.rule.name}: ${violation.from}`)).toEqual([]);
  });
});
