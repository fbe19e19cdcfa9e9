import type { Primitive } from "#contract/grants/schema.ts";
import type { Call, Capabilities, SkillStep } from "#contract/skills/schema.ts";
import { originText, parseOrigin } from "./origin.ts";

const memoryTools = new Set(["remember", "recall", "update_memory", "forget", "search_past_conversations"]);

/** Primitive class a tool belongs to; null for tools that reach nothing (reply, ask_user, skill_*) and for tools of MCP servers. */
export function primitiveOf(tool: string): Primitive | null {
  const name = toolName(tool);
  if (name.startsWith("browser_")) return "browser";
  if (name === "web_fetch") return "web_fetch";
  if (name === "workspace_exec") return "workspace_exec";
  if (name.startsWith("workspace_")) return "workspace";
  if (name.startsWith("notes_")) return "notes";
  return memoryTools.has(name) ? "memory" : null;
}

/** Addresses a call names itself: arguments called url, href, address or origin. */
export function addressesOf(call: Call): string[] {
  return ["url", "href", "address", "origin"].flatMap((key) => {
    const value = Object.hasOwn(call.args, key) ? call.args[key] : undefined;
    return typeof value === "string" ? [value] : [];
  });
}

/** Origins a call names, each once, in order; an address without a readable origin gives none. */
export function destinationsOf(call: Call): string[] {
  const origins = addressesOf(call).flatMap((address) => {
    const origin = parseOrigin(address);
    return origin === null ? [] : [originText(origin)];
  });
  return [...new Set(origins)];
}

/** Vault entry a call asks to be filled in, by name. */
export function vaultEntryOf(call: Call): string | null {
  if (toolName(call.tool) !== "browser_login") return null;
  const entry = Object.hasOwn(call.args, "entry") ? call.args["entry"] : undefined;
  return typeof entry === "string" ? entry : "";
}

/** What a procedure declares: the reach of its calls. Origins only reached by following links must be added by whoever saw them. */
export function capabilitiesOf(steps: readonly SkillStep[]): Capabilities {
  const calls = steps.flatMap((step) => (step.call === undefined ? [] : [step.call]));
  return {
    primitives: unique(calls.flatMap((call) => primitiveOf(call.tool) ?? [])),
    vault: unique(calls.flatMap((call) => vaultEntryOf(call) || [])),
    destinations: unique(calls.flatMap(destinationsOf)),
  };
}

export function toolName(tool: string): string {
  return tool.startsWith("tool:") ? tool.slice("tool:".length) : tool;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
