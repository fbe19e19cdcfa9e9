import type { Send, Turn } from "#contract/chat/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Recall, Revision, Run, Skill } from "#contract/skills/schema.ts";
import { covers, envelopeOf } from "../envelope/index.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import { type Asked, type Binding, bindInputs, canonicalValue, keepAnswer, type MatchWorld, matchSkill } from "../recall/index.ts";
import { type Bindings, expandSkill, type Guidance, type PinnedSkill, type StepOrigin } from "../replay/index.ts";
import { caveatText, fullyMechanical, invocationOf, isUsable, mayAssist, type State, trustOfRecord } from "../skills/index.ts";
import { affirmed, withoutUrls } from "../skills/values/index.ts";
import { underControl } from "./control.ts";
import type { Halted } from "./halted.ts";
import type { TurnWorld } from "./world.ts";

/** A skill in charge of a turn, at one pinned revision, its inputs bound. */
export interface Charge {
  readonly skill: Skill;
  /** With the steps of the skills inside it in the place of the steps that call them. */
  readonly revision: Revision;
  /** For each step what it may do: narrower than the revision inside a nested skill. */
  readonly scopes: readonly Revision[];
  /** For each step which of the revision's own it stands for; empty where no skill is inside. */
  readonly origins: readonly StepOrigin[];
  readonly mode: Run["mode"];
  readonly bindings: Bindings;
  readonly binding: Binding;
  readonly caveat: string | null;
}

export type Taken =
  | { readonly kind: "free"; readonly recall: Recall | null }
  | { readonly kind: "charge"; readonly recall: Recall | null; readonly charge: Charge }
  /** Required inputs the goal does not name. */
  | {
      readonly kind: "ask";
      readonly recall: Recall | null;
      readonly skill: Skill;
      readonly revision: Revision;
      readonly mode: Run["mode"];
      readonly missing: readonly string[];
    }
  /** Declared reach that is not granted: the whole use is refused (SPEC 3.4). */
  | { readonly kind: "refused"; readonly recall: Recall | null; readonly skill: Skill; readonly missing: readonly string[] };

/** The revision whose reach holds for the step that is due. */
export function revisionAt({ revision, scopes }: Charge, due: Guidance | null): Revision {
  return due === null || due.kind === "done" ? revision : (scopes[due.at] ?? revision);
}

/** Recall, or the skill the user named; then conditions, grants and inputs, before anything is done. */
export async function takeSkill(
  world: TurnWorld,
  input: Send,
  { goal, episodeId }: Asked,
  continued: Turn | undefined,
  state: State,
  signal: AbortSignal,
): Promise<Taken> {
  const { skills } = world.stores;
  const free = (recall: Recall | null, why = recall?.why ?? ""): Taken => {
    // A run that was to go without the model is no turn of the model's own.
    if ((input.mode ?? continued?.mode) === "strict") throw new KnackError("skill.none", `No skill fits, so there is nothing to run strictly. ${why}`.trim());
    return { kind: "free", recall };
  };
  if (input.noSkills) return free(null);
  let skill: Skill | undefined;
  let recall: Recall | null = null;
  const name = input.skill;
  if (name !== undefined) {
    skill = skills.byName(name) ?? skills.get(name);
    if (!skill) throw badInput(`There is no skill "${name}"; see: knack skills list`);
    if (!isUsable(skill.status))
      throw new KnackError(
        "skill.off",
        `The skill "${name}" is ${skill.status}; switch it on with: knack skills ${skill.status === "retired" ? "revive" : "enable"} ${name}`,
        { exit: 3 },
      );
  } else if (continued?.skillId) {
    // An answer to "which month?" belongs to the skill that asked.
    const asked = skills.get(continued.skillId);
    skill = asked && isUsable(asked.status) ? asked : undefined;
    recall = continued.recall;
  } else if (world.settings().learning) {
    const embedder = await world.embedder();
    if (!embedder) return free(null, "Nothing can be recalled without an embedding model; name the skill.");
    const match = await matchSkill(goal, matchWorld(world, input, state, embedder), signal);
    recall = match.recall;
    // What would have been used, or was taken, is refused as a whole and said with an alert, not passed over (SPEC 3.4).
    if (match.lacking && (match.lacking.wouldBeUsed || input.takeSuggestion))
      return { kind: "refused", recall, skill: match.lacking.skill, missing: match.lacking.missing };
    if (recall.verdict === "matched" || (recall.verdict === "suggested" && input.takeSuggestion)) skill = match.skill;
    if (recall.verdict === "suggested" && skill) {
      const { vectors, calibrations } = world.stores;
      await keepAnswer({ skills, vectors, calibrations, embedder: world.embedder, now: world.clock() }, { recall, episodeId }, true, signal);
    }
  }
  if (!skill) return free(recall);
  const pinned = skills.revision(skill.id, skill.activeRevision);
  if (!pinned)
    throw new KnackError("skill.revision-missing", `The skill "${skill.name}" has no revision ${skill.activeRevision}; restore a backup with: knack restore`);
  const now = new Date(world.clock());
  const { revision, scopes, origins } = withNested(world, skill, pinned, now);
  const trust = trustOfRecord(skills.records([skill.id]).get(skill.id), world.clock());
  // An answer goes on as what it answers did.
  const before = continued?.skillId === skill.id ? continued.mode : null;
  const mode = input.mode ?? before ?? (skill.mode === "assisted" && mayAssist(trust.trust) ? "assisted" : "advisory");
  if (mode === "strict" && !fullyMechanical(revision)) {
    const at = revision.steps.findIndex((step) => !step.call || !step.check || "prose" in step.check) + 1;
    throw badInput(`"${skill.name}" cannot run strictly: step ${at} ("${revision.steps[at - 1]?.do ?? ""}") needs judgement. Run it in advisory mode.`);
  }
  const coverage = covers(revision.capabilities, envelopeOf(world.stores.grants.list()));
  if (!coverage.covered) return { kind: "refused", recall, skill, missing: coverage.missing };
  // Before anything is bound: with the skill and without, the same turns take part in the control.
  if (recall !== null && continued?.skillId !== skill.id) recall = underControl(world, input, recall, episodeId);
  if (recall?.verdict === "withheld") return free(recall);
  const given: Record<string, string> = {};
  for (const [key, value] of Object.entries(input.inputs ?? {})) {
    const schema = Object.hasOwn(revision.inputs.properties, key) ? revision.inputs.properties[key] : undefined;
    if (!schema) throw badInput(`"${skill.name}" has no input "${key}"; it has: ${Object.keys(revision.inputs.properties).join(", ") || "none"}`);
    const canonical = canonicalValue(schema.kind, value, now);
    if (canonical === undefined) throw badInput(`"${value}" is no ${schema.kind} for the input "${key}", for example: ${schema.examples[0] ?? ""}`);
    given[key] = canonical;
  }
  const binding = await bindInputs(revision, goal, { now, given, model: () => modelToRead(world, mode), signal });
  if (binding.missing.length > 0) return { kind: "ask", recall, skill, revision, mode, missing: binding.missing };
  return {
    kind: "charge",
    recall,
    charge: {
      skill,
      revision,
      scopes,
      origins,
      mode,
      binding,
      bindings: { inputs: revision.inputs, values: binding.values, goal: affirmed(withoutUrls(goal)), named: new Set(binding.named) },
      caveat: trust.band === "caveat" ? caveatText(trust.successes, trust.runs) : null,
    },
  };
}

