import { squash } from "#base/text.ts";
import type { Precondition } from "#contract/skills/schema.ts";
import { originText, parseDeclaredOrigin } from "../envelope/index.ts";
import { isAuthored, type PreflightRule, preflightRules } from "../skills/index.ts";

/** The rules of one active skill, and the tools they hold back. */
export interface ActiveRules {
  readonly author: string;
  readonly preconditions: readonly Precondition[];
  readonly guards: readonly string[];
  readonly destinations: readonly string[];
}

/**
 * The imperative block of L1: for every bare-id rule one positive and one negative line (SPEC 3.3 c); "" without any. What neither a person nor a pack
 * wrote is untrusted: of such a rule only the name of a tool that exists is taken, and never the text of its arguments.
 */
export function preflightBlock(active: readonly ActiveRules[], isTool: (name: string) => boolean): string {
  const lines = active.flatMap((skill) => {
    const rules = preflightRules(skill.preconditions);
    const isTrusted = skill.author.startsWith("human:") || isAuthored(skill.author);
    const actions = skill.guards.filter((tool) => isTool(tool) && !rules.some((rule) => rule.tool === tool));
    if (actions.length === 0) return [];
    const guarded = `${actions.join(", ")}${placeOf(skill, actions)}`;
    return rules.flatMap((rule) => {
      if (!isTrusted && !isTool(rule.tool)) return [];
      const call = isTrusted ? callOf(rule) : rule.tool;
      return [
        `- You MUST call ${call} before ${guarded}; it must have succeeded ${within(rule)}.`,
        `- You MUST NOT call ${guarded} while ${call} has not succeeded ${within(rule)}.`,
      ];
    });
  });
  return lines.length === 0 ? "" : ["ENFORCED PRE-FLIGHT RULES", ...new Set(lines)].join("\n");
}

function placeOf(skill: ActiveRules, actions: readonly string[]): string {
  const destinations = skill.destinations
    .map(parseDeclaredOrigin)
    .filter((origin) => origin !== null)
    .map(originText);
  return destinations.length > 0 && actions.every((tool) => /^(?:browser_|web_fetch$)/u.test(tool)) ? ` on ${destinations.join(", ")}` : "";
}

function callOf(rule: PreflightRule): string {
  if (rule.args === null) return rule.tool;
  return squash(
    `${rule.tool}(${Object.entries(rule.args)
      .map(([name, value]) => `${name}=${value}`)
      .join(", ")})`,
  );
}

function within({ freshness }: PreflightRule): string {
  if (freshness === "turn") return "in this turn";
  if (freshness === "episode") return "for this goal";
  return `within the last ${Math.round(freshness.milliseconds / 1000)} seconds`;
}
