import type { Precondition } from "#contract/skills/schema.ts";

/** How long an earlier call satisfies a rule: the turn (default), the episode, or a time in milliseconds. */
export type Freshness = "turn" | "episode" | { readonly milliseconds: number };

/** A bare-id rule: this tool must have been called first, with these arguments where given. */
export interface PreflightRule {
  /** As written; names the rule in a refusal. */
  readonly rule: string;
  readonly tool: string;
  /** null: any arguments. A value "*" or "<…>" stands for any value. */
  readonly args: Readonly<Record<string, string>> | null;
  readonly freshness: Freshness;
}

const shape = /^(?:tool:|call (?=[^ ()]+\())?([A-Za-z][A-Za-z0-9_.-]*)(?:\(([^()]*)\))?(?: within (episode|\d+ ?(?:s|min|h)))?$/u;
const units = { s: 1000, min: 60_000, h: 3_600_000 } as const;

/**
 * Reads `get_status`, `get_status(id=42, region="EU")`, `call get_status(id=42)`, `get_status within 10 min`,
 * `get_status within episode`. Anything else is prose and gives null.
 */
export function parsePreflight(entry: Precondition): PreflightRule | null {
  if (typeof entry !== "string") return null;
  const match = shape.exec(entry.trim());
  if (match === null) return null;
  const args = match[2] === undefined ? null : parseArgs(match[2]);
  if (args === undefined) return null;
  return { rule: entry.trim(), tool: match[1] as string, args, freshness: parseFreshness(match[3]) };
}

/** The bare-id rules among preconditions, in order. */
export function preflightRules(preconditions: readonly Precondition[]): PreflightRule[] {
  return preconditions.map(parsePreflight).filter((rule) => rule !== null);
}

function parseFreshness(text: string | undefined): Freshness {
  if (text === undefined) return "turn";
  if (text === "episode") return "episode";
  const unit = /[a-z]+$/u.exec(text)?.[0] as keyof typeof units;
  return { milliseconds: Number.parseInt(text, 10) * units[unit] };
}

function parseArgs(text: string): Record<string, string> | null | undefined {
  const parts = splitOutsideQuotes(text);
  if (parts.length === 0) return null;
  const args: Record<string, string> = {};
  for (const part of parts) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(0, at)).trim();
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/u.test(name) || name === "__proto__") return undefined;
    args[name] = unquote(part.slice(at + 1).trim());
  }
  return args;
}

function splitOutsideQuotes(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  for (const character of text) {
    if (quote === "" && character === ",") {
      parts.push(part);
      part = "";
      continue;
    }
    if (quote === character) quote = "";
    else if (quote === "" && (character === '"' || character === "'")) quote = character;
    part += character;
  }
  parts.push(part);
  return parts.filter((piece) => piece.trim() !== "");
}

function unquote(text: string): string {
  const first = text[0];
  return text.length >= 2 && (first === '"' || first === "'") && text.endsWith(first) ? text.slice(1, -1) : text;
}