/** The run that halted, now with the model; its skills and what it needs are looked at again, for they may have changed since. */
export function takeHalted(world: TurnWorld, { charge }: Halted): Taken {
  const { skills, grants } = world.stores;
  const skill = skills.get(charge.skill.id);
  if (!skill || !isUsable(skill.status))
    throw new KnackError(
      "skill.off",
      `The skill "${charge.skill.name}" is ${skill?.status ?? "erased"}, so it cannot be gone on with. Switch it on, or ask for it without a skill.`,
      { exit: 3 },
    );
  const off = skillsInside(charge).find((name) => !isUsable(skills.byName(name)?.status ?? "retired"));
  if (off !== undefined)
    throw new KnackError(
      "skill.off",
      `"${skill.name}" uses the skill "${off}", which is ${skills.byName(off)?.status ?? "gone"}, so it cannot be gone on with.`,
      {
        exit: 3,
      },
    );
  const coverage = covers(charge.revision.capabilities, envelopeOf(grants.list()));
  if (!coverage.covered) return { kind: "refused", recall: null, skill, missing: coverage.missing };
  return { kind: "charge", recall: null, charge: { ...charge, skill, mode: "advisory" } };
}

function skillsInside({ origins }: Charge): string[] {
  return [...new Set(origins.flatMap(({ inside }) => inside))];
}

/** The model that may read values out of the goal. Where code takes the steps, none that can be had only leaves more to ask. */
async function modelToRead(world: TurnWorld, mode: Run["mode"]): Promise<LanguageModel | null> {
  try {
    return await world.model();
  } catch (error) {
    if (mode === "advisory") throw error;
    return null;
  }
}

/** The skills inside it at their active revisions, pinned for this use; a revision without any stays as it is. */
function withNested(world: TurnWorld, skill: Skill, revision: Revision, now: Date): Pick<Charge, "revision" | "scopes" | "origins"> {
  const { skills } = world.stores;
  if (!revision.steps.some(({ call }) => call !== undefined && invocationOf(call.tool).kind === "skill")) return { revision, scopes: [], origins: [] };
  const find = (name: string): PinnedSkill | undefined => {
    const inner = skills.byName(name);
    const pinned = inner && skills.revision(inner.id, inner.activeRevision);
    return inner && pinned ? { skill: inner, revision: pinned } : undefined;
  };
  const { steps, scopes, origins } = expandSkill({ skill, revision }, { find, canonical: (kind, text) => canonicalValue(kind, text, now) });
  return { revision: { ...revision, steps: [...steps] }, scopes, origins };
}

function matchWorld({ stores, model, openWorkspace, tools, clock }: TurnWorld, { workspace }: Send, state: State, embedder: Embedder): MatchWorld {
  return {
    skills: stores.skills,
    vectors: stores.vectors,
    calibrations: stores.calibrations,
    embedder,
    model,
    state,
    hasTool: (id) => tools.has(id),
    envelope: envelopeOf(stores.grants.list()),
    fileExists: workspace === undefined ? null : async (path) => (await openWorkspace(workspace)).exists(path),
    now: clock(),
  };
}
