import { toolName } from "../envelope/index.ts";
import { GovernanceRefused, messageOf } from "../errors.ts";
import type { Gate } from "./context.ts";
import { allow, refuse } from "./verdict.ts";

/** Code rules, in order; the first that objects, or breaks, refuses (SPEC 3.3 e). */
export const objectors: Gate = (call, context) => {
  if (!context.settings.enforcement.objectors) return allow;
  for (const objector of context.objectors) {
    if (objector.tool !== undefined && toolName(objector.tool) !== toolName(call.tool)) continue;
    try {
      const objection = objector.check(call, { properties: context.state.facts(), turnId: context.turnId });
      if (typeof objection === "string") return refuse("governance.refused", objection, [objector.name]);
    } catch (thrown) {
      if (thrown instanceof GovernanceRefused) return refuse(thrown.code, thrown.message, thrown.ruleIds);
      return refuse("governance.broken", `${call.tool} was not run: the rule "${objector.name}" could not be asked (${messageOf(thrown)}).`, [objector.name]);
    }
  }
  return allow;
};
