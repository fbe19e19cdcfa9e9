import { canonicalJson } from "#base/json.ts";
import { fold } from "#base/text.ts";
import type { Step } from "#contract/chat/schema.ts";
import type { Call, Precondition } from "#contract/skills/schema.ts";
import { addressesOf, declaresOrigin, parseOrigin, toolName } from "../envelope/index.ts";
import { type PreflightRule, preflightRules, skillApplies } from "../skills/index.ts";
import type { Gate, GateContext, StandingRules } from "./context.ts";
import { isTalk } from "./declared.ts";
import { allow, refuse } from "./verdict.ts";

/**
 * Bare-id rules are met by an earlier call, not by words (SPEC 3.2, 3.3 b). First whether the rules apply to this state,
 * then whether each is met; a rule that cannot be looked up is unmet.
 */
export const precondition: Gate = (call, context) => {
  if (isTalk(call.tool) || !context.settings.enforcement.gate) return allow;
  let unmet: readonly PreflightRule[];
  try {
    unmet = unmetRules(call, context);
  } catch {
    return refuse("precondition.unknown", `${call.tool} was not run: what must come before it could not be looked up. Try again later.`);
  }
  const first = unmet[0];
  if (first === undefined) return allow;
  const how = first.args === null ? first.tool : first.rule;
  return refuse(
    "precondition.unmet",
    `${call.tool} was not run: call ${how} first${first.freshness === "turn" ? ", in this turn" : ""}; it must succeed.`,
    unmet.map((rule) => rule.rule),
  );
};

/** What the rules are asked about. */
export type PreconditionContext = Pick<GateContext, "turnId" | "tools" | "skillInCharge" | "earlierSteps" | "state" | "page" | "now" | "standingRules">;

/** The rules that hold this call back, in order. Throws what the look-up of rules or steps throws. */
export function unmetRules(call: Call, context: PreconditionContext): PreflightRule[] {
  const rules = rulesFor(call, context);
  if (rules.length === 0) return [];
  const steps = typeof context.earlierSteps === "function" ? context.earlierSteps() : context.earlierSteps;
  return rules.filter((rule) => !steps.some((step) => meets(step, rule, context)));
}

function rulesFor(call: Call, context: PreconditionContext): PreflightRule[] {
  const name = toolName(call.tool);
  const standing = typeof context.standingRules === "function" ? context.standingRules() : (context.standingRules ?? []);
  const skill = context.skillInCharge;
  const inCharge = skill !== null && isGuarded(name, skill.toolsRequired, context) ? applicable(skill.preconditions, name, context) : [];
  return [...inCharge, ...standing.filter((rules) => guards(rules, call, context)).flatMap((rules) => applicable(rules.preconditions, name, context))];
}

/** A rule about a site holds back the browser on that site alone: where the call goes, else where the page is. */
function guards(rules: StandingRules, call: Call, context: PreconditionContext): boolean {
  const name = toolName(call.tool);
  if (!rules.guards.map(toolName).includes(name)) return false;
  const destinations = rules.destinations ?? [];
  const primitive = context.tools.get(name)?.primitive;
  if (destinations.length === 0 || (primitive !== "browser" && primitive !== "web_fetch")) return true;
  const named = addressesOf(call);
  return (named.length > 0 ? named : [context.page?.url ?? ""]).some((address) => {
    const origin = parseOrigin(address);
    return origin !== null && declaresOrigin({ primitives: [], vault: [], destinations: [...destinations] }, origin);
  });
}

/** Under a skill every tool that does something is held back; one that only looks is, when the skill names it. */
function isGuarded(name: string, toolsRequired: readonly string[], context: PreconditionContext): boolean {
  return context.tools.get(name)?.readOnly !== true || toolsRequired.map(toolName).includes(name);
}

/** A tool that a rule itself asks for is not held back by the list it stands in. */
function applicable(preconditions: readonly Precondition[], name: string, context: PreconditionContext): PreflightRule[] {
  const rules = preflightRules(preconditions);
  if (rules.some((rule) => rule.tool === name) || !skillApplies(context.state, preconditions)) return [];
  return rules;
}

function meets(step: Step, rule: PreflightRule, context: PreconditionContext): boolean {
  if (toolName(step.tool) !== rule.tool || step.status !== "ok") return false;
  if (rule.args !== null && !Object.entries(rule.args).every(([name, wanted]) => argumentMatches(step.args, name, wanted))) return false;
  if (rule.freshness === "turn") return step.turnId === context.turnId;
  if (rule.freshness === "episode") return true;
  return context.now !== undefined && context.now - (step.startedAt + (step.durationMs ?? 0)) <= rule.freshness.milliseconds;
}

function argumentMatches(args: Readonly<Record<string, unknown>>, name: string, wanted: string): boolean {
  if (!Object.hasOwn(args, name)) return false;
  if (wanted === "*" || /^<[^<>]*>$/u.test(wanted)) return true;
  const given = args[name];
  return fold(typeof given === "string" ? given : canonicalJson(given)) === fold(wanted);
}
