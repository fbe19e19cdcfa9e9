import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Session } from "./session.ts";

/** A file that a person changes in their editor as often as it takes. */
export interface OpenFile extends AsyncDisposable {
  /** Opens it and resolves with its text once the editor is left. */
  edit(): Promise<string>;
}

const withoutEditor = "write the draft to a file with --draft-to FILE";

/** The editor a person named for such things. Throws bad-input where none is. */
function editor(instead: string): readonly string[] {
  const words = (process.env.VISUAL || process.env.EDITOR || "").trim().split(/\s+/u).filter(Boolean);
  if (words.length === 0) throw badInput(`No editor is named; set VISUAL or EDITOR, or ${instead}`);
  return words;
}

/**
 * Throws bad-input where no editor is named.
 * @param instead what to do without an editor
 */
export function requireEditor(instead = withoutEditor): void {
  editor(instead);
}

/**
 * Throws bad-input where no editor is named, before anything is written.
 * @param instead what to do without an editor
 */
export async function openInEditor(name: string, text: string, session: Session, instead = withoutEditor): Promise<OpenFile> {
  const [command = "", ...args] = editor(instead);
  const folder = await mkdtemp(join(tmpdir(), "knack-draft-"));
  const file = join(folder, name);
  await writeFile(file, text, { mode: 0o600 });
  return {
    async edit() {
      await new Promise<void>((resolve, reject) => {
        const child = spawn(command, [...args, file], { stdio: "inherit", signal: session.signal });
        child.on("error", (error) =>
          reject(
            session.signal.aborted ? session.signal.reason : new KnackError("cli.editor", `The editor ${command} could not be started (${error.message}).`),
          ),
        );
        child.on("close", (code) =>
          code === 0 ? resolve() : reject(new KnackError("cli.editor", `The editor ${command} ended with ${code}; the draft is as it was.`)),
        );
      });
      return readFile(file, "utf8");
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
