import { canonicalJson } from "#base/json.ts";
import { fold } from "#base/text.ts";
import type { Step } from "#contract/chat/schema.ts";
import type { Call, Precondition } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import { type PreflightRule, preflightRules, skillApplies } from "../skills/index.ts";
import type { Gate, GateContext } from "./context.ts";
import { isTalk } from "./declared.ts";
import { allow, refuse } from "./verdict.ts";

/**
 * Bare-id rules are met by an earlier call, not by words (SPEC 3.2, 3.3 b). First whether the rules apply to this state,
 * then whether each is met; a rule that cannot be looked up is unmet.
 */
export const precondition: Gate = (call, context) => {
  if (isTalk(call.tool)) return allow;
  let rules: readonly PreflightRule[];
  let steps: readonly Step[];
  try {
    rules = rulesFor(call, context);
    if (rules.length === 0) return allow;
    steps = typeof context.earlierSteps === "function" ? context.earlierSteps() : context.earlierSteps;
  } catch {
    return refuse("precondition.unknown", `${call.tool} was not run: what must come before it could not be looked up. Try again later.`);
  }
  const unmet = rules.filter((rule) => !steps.some((step) => meets(step, rule, context)));
  const first = unmet[0];
  if (first === undefined) return allow;
  const how = first.args === null ? first.tool : first.rule;
  return refuse(
    "precondition.unmet",
    `${call.tool} was not run: call ${how} first${first.freshness === "turn" ? ", in this turn" : ""}; it must succeed.`,
    unmet.map((rule) => rule.rule),
  );
};

function rulesFor(call: Call, context: GateContext): PreflightRule[] {
  const name = toolName(call.tool);
  const standing = typeof context.standingRules === "function" ? context.standingRules() : (context.standingRules ?? []);
  const skill = context.skillInCharge;
  const inCharge = skill !== null && isGuarded(name, skill.toolsRequired, context) ? applicable(skill.preconditions, name, context) : [];
  return [
    ...inCharge,
    ...standing.filter((rules) => rules.guards.map(toolName).includes(name)).flatMap((rules) => applicable(rules.preconditions, name, context)),
  ];
}

/** Under a skill every tool that does something is held back; one that only looks is, when the skill names it. */
function isGuarded(name: string, toolsRequired: readonly string[], context: GateContext): boolean {
  return context.tools.get(name)?.readOnly !== true || toolsRequired.map(toolName).includes(name);
}

/** A tool that a rule itself asks for is not held back by the list it stands in. */
function applicable(preconditions: readonly Precondition[], name: string, context: GateContext): PreflightRule[] {
  const rules = preflightRules(preconditions);
  if (rules.some((rule) => rule.tool === name) || !skillApplies(context.state, preconditions)) return [];
  return rules;
}

function meets(step: Step, rule: PreflightRule, context: GateContext): boolean {
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
