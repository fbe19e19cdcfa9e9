import type { Send } from "#contract/chat/schema.ts";
import type { Recall } from "#contract/skills/schema.ts";
import type { TurnWorld } from "./world.ts";

/** Where the settings keep what the control is drawn from. */
const seedKey = "controlSeed";

/**
 * The control (SPEC 4): of the turns in which recall alone would put a skill in charge, a share goes on without it, so that what the skill is worth can be
 * measured. Both kinds are marked; what a person asked for by name, mode, inputs or a taken suggestion takes no part. All turns of an episode fall on the
 * same side. With the control off the recall stays as it is, and nothing is stored.
 */
export function underControl(world: TurnWorld, input: Send, recall: Recall, episodeId: string): Recall {
  const { control: share } = world.settings();
  const isAsked = input.skill !== undefined || input.takeSuggestion === true || input.mode !== undefined || input.inputs !== undefined;
  if (share <= 0 || isAsked || recall.verdict !== "matched") return recall;
  const isWithheld = fractionOf(world.digest(`${seedOf(world)}\n${episodeId}`)) < share;
  const control = { share, isWithheld };
  if (!isWithheld) return { ...recall, control };
  return { ...recall, control, verdict: "withheld", why: `${recall.why} The control left it out this time, to see how the task goes without it.` };
}

/** Drawn once for a store, so that the same episode falls on the same side whenever it is asked. */
function seedOf({ stores: { settings }, makeId }: TurnWorld): string {
  const kept = settings.get(seedKey);
  if (typeof kept === "string" && kept !== "") return kept;
  const made = makeId();
  settings.set(seedKey, made);
  return made;
}

/** Where a digest in hexadecimal lies between 0 and 1. */
function fractionOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 12), 16) / 16 ** 12;
}
