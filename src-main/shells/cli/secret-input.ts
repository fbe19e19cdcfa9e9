import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { InvalidArgumentError } from "commander";
import { badInput, KnackError } from "#contract/errors.ts";
import { isPersonThere } from "./ask-person.ts";
import type { Session } from "./session.ts";

/** What is given without being seen: never as an argument, which other programs of this machine can read, nor by the environment. */
export interface SecretInput {
  /** The next passphrase: a line of the descriptor that was named, else what is typed without an echo. */
  passphrase(question: string): Promise<string>;
  /** A new passphrase; a person types it twice. */
  newPassphrase(question: string): Promise<string>;
  /** Values by field: JSON on stdin, else each is asked for; an empty answer leaves a field out. */
  values(fields: readonly string[]): Promise<Record<string, string>>;
}

export function secretInput(session: Session, descriptor: number | undefined): SecretInput {
  let lines: string[] | null = null;

  function nextLine(): string {
    lines ??= textOf(descriptor as number).split("\n");
    const line = lines.shift()?.replace(/\r$/u, "") ?? "";
    if (line === "") throw badInput(`--passphrase-fd ${descriptor}: a line with a passphrase was expected there`);
    return line;
  }

  async function passphrase(question: string): Promise<string> {
    if (descriptor !== undefined) return nextLine();
    if (!isPersonThere())
      throw new KnackError("vault.locked", "The vault is locked, and nobody is here to type its passphrase. Name a file descriptor: --passphrase-fd 3 3<FILE", {
        exit: 3,
      });
    return askSecret(question, session);
  }

  return {
    passphrase,
    async newPassphrase(question) {
      const given = await passphrase(question);
      if (descriptor === undefined && given !== (await passphrase("Once more: "))) throw badInput("The two are not the same; nothing was changed");
      return given;
    },
    async values(fields) {
      if (descriptor === 0) return valuesOf((lines ?? []).join("\n"));
      if (process.stdin.isTTY !== true) return valuesOf(textOf(0));
      const given: Record<string, string> = {};
      for (const field of fields) {
        const value = await askSecret(`${field}: `, session);
        if (value !== "") given[field] = value;
      }
      return given;
    },
  };
}

/** Reads the number of a file descriptor that the shell opened for this command. */
export function descriptorNumber(text: string): number {
  if (!/^\d{1,4}$/u.test(text) || text === "1" || text === "2") throw new InvalidArgumentError("Expected a file descriptor to read from, 0 or from 3 on.");
  return Number(text);
}

function textOf(descriptor: number): string {
  try {
    return readFileSync(descriptor, "utf8");
  } catch (error) {
    throw badInput(
      `File descriptor ${descriptor} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}); open it for the command: ${descriptor}<FILE`,
    );
  }
}

function valuesOf(text: string): Record<string, string> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    // What was given is a secret; it is not repeated.
    throw badInput('Values were expected on stdin as JSON, by field: {"username": "…", "password": "…"}');
  }
  const isText = typeof read === "object" && read !== null && !Array.isArray(read) && Object.values(read).every((value) => typeof value === "string");
  if (!isText) throw badInput('Values were expected on stdin as a JSON object of texts, by field: {"username": "…", "password": "…"}');
  return read as Record<string, string>;
}

/** One line from the terminal that is not shown. Rejects with the signal's reason; Ctrl+C stops the command. */
function askSecret(question: string, session: Session): Promise<string> {
  return new Promise((resolve, reject) => {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const input = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
    const stop = (): void => reject(session.signal.reason as Error);
    process.stderr.write(question);
    input.on("SIGINT", session.stop);
    session.signal.addEventListener("abort", stop, { once: true });
    input.question("", (answer) => resolve(answer));
    input.on("close", () => reject(session.signal.aborted ? (session.signal.reason as Error) : badInput("Nothing was typed")));
    const end = (): void => {
      session.signal.removeEventListener("abort", stop);
      input.close();
      process.stderr.write("\n");
    };
    input.once("line", end);
  });
}
