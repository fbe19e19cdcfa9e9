import type { Episode } from "#contract/chat/schema.ts";
import type { Erased } from "#core/learning/index.ts";
import { findValues } from "#core/skills/values/index.ts";
import type { SkillWorld } from "./skills.ts";

/** What was erased, while it can still be read. */
export interface Forgetting extends Erased {
  readonly ids: ReadonlySet<string>;
}

/** Goals, what completed them, and the values of their runs. Read before anything is removed. */
export function readForgetting({ stores }: SkillWorld, episodes: readonly Episode[]): Forgetting {
  const ids = new Set(episodes.map(({ id }) => id));
  const runs = stores.skills.runsOfEpisodes([...ids]);
  // What recall compared is the goal with what completed it.
  const asked = episodes.flatMap(({ id }) => stores.trace.turnsOfEpisode(id).flatMap(({ recall }) => (recall ? [recall.goal] : [])));
  const goals = [...new Set([...episodes.map(({ goal }) => goal), ...asked])];
  const values = [
    ...runs.flatMap(({ inputs, finding }) => [...Object.values(inputs), ...quotedIn(finding ?? "")]),
    ...episodes.flatMap(({ goal, createdAt }) => findValues(goal, new Date(createdAt)).map(({ text }) => text)),
  ];
  return { ids, goals, values: [...new Set(values)] };
}

function quotedIn(finding: string): string[] {
  return [...finding.matchAll(/'([^']+)'|"([^"]+)"/gu)].map((match) => match[1] ?? match[2] ?? "");
}
