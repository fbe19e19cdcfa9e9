import { stopWords } from "#base/stop-words.ts";
import { clip, words } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { Draft, Showing, ShownAction } from "#contract/learning/schema.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { renderBody, taskText } from "../skills/index.ts";
import { findValues, withoutUrls } from "../skills/values/index.ts";
import { type Generalised, generalise } from "./generalise.ts";
import { withoutGiven } from "./plain-call.ts";
import { tidyShowing } from "./tidy-showing.ts";
import { unsafeIn } from "./unsafe-text.ts";
import { judgedSteps } from "./verify-draft.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** A name from the words of a goal that are not its values: "Download the April 2026 invoice" → download-invoice. */
export function nameFromGoal(goal: string, values: readonly string[], now: Date): string {
  let text = withoutUrls(goal);
  for (const value of [...findValues(goal, now)].reverse()) text = text.slice(0, value.start) + " ".repeat(value.end - value.start) + text.slice(value.end);
  const valueWords = new Set(values.flatMap((value) => words(value)));
  const kept = words(text).filter((word) => !stopWords.has(word) && !valueWords.has(word) && /^[a-z][a-z0-9]*$/u.test(word));
  const name = kept.slice(0, 4).join("-").slice(0, 56);
  return name === "" ? "routine" : name;
}

/** Classes of reach of the built-in tools; a tool from elsewhere is declared by its own id (SPEC 3.4). */
function primitivesOf(tools: readonly string[]): string[] {
  return ["browser", "workspace"].filter((primitive) => tools.some((tool) => tool.startsWith(`${primitive}_`)));
}

/** Vault entries that its steps sign in with, by name. */
function loginsOf(steps: Generalised["steps"]): string[] {
  const entries = steps.flatMap(({ call }) => (call?.tool === "browser_login" && typeof call.args.entry === "string" ? [call.args.entry] : []));
  return [...new Set(entries)].sort();
}

/** The content of a revision from a generalised run. */
export function contentFrom(goal: string, run: Generalised): RevisionContent {
  const inputs = { type: "object" as const, properties: run.inputs, required: run.required };
  const text = taskText(goal, inputs);
  return {
    summary: clip(text, 200),
    whenToUse: text,
    goal,
    phrasings: [],
    inputs,
    bindings: [{ goal, inputs: run.values }],
    preconditions: [],
    antiPreconditions: [],
    steps: withoutGiven(run.steps),
    edgeCases: [],
    toolsRequired: run.tools,
    capabilities: { primitives: primitivesOf(run.tools), vault: loginsOf(run.steps), destinations: run.origins },
  };
}

/**
 * The draft of a skill from what a person showed once; what was left out or kept constant is said in the notes.
 * @throws KnackError "showing.unsafe" naming the field, when something in it may not be kept
 */
export function draftFromShowing(showing: Pick<Showing, "id" | "goal">, actions: readonly ShownAction[], now: Date): Draft {
  const { kept, leftOut } = tidyShowing(withoutSecrets(actions));
  const secretFields = new Set(kept.flatMap(({ secret, target }) => (secret && target ? [target.name] : [])));
  const run = generalise(showing.goal, kept, now);
  const content = contentFrom(showing.goal, run);
  const unsafe = unsafeIn(content);
  if (unsafe !== null) throw new KnackError("showing.unsafe", `This cannot become a routine: ${unsafe}. Show it again without that.`);
  const optional = Object.entries(run.inputs).filter(([, input]) => input.default !== undefined);
  return {
    showingId: showing.id,
    name: nameFromGoal(
      showing.goal,
      run.required.map((name) => run.values[name] ?? ""),
      now,
    ),
    content,
    body: renderBody(content),
    observed: run.observed,
    edits: [],
    needJudgement: judgedSteps(content.steps),
    revises: null,
    alike: null,
    notes: [
      ...[...secretFields].map((field) => `What was typed into "${field}" is or looks like a secret and was left out: choose a vault entry for it.`),
      ...leftOut.map((text) => `Left out: ${text}.`),
      ...run.notes,
      ...optional.map(([name, input]) => `"${name}" is ${input.default ?? ""} unless the goal names another that is on the page.`),
    ],
  };
}
