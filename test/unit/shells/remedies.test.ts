import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { buildProgram } from "#shells/cli/program.ts";
import { remedies } from "#shells/cli/remedies.ts";

/** The command line with every command's work taken out: what it takes in it would do. */
function parser(): Command {
  const { signal } = new AbortController();
  const program = buildProgram({ signal, stop: () => undefined, exit: 0 });
  const still = (command: Command): void => {
    command.exitOverride();
    if (command.commands.length === 0) command.action(() => undefined);
    for (const inner of command.commands) still(inner);
  };
  still(program);
  return program;
}

/** The words after "knack" in a sentence. */
function commandsIn(text: string): string[][] {
  return [
    ...text.matchAll(
      /(?<![\w/.-])knack ((?:[a-z-]+|<[a-z]+>|[A-Z]+|--[a-z-]+|\d[\w.-]*|[a-z][\w.-]*\d[\w.-]*)(?: (?:[a-z][\w.-]*|<[a-z]+>|[A-Z]+|--[a-z-]+|\d+))*)/gu,
    ),
  ].map(([, words = ""]) => words.replace(/\.$/u, "").split(" "));
}

describe("what doctor says to do", () => {
  const samples: Record<keyof typeof remedies, string> = {
    store: remedies.store("The store knack.db is held by another program. Close other Knack windows"),
    database: remedies.database(),
    noModel: remedies.noModel("qwen2.5-coder-1.5b"),
    brokenModel: remedies.brokenModel("nomic-embed-text-v1.5"),
    smallerContext: remedies.smallerContext(),
    blockFile: remedies.blockFile("RULES"),
    block: remedies.block("ENVIRONMENT"),
    uncalibrated: remedies.uncalibrated(),
    noBrowser: remedies.noBrowser(),
    wrongBrowser: remedies.wrongBrowser("/nothing"),
    sandboxAsRoot: remedies.sandboxAsRoot(),
    sandboxOff: remedies.sandboxOff(),
    diskFull: remedies.diskFull(500_000_000, "/data"),
    diskUnknown: remedies.diskUnknown("/data"),
  };
  it.each(Object.keys(remedies) as (keyof typeof remedies)[])("names a command that the command line takes as it stands: %s", async (name) => {
    const commands = commandsIn(samples[name]);
    expect(commands.length).toBeGreaterThan(0);
    for (const words of commands) await expect(parser().parseAsync(words, { from: "user" })).resolves.toBeDefined();
  });

  it("the parser does refuse what is no command", async () => {
    for (const words of [["mend"], ["models", "fetch", "x"], ["models", "get"], ["conversations", "keep", "90", "--all"]])
      await expect(parser().parseAsync(words, { from: "user" })).rejects.toThrow();
  });
});

/** Everything people read that is written in the source. */
function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/u.test(entry.name)) yield path;
  }
}

describe("what any message says to type", () => {
  it("begins with commands that there are", () => {
    const program = parser();
    const root = join(import.meta.dirname, "../../..");
    const wrong: string[] = [];
    let seen = 0;
    for (const file of ["src-main", "models", "src-renderer"].flatMap((folder) => [...sources(join(root, folder))]))
      for (const [, said = ""] of readFileSync(file, "utf8").matchAll(/(?:with|see|See|to forget it|it|line): (knack [a-z][^"`]*)|"(knack [a-z][^"]*)"/gu)) {
        const words = said
          .replace(/^knack /u, "")
          .split(/[\s$<,;.)]+/u)
          .filter(Boolean);
        let command: Command = program;
        for (const word of words) {
          const next = command.commands.find((one) => one.name() === word);
          if (next === undefined) break;
          command = next;
        }
        seen += said === "" ? 0 : 1;
        // Which of its commands is only known when it is said.
        const isOpen = words[1]?.startsWith("{") === true;
        if (said !== "" && (command === program || (command.commands.length > 0 && words.length > 1 && !isOpen))) wrong.push(`${file}: ${said}`);
      }
    expect(seen).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });
});
