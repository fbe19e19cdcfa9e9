import type { SkillDetail } from "#app/agent.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Mode } from "#contract/skills/schema.ts";

/** Throws when a skill named on the command line cannot do what is asked of it: switched off, an input it has not, strict where it needs judgement. */
export function requireUsable({ skill, revision }: SkillDetail, mode: Mode | undefined, inputs: Readonly<Record<string, string>>): void {
  if (skill.status === "disabled" || skill.status === "retired") {
    const action = skill.status === "retired" ? "revive" : "enable";
    throw new KnackError("skill.off", `The skill "${skill.name}" is ${skill.status}; switch it on with: knack skills ${action} ${skill.name}`, { exit: 3 });
  }
  const known = Object.keys(revision.inputs.properties);
  const odd = Object.keys(inputs).find((name) => !known.includes(name));
  if (odd !== undefined) throw badInput(`"${skill.name}" has no input "${odd}"; it has: ${known.join(", ") || "none"}`);
  if (mode === "strict" && !skill.fullyMechanical)
    throw badInput(`"${skill.name}" has a step that needs judgement, so it cannot run strictly; use --mode assisted or advisory`);
}
