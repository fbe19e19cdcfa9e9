import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = dirname(dirname(import.meta.dirname));

/** What a room may not use, it cannot even name: one line each that must not type-check there, and what the compiler misses. */
const unnameable: readonly (readonly [room: string, line: string, missing: string])[] = [
  ["src-main/base", "export const it = process.pid;", "process"],
  ["src-main/base", 'export * from "#contract/errors.ts";', "closed-room.d.ts"],
  ["src-main/contract", "export const it = document.title;", "document"],
  ["src-main/contract", 'export * from "#core/ports/index.ts";', "closed-room.d.ts"],
  ["src-main/core", "export const it = Buffer.from([]);", "Buffer"],
  ["src-main/core", "export const it = window;", "window"],
  ["src-main/core", 'export * from "#app/agent.ts";', "closed-room.d.ts"],
  ["src-main/adapters", 'export * from "#app/agent.ts";', "closed-room.d.ts"],
  ["src-main/app", "export const it = document.title;", "document"],
  ["src-main/shells", "export const it = document.title;", "document"],
  ["src-preload", 'export * from "#app/agent.ts";', "closed-room.d.ts"],
  ["src-renderer", "export const it = process.pid;", "process"],
  ["src-renderer", 'export * from "#core/ports/index.ts";', "closed-room.d.ts"],
  ["models", 'export * from "#core/ports/index.ts";', "closed-room.d.ts"],
];

const nameable: readonly (readonly [room: string, line: string])[] = [
  [
    "src-main/core",
    'import type { Log } from "#core/ports/index.ts";\nexport const it = (log: Log, signal: AbortSignal) => [log, signal.aborted, new URL("https://knack.test").host];',
  ],
  ["src-main/adapters", 'import { readFileSync } from "node:fs";\nexport const it = [readFileSync, document.title];'],
  ["src-main/shells", 'import type { Agent } from "#app/agent.ts";\nexport const it = (agent: Agent) => [agent.status(), process.pid];'],
  ["src-renderer", 'import { fold } from "#base/text.ts";\nexport const it = <p>{fold(document.title)}</p>;'],
];

/** Type-checks one file that exists only here, as if it stood in the room. */
function check(room: string, text: string): string[] {
  const configFile = join(root, room, "tsconfig.json");
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(configFile, ts.sys.readFile).config, ts.sys, join(root, room), undefined, configFile);
  const name = join(root, room, "only-in-this-test.tsx").replaceAll("\\", "/");
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === name || fileExists.call(host, path);
  host.readFile = (path) => (path === name ? text : readFile.call(host, path));
  host.getSourceFile = (path, version, ...rest) =>
    path === name ? ts.createSourceFile(name, text, version) : getSourceFile.call(host, path, version, ...rest);
  const standard = options.types?.length === 0 ? [join(root, "web-standard.d.ts")] : [];
  const program = ts.createProgram({ rootNames: [name, ...standard], options, host });
  return program.getSemanticDiagnostics(program.getSourceFile(name)).map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
}

describe("a room", { timeout: 60_000 }, () => {
  it.each(unnameable)("%s cannot say %s", (room, line, missing) => {
    expect(check(room, line)).toEqual([expect.stringMatching(`^(Cannot find name '${missing}'|File '.*${missing}' is not a module)`)]);
  });

  it.each(nameable)("%s can say %s", (room, line) => {
    expect(check(room, line)).toEqual([]);
  });
});
