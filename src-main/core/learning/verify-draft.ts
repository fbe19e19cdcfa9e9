import { badInput, KnackError } from "#contract/errors.ts";
import type { Draft } from "#contract/learning/schema.ts";
import type { Capabilities, RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { cleanContent, isStructured, placeholderNames, renderBody } from "../skills/index.ts";
import { unsafeIn } from "./unsafe-text.ts";

type ReachOf = (steps: readonly SkillStep[]) => Capabilities;

/**
 * A draft that may be kept: every placeholder is an input, every input is used, what its steps call is declared, and its body says what its parts say.
 * @throws bad-input naming the step or input; KnackError "showing.unsafe" naming the field
 */
export function verifiedDraft(draft: Draft, reachOf: ReachOf): Draft {
  const { content, left } = withoutUnused(cleanContent(draft.content));
  if (content.steps.length === 0) throw badInput("No step is left, so there is nothing to keep; drop the showing instead");
  requireDeclared(content);
  for (const [index, step] of content.steps.entries())
    if (step.repeatUntilNext === true && content.steps[index + 1]?.call === undefined)
      throw badInput(`Step ${index + 1} repeats until the next target is there, and no step after it presses anything; drop it as well`, { step: index + 1 });
  const reaching = withReach(content, reachOf);
  const unsafe = unsafeIn(reaching);
  if (unsafe !== null) throw new KnackError("showing.unsafe", `This cannot become a routine: ${unsafe}. Take that out of the draft.`);
  return {
    ...draft,
    content: reaching,
    body: renderBody(reaching),
    notes: [...draft.notes, ...left.map((name) => `No step uses the input "${name}" any more, so it was left out.`)],
    needJudgement: judgedSteps(reaching.steps),
  };
}

/** Steps, from 1, that cannot run without a model. */
export function judgedSteps(steps: readonly SkillStep[]): number[] {
  return steps.flatMap((step, index) => (step.call !== undefined && isStructured(step.check) ? [] : [index + 1]));
}

function withoutUnused(content: RevisionContent): { content: RevisionContent; left: string[] } {
  const used = new Set(placeholderNames(content.steps));
  const left = Object.keys(content.inputs.properties).filter((name) => !used.has(name));
  if (left.length === 0) return { content, left };
  const kept = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !left.includes(name)));
  return {
    content: {
      ...content,
      inputs: { ...content.inputs, properties: kept(content.inputs.properties), required: content.inputs.required.filter((name) => !left.includes(name)) },
      bindings: content.bindings.map(({ goal, inputs }) => ({ goal, inputs: kept(inputs) })),
    },
    left,
  };
}

function requireDeclared({ steps, inputs }: RevisionContent): void {
  const has = (name: string): boolean => Object.hasOwn(inputs.properties, name);
  for (const [index, step] of steps.entries())
    for (const name of placeholderNames(step))
      if (!has(name))
        throw badInput(`Step ${index + 1} uses {{${name}}}, which is no input; the inputs are: ${Object.keys(inputs.properties).join(", ") || "none"}`, {
          step: index + 1,
          input: name,
        });
  const unknown = inputs.required.find((name) => !has(name));
  if (unknown !== undefined) throw badInput(`"${unknown}" is required and is no input`, { input: unknown });
}

/** What it declares covers what its steps call. Declaring grants nothing: that is looked at whenever it is used. */
function withReach(content: RevisionContent, reachOf: ReachOf): RevisionContent {
  const called = reachOf(content.steps);
  const { primitives, destinations } = content.capabilities;
  return {
    ...content,
    toolsRequired: [...new Set(content.steps.flatMap(({ call }) => (call ? [call.tool] : [])))],
    capabilities: {
      primitives: [...new Set([...primitives, ...called.primitives])],
      vault: called.vault,
      destinations: [...new Set([...destinations, ...called.destinations])],
    },
  };
}
