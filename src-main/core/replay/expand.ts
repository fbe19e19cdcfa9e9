import { badInput, KnackError } from "#contract/errors.ts";
import type { Capabilities, Check, Revision, Skill, SkillStep, ValueKind } from "#contract/skills/schema.ts";
import { intersect } from "../envelope/index.ts";
import { fillDeep, findPlaceholders, invocationOf, isUsable, type RenderInput, skillInvocation } from "../skills/index.ts";
import { renderValue } from "../skills/values/index.ts";

/** A skill inside a skill inside a skill inside a skill: deeper than this nobody sees any more what will be done. */
export const deepestNesting = 3;
const mostSteps = 200;

/** A skill with the revision that is pinned for this use. */
export interface PinnedSkill {
  readonly skill: Pick<Skill, "name" | "status">;
  readonly revision: Revision;
}

export interface ExpandWorld {
  /** The skill of that name with its active revision. */
  readonly find: (name: string) => PinnedSkill | undefined;
  /** A value in the one form it is kept in; undefined when it is none of that kind. */
  readonly canonical: (kind: ValueKind, text: string) => string | undefined;
}

export interface Expanded {
  readonly steps: readonly SkillStep[];
  /** For each step the revision that says what it may do: the outer one, for a nested step narrowed to what the inner one declares as well. */
  readonly scopes: readonly Revision[];
  /** For each step where it comes from. */
  readonly origins: readonly StepOrigin[];
}

/** The step of the outer skill that a step stands for, from 0, and the skills it is inside of, the outermost first; none for a step of its own. */
export interface StepOrigin {
  readonly at: number;
  readonly inside: readonly string[];
}

/**
 * The steps of a skill with every step that calls `skill:<name>` replaced by that skill's own, its inputs bound from the arguments. Throws KnackError
 * "skill.nested" for a circle, for more than three skills one inside the other, for a skill that is missing, and for arguments that do not fit;
 * "skill.off" for one that is disabled or retired. Each names the skill.
 */
export function expandSkill(outer: PinnedSkill, world: ExpandWorld): Expanded {
  const steps: SkillStep[] = [];
  const scopes: Revision[] = [];
  const origins: StepOrigin[] = [];
  for (const one of stepsOf(outer.revision, [outer.skill.name], world)) {
    if (steps.length === mostSteps)
      throw nested(`"${outer.skill.name}" comes to more than ${mostSteps} steps with the skills in it; use it in parts.`, outer.skill.name);
    steps.push(one.step);
    scopes.push(one.scope);
    origins.push(one.origin);
  }
  return { steps, scopes, origins };
}

interface Scoped {
  readonly step: SkillStep;
  readonly scope: Revision;
  readonly origin: StepOrigin;
}

function* stepsOf(revision: Revision, path: readonly string[], world: ExpandWorld): Generator<Scoped> {
  for (const [index, step] of revision.steps.entries()) {
    const called = step.call === undefined ? null : invocationOf(step.call.tool);
    if (step.call === undefined || called?.kind !== "skill") {
      yield { step, scope: revision, origin: { at: index, inside: [] } };
      continue;
    }
    const inner = innerSkill(called.name, path, world);
    if (step.repeatUntilNext === true)
      throw nested(
        `Step ${index + 1} of "${path.at(-1) ?? ""}" repeats the skill "${inner.skill.name}"; only a single call can be repeated.`,
        inner.skill.name,
      );
    const bound = boundTo(step.call.args, inner, world);
    const scope = narrowed(revision, inner);
    const own = [...stepsOf({ ...scope, steps: inner.revision.steps.map((one) => fillDeep(one, bound)) }, [...path, inner.skill.name], world)];
    for (const [place, { step: inside, scope: reach, origin }] of own.entries())
      yield {
        step: place === own.length - 1 ? withCheck(inside, step.check) : inside,
        scope: reach,
        origin: { at: index, inside: [inner.skill.name, ...origin.inside] },
      };
  }
}

