import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Command } from "commander";
import { KnackError } from "#contract/errors.ts";
import { type Call, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import { root } from "../place.ts";
import type { Session } from "../session.ts";

export function addShells(program: Command, session: Session): void {
  leaf<{ port?: number }>(program, session, "web", "the page in your browser, on 127.0.0.1 only", (call) =>
    start(call, "src-main/shells/web/main.ts", call.options.port === undefined ? [] : ["--port", String(call.options.port)]),
  ).option("--port <n>", "listen on this port (default: one that is free)", wholeNumber(0, 65535));
  leaf(program, session, "app", "the app in its window, as npm start does", (call) => start(call, "setup/start.mjs", []));
}

/** A shell is a process of its own; a stop reaches it, and this one leaves when it has. */
async function start({ screen, signal }: Call<object>, file: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(root, file), ...args], { stdio: ["inherit", screen.json ? "pipe" : "inherit", "inherit"] });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const url = /https?:\/\/\S+/u.exec(text)?.[0];
    if (url !== undefined) screen.event({ type: "listening", url });
  });
  // A terminal's Ctrl+C reaches the child by itself; a second one would end it where it stands.
  signal.addEventListener("abort", () => (process.stdin.isTTY ? undefined : child.kill("SIGTERM")), { once: true });
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new KnackError("shell.start", `${file} could not be started: ${error.message}`)));
    child.on("close", (code) => resolve(code ?? 1));
  });
}
