import type { Diagnostic, FileCheck, ImportResult, Pack, PackFile } from "#contract/skills/schema.ts";

/** One line per diagnostic, errors first. */
export function diagnosticLines(diagnostics: readonly Diagnostic[], indent = "  "): string[] {
  const order = ["error", "warning", "note"] as const;
  return order.flatMap((severity) =>
    diagnostics.filter((one) => one.severity === severity).map(({ code, message }) => `${indent}${severity.padEnd(7)}  ${message} (${code})`),
  );
}

export function importLines(results: readonly ImportResult[]): string[] {
  return results.flatMap((one) => [
    one.outcome === "imported" ? `imported "${one.name}" from ${one.path}, ${one.reason}` : `${one.outcome} ${one.path}: ${one.reason}`,
    ...diagnosticLines(one.diagnostics.filter(({ message }) => message !== one.reason)),
  ]);
}

export function checkLines(checks: readonly FileCheck[]): string[] {
  return checks.flatMap(({ path, name, valid, diagnostics }) => [
    `${valid ? "valid" : "not valid"}  ${path}${name === null ? "" : ` ("${name}")`}`,
    ...diagnosticLines(diagnostics),
  ]);
}

export function packLines(packs: readonly Pack[]): string[] {
  return packs.flatMap(({ name, files }) => [
    name,
    ...files.flatMap((file) => [`  ${wordFor(file)}  ${file.path}`, ...diagnosticLines(file.diagnostics, "    ")]),
  ]);
}

/** A file that holds something which was not taken. */
export function isRefused({ skill, position, diagnostics }: PackFile): boolean {
  return skill === null && position === null && diagnostics.some(({ severity }) => severity === "error");
}

function wordFor({ skill, position }: PackFile): string {
  if (skill !== null) return `skill "${skill}"`;
  return position === null ? "not read" : `text for the prompt, ${position}`;
}
