import type { Call } from "#contract/skills/schema.ts";
import { commandLineOf, parseCommand, programFamilyOf, staysInside, toolName } from "../envelope/index.ts";
import type { PageView } from "../ports/index.ts";
import { controlOf } from "./control.ts";

/** The calls that one yes may cover from then on: nothing but what `words` say. */
export interface InvocationFamily {
  /** Equal for calls of the same family. */
  readonly key: string;
  readonly words: string;
}

/** Only what the user switched on to be asked about can be asked about less; payments and what was refused twice are asked about each time (SPEC 3.4). */
const mayHoldOn = new Set(["ask-before-write", "ask-before-download", "ask-before-submit"]);

/**
 * The family of a call that is asked about: the same tool on the same file of the same folder, or on the same control of the same page, whatever its address
 * asks for beyond the path, or the same program with the same deed and options in the same folder. Null where each call is asked about by itself, or where it
 * cannot be told what it acts on.
 */
export function familyOf(rule: string, call: Call, page: PageView | null, folder: string | null): InvocationFamily | null {
  if (rule === "workspace-exec") return familyOfRun(call, folder);
  if (!mayHoldOn.has(rule)) return null;
  const target = targetOf(call, page, folder);
  if (target === null) return null;
  const tool = toolName(call.tool);
  return { key: JSON.stringify([rule, tool, target.key]), words: `${verbs[tool] ?? tool} ${target.words}` };
}

/** A program whose other words lead out of the folder is asked about each time, as is one of which nobody can say what it will do. */
function familyOfRun(call: Call, folder: string | null): InvocationFamily | null {
  const command = parseCommand(commandLineOf(call));
  const family = command.ok ? programFamilyOf(command.value) : null;
  if (!command.ok || family === null || folder === null || !staysInside(command.value)) return null;
  const fixed = [family.program, ...(family.deed === null ? [] : [family.deed]), ...family.options].join(" ");
  return {
    key: JSON.stringify(["workspace-exec", folder, family.program, family.deed, family.options]),
    words: `run ${fixed} (with any other words and paths inside ${folder}, and no other options)`,
  };
}

const verbs: Readonly<Record<string, string>> = {
  workspace_write: "write",
  workspace_move: "move",
  browser_click: "press",
  browser_press: "press",
  browser_download: "download with",
};

/** What a call acts on; null where it cannot be told. */
export function targetOf(call: Call, page: PageView | null, folder: string | null): { readonly key: readonly string[]; readonly words: string } | null {
  const tool = toolName(call.tool);
  const text = (name: string): string | null => (typeof call.args[name] === "string" ? call.args[name] : null);
  if (tool.startsWith("workspace_")) {
    const [path, from, to] = [text("path"), text("from"), text("to")];
    const what = path ?? (from === null || to === null ? null : `${from} to ${to}`);
    return what === null || folder === null ? null : { key: [folder, what], words: `${what} in ${folder}` };
  }
  const place = page === null ? null : placeOf(page.url);
  if (place === null) return null;
  const key = tool === "browser_press" ? text("key") : null;
  if (key !== null) return { key: [place, key], words: `${key} on ${place}` };
  const control = controlOf(call, page);
  return control === null || control.role === "" ? null : { key: [place, control.role, control.name], words: `${control.role} “${control.name}” on ${place}` };
}

/** A page without what its address asks for. */
function placeOf(url: string): string | null {
  const read = URL.parse(url);
  return read === null || read.origin === "null" ? null : `${read.origin}${read.pathname}`;
}
