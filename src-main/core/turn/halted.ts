import type { Send } from "#contract/chat/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { BrowserSession } from "../ports/browser.ts";
import type { Follower } from "../replay/index.ts";
import { isUsable } from "../skills/index.ts";
import type { Charge } from "./take-skill.ts";
import type { Desk, TurnWorld } from "./world.ts";

/** A run that halted, with its place: what going on needs. It lives as long as the browser it stands in. */
export interface Halted {
  readonly episodeId: string;
  readonly charge: Charge;
  readonly follower: Follower;
  /** Null where the run used none. */
  readonly session: BrowserSession | null;
  /** The folder it worked in. */
  readonly workspace: string | undefined;
}

/** The browser of an episode, where it has one on this desk. */
export function sessionOf({ session, episodeId }: Pick<Desk, "session" | "episodeId">, episode: string): BrowserSession | null {
  return episodeId === episode ? session : null;
}

/** The run that halted on this desk. Throws where there is none, or its browser has gone, and where the message asks for something else besides. */
export function haltedOn(world: TurnWorld, desk: Desk, input: Send): Halted {
  refuseBeside(input);
  const halted = standing(world, desk);
  if (halted) return halted;
  throw new KnackError(
    "run.none-halted",
    "There is no run to go on with here: none halted or was interrupted last, or its browser was closed since. Ask for it anew.",
  );
}

/** Throws bad-input where a message that resumes asks for something else besides. */
export function refuseBeside(input: Send): void {
  const beside = notBeside.filter((key) => input[key] !== undefined && input[key] !== false && !(key === "mode" && input.mode === "advisory"));
  if (beside.length > 0) throw badInput(`A message that resumes goes on with what halted, with the model; leave out: ${beside.join(", ")}`);
}

/** Whether the run that halted on this desk can be gone on with as things are. */
export function mayResume(world: TurnWorld, desk: Desk): boolean {
  const skill = world.stores.skills.get(desk.halted?.charge.skill.id ?? "");
  return standing(world, desk) !== null && skill !== undefined && isUsable(skill.status);
}

const notBeside = ["skill", "noSkills", "takeSuggestion", "mode", "inputs", "hint"] as const;

function standing(world: TurnWorld, desk: Desk): Halted | null {
  const { halted } = desk;
  if (halted === null || halted.session !== sessionOf(desk, halted.episodeId)) return null;
  return world.stores.trace.episode(halted.episodeId) === undefined ? null : halted;
}
