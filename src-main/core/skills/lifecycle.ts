import { fail, ok, type Result } from "#base/result.ts";
import type { SkillStatus } from "#contract/skills/schema.ts";

export type StatusAction = "succeed" | "enable" | "disable" | "drift" | "remove" | "outlive" | "supersede" | "lose-evidence" | "revive";

/** Who may ask: a person, the model (inline), a learning pass, or the rules of trust and drift. */
export type StatusActor = "human" | "agent" | "learning" | "rule";

interface Transition {
  readonly from: readonly SkillStatus[];
  readonly to: SkillStatus;
  readonly by: readonly StatusActor[];
}

/**
 * The status of a skill and what changes it (SPEC 3). Nothing is deleted, and what a person switched off is switched on
 * by a person only. "outlive": trust fell below 0.4; "supersede": a better record took its place;
 * "lose-evidence": what it was learned from was erased.
 */
export const statusTable: Readonly<Record<StatusAction, Transition>> = {
  succeed: { from: ["provisional"], to: "active", by: ["rule"] },
  enable: { from: ["disabled"], to: "active", by: ["human"] },
  disable: { from: ["provisional", "active"], to: "disabled", by: ["human"] },
  drift: { from: ["provisional", "active"], to: "disabled", by: ["rule"] },
  remove: { from: ["provisional", "active", "disabled"], to: "retired", by: ["human", "agent"] },
  outlive: { from: ["provisional", "active"], to: "retired", by: ["rule"] },
  supersede: { from: ["provisional", "active"], to: "retired", by: ["human", "learning"] },
  "lose-evidence": { from: ["provisional", "active", "disabled"], to: "retired", by: ["rule"] },
  revive: { from: ["retired"], to: "active", by: ["human"] },
};

/** Authored skills are changed by a person only (SPEC 3.1); drift may still switch one off. */
const openToAuthored: readonly StatusAction[] = ["succeed", "drift"];

/** The status after an action, or why there is none. */
export function changeStatus(
  skill: { readonly name: string; readonly status: SkillStatus; readonly isAuthored?: boolean },
  action: StatusAction,
  actor: StatusActor,
): Result<SkillStatus> {
  const { from, to, by } = statusTable[action];
  if (!by.includes(actor)) return fail(`"${skill.name}" cannot be changed so: ${action} is for ${by.join(" or ")}, not for ${actor}.`);
  if (skill.isAuthored === true && actor !== "human" && !openToAuthored.includes(action))
    return fail(`"${skill.name}" belongs to a pack; only a person may ${action} it.`);
  if (!from.includes(skill.status)) return fail(`"${skill.name}" is ${skill.status}; ${action} needs it to be ${from.join(" or ")}.`);
  return ok(to);
}

/** The action by which a person sets a status; null when it has that status already or there is no way there. */
export function actionTowards(current: SkillStatus, wanted: SkillStatus): StatusAction | null {
  if (current === wanted) return null;
  if (wanted === "active") return current === "retired" ? "revive" : current === "disabled" ? "enable" : null;
  if (wanted === "disabled") return current === "retired" ? null : "disable";
  return wanted === "retired" ? "remove" : null;
}

/** Status is asked when a skill is used, not when an index was built. */
export function isUsable(status: SkillStatus): boolean {
  return status === "provisional" || status === "active";
}
