import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";

const main = join(import.meta.dirname, "../../src-main/shells/cli/main.ts");

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Start {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Told what comes on stderr; stdin then stays open. */
  readonly onError?: (text: string, kill: (signal: "SIGINT") => void) => void;
}

/** The command line as a person starts it in `folder`, with a data folder of its own there and a cache without models. */
export function knackIn(folder: string, args: readonly string[], { stdin = "", env = {}, onError }: Start = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const own = { KNACK_HOME: join(folder, "home"), KNACK_CACHE: join(folder, "cache"), KNACK_NO_SANDBOX: "1", DISPLAY: "", WAYLAND_DISPLAY: "" };
    const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...process.env, ...own, ...env } });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
      onError?.(text, (signal) => child.kill(signal));
    });
    child.on("error", reject).on("close", (code) => resolve({ code, out, err }));
    if (onError) child.stdin.write(stdin);
    else child.stdin.end(stdin);
  });
}

/** What a command says with --json; it must succeed and say nothing else. */
export async function jsonIn(folder: string, args: readonly string[]) {
  const { code, out, err } = await knackIn(folder, [...args, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

/** Exactly one line that says what is wrong and names no place in the code. */
export function expectOneLine(ended: Ended, code: number, ...says: readonly string[]): void {
  expect(ended.code, ended.err).toBe(code);
  expect(ended.out).toBe("");
  expect(ended.err).toMatch(/^knack: [^\n]+\n$/u);
  expect(ended.err).not.toMatch(/\bat .*:\d+:\d+|node:internal/u);
  for (const text of says) expect(ended.err).toContain(text);
}
