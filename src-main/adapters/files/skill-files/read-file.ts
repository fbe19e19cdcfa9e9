import { KnackError } from "#contract/errors.ts";
import type { Diagnostic } from "#contract/skills/schema.ts";
import type { FoundFile } from "#core/ports/skill-files.ts";
import { mostBytes, readTextFile } from "../read-text-file.ts";

/** Reads one file, or says why not; only an abort rejects. A link is not followed. `path` is what it is called. */
export async function readFile(real: string, path: string, signal: AbortSignal): Promise<FoundFile> {
  try {
    return { path, text: await readTextFile(real, path, signal) };
  } catch (error) {
    signal.throwIfAborted();
    return { path, problem: problemOf(error) };
  }
}

export const linkProblem: Diagnostic = problem("link", "It is a link; links are not followed here.");

export function problem(code: string, message: string): Diagnostic {
  return { code, severity: "error", message };
}

export function problemOf(error: unknown): Diagnostic {
  const code = error instanceof KnackError ? error.code : error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "workspace.too-large") return problem("too-large", `The file has more than ${mostBytes} bytes; it is not read.`);
  if (code === "workspace.binary") return problem("binary", "The file is not text (UTF-8).");
  if (code === "workspace.not-file") return problem("not-file", "It is not an ordinary file.");
  if (code === "ELOOP") return linkProblem;
  if (code === "ENOENT") return problem("missing", "The file is not there any more.");
  if (code === "EACCES" || code === "EPERM") return problem("denied", "The system does not let Knack read it; change its rights.");
  return problem("unreadable", `It could not be read (${error instanceof Error ? error.message : String(error)}).`);
}