function innerSkill(name: string, path: readonly string[], world: ExpandWorld): PinnedSkill {
  const way = [...path, name].join(" → ");
  const outer = path[0] ?? "";
  if (path.includes(name)) throw nested(`"${outer}" goes round in a circle: ${way}. Take one of these skills out of the other.`, name);
  if (path.length > deepestNesting) throw nested(`"${outer}" has skills inside skills more than ${deepestNesting} deep: ${way}.`, name);
  const found = world.find(name);
  if (found === undefined) throw nested(`"${path.at(-1) ?? ""}" uses the skill "${name}", which is not there; see: knack skills list --all`, name);
  if (!isUsable(found.skill.status)) {
    const wayOn = found.skill.status === "retired" ? "revive" : "enable";
    throw new KnackError(
      "skill.off",
      `"${path.at(-1) ?? ""}" uses the skill "${name}", which is ${found.skill.status}; switch it on with: knack skills ${wayOn} ${name}`,
      { exit: 3, fields: { skill: name } },
    );
  }
  return found;
}

/** What both declare. A skill that is named as a whole brings the tools it names; its primitives, credentials and sites are still only the shared ones. */
function narrowed(outer: Revision, { skill, revision }: PinnedSkill): Revision {
  const declared: Capabilities = intersect(outer.capabilities, revision.capabilities);
  const isNamed = outer.toolsRequired.some((tool) => tool === skillInvocation(skill.name));
  const toolsRequired = isNamed
    ? revision.toolsRequired
    : revision.toolsRequired.filter((tool) => outer.toolsRequired.some((other) => isSameTool(tool, other)));
  return { ...outer, capabilities: declared, toolsRequired: [...toolsRequired] };
}

function isSameTool(one: string, other: string): boolean {
  const [a, b] = [invocationOf(one), invocationOf(other)];
  return a.kind === b.kind && a.name === b.name;
}

/** How the inner skill's placeholders are written with what the outer one passes: another placeholder stays one, a value takes the form that is asked for. */
function boundTo(args: Readonly<Record<string, unknown>>, { skill, revision }: PinnedSkill, world: ExpandWorld): RenderInput {
  const { properties, required } = revision.inputs;
  for (const name of Object.keys(args))
    if (!Object.hasOwn(properties, name))
      throw nested(`"${skill.name}" has no input "${name}"; it has: ${Object.keys(properties).join(", ") || "none"}`, skill.name);
  const values = new Map<string, string>();
  for (const [name, input] of Object.entries(properties)) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    const text = given === undefined ? input.default : typeof given === "string" ? given : JSON.stringify(given);
    if (text === undefined && required.includes(name))
      throw nested(`"${skill.name}" needs its input "${name}", and the step that uses it gives none.`, skill.name);
    if (text === undefined) continue;
    const value = findPlaceholders(text).length > 0 ? text : world.canonical(input.kind, text);
    if (value === undefined) throw badInput(`"${text}" is no ${input.kind} for the input "${name}" of "${skill.name}".`, { field: name });
    values.set(name, value);
  }
  return (name, form) => {
    const value = values.get(name);
    // An input that was left open stays so, under a name that no input of the outer skill has.
    if (value === undefined) return `{{${skill.name}-${name}${form === undefined ? "" : `|${form}`}}}`;
    const [only] = findPlaceholders(value);
    if (only === undefined) return renderValue(value, properties[name]?.kind ?? "text", form) ?? value;
    const isAlone = only.start === 0 && only.end === value.length;
    return isAlone && form !== undefined ? `{{${only.name}|${form}}}` : value;
  };
}

/** What the outer step expects holds after the last of the inner ones, beside what that expects itself. */
function withCheck(step: SkillStep, check: Check | undefined): SkillStep {
  if (check === undefined || "prose" in check) return step;
  if (step.check !== undefined && "page" in step.check && "page" in check) return { ...step, check: { page: { ...step.check.page, ...check.page } } };
  return { ...step, check };
}

function nested(message: string, skill: string): KnackError {
  return new KnackError("skill.nested", message, { exit: 2, fields: { skill } });
}
