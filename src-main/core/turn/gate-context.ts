import type { Step } from "#contract/chat/schema.ts";
import type { Call, Revision } from "#contract/skills/schema.ts";
import { envelopeOf } from "../envelope/index.ts";
import { type GateContext, refusalsOf } from "../gates/index.ts";
import type { PageView } from "../ports/browser.ts";
import type { State } from "../skills/index.ts";
import { activeRules } from "./active-rules.ts";
import { knownTools } from "./known-tools.ts";
import { sourcesOf } from "./sources-of.ts";
import type { TurnWorld } from "./world.ts";

/** What a call is judged in. */
export interface Situation {
  readonly turnId: string;
  readonly episodeId: string;
  readonly skill: Revision | null;
  readonly state: State;
  readonly page: PageView | null;
  /** Real path of the folder the turn works in. */
  readonly folder?: string | null;
  /** What the routine in charge has next, with its values; absent where none leads. */
  readonly due?: Call | null;
}

/** What the gates read, from the stores as they are now; steps and standing rules are looked up only where a gate asks for them. */
export function gateContext(world: TurnWorld, call: Call, { turnId, episodeId, skill, state, page, due = null, folder = null }: Situation): GateContext {
  const { trace, grants, skills } = world.stores;
  let earlier: readonly Step[] | null = null;
  const earlierSteps = (): readonly Step[] => {
    earlier ??= trace.stepsOfEpisode(episodeId);
    return earlier;
  };
  return {
    turnId,
    tools: knownTools(world.tools),
    envelope: envelopeOf(grants.list()),
    ...(world.classify === undefined ? {} : { classify: world.classify }),
    skillInCharge: skill,
    earlierSteps,
    state,
    objectors: world.objectors,
    page,
    sources: () => sourcesOf(world.stores, { turnId, episodeId, page, due }),
    folder,
    isSecret: (text) => world.masked(text) !== text,
    settings: world.settings(),
    refusalCount: countOr(0, () => refusalsOf(earlierSteps(), turnId, call.tool, skill?.skillId ?? null)),
    now: world.clock(),
    forgets: (which) => {
      const turn = trace.turn(turnId);
      return turn && world.settings().memory
        ? world
            .keepMemory(turn)
            .meant(which)
            .map(({ text }) => text)
        : [];
    },
    ...(world.credentials === undefined ? {} : { vaultBindings: world.credentials.bindings(), isVaultLocked: world.credentials.isLocked() }),
    standingRules: () => activeRules(skills).filter((rules) => rules.skillId !== skill?.skillId),
  };
}

/** Steps that cannot be read refuse what a rule guards by themselves; here they are only counted. */
function countOr(otherwise: number, count: () => number): number {
  try {
    return count();
  } catch {
    return otherwise;
  }
}
