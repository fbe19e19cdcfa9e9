import type { Alert } from "#contract/alerts/schema.ts";
import type { Skill } from "#contract/skills/schema.ts";
import { pairsOfSameMeaning } from "./same-meaning.ts";
import { isOfPack, type SkillWorld } from "./skills.ts";

/** Learned skills in use above which they become hard to tell apart (SPEC 3.5). */
const manySkills = 30;
/** Days without a use after which a skill may be put away. */
const idleDays = 90;
/** Days for which what a person has looked at is not said again. */
const quietDays = 30;
const day = 86_400_000;

const manyTitle = "Many learned skills are in use";
const idleTitle = "Some skills have not been used for a long time";

/**
 * What a maintenance pass says of the skills as a whole: too many, nearly the same, no longer used. It only says so; nothing is merged, archived or
 * removed by itself. Returns the notices it raised.
 */
export async function lookAfterSkills(world: SkillWorld, signal: AbortSignal): Promise<Alert[]> {
  const { skills } = world.stores;
  const learned = skills.list().filter((skill) => !isOfPack(world, skill.id));
  return [await noticeMany(world, learned, signal), noticeIdle(world, learned)].filter((alert) => alert !== null);
}

async function noticeMany(world: SkillWorld, learned: readonly Skill[], signal: AbortSignal): Promise<Alert | null> {
  if (learned.length <= manySkills) return null;
  const pairs = await pairsOfSameMeaning(world, learned, new Date(world.clock()), signal);
  const advice =
    pairs.length === 0
      ? "No two of them mean nearly the same; retire those you do not need."
      : `These mean nearly the same, so one of each may go: ${listed(
          pairs.map(([a, b]) => `${a.name} and ${b.name}`),
          "; ",
        )}.`;
  return notice(world, manyTitle, `${learned.length} are in use; above ${manySkills} the right one is found less surely. ${advice}`);
}

function noticeIdle(world: SkillWorld, learned: readonly Skill[]): Alert | null {
  const now = world.clock();
  const idle = learned.filter(({ id, pinned, createdAt }) => !pinned && now - (world.stores.skills.runs(id).at(-1)?.startedAt ?? createdAt) >= idleDays * day);
  if (idle.length === 0) return null;
  const names = listed(
    idle.map(({ name }) => name),
    ", ",
  );
  return notice(world, idleTitle, `Not used for ${idleDays} days or more: ${names}. Retire those you no longer need, or pin those to keep.`);
}

/** As many as a person reads in one go. */
function listed(texts: readonly string[], separator: string): string {
  const shown = texts.slice(0, 12).join(separator);
  return texts.length > 12 ? `${shown}${separator}and ${texts.length - 12} more` : shown;
}

/** One notice of a kind at a time; the newest facts take the place of what nobody has looked at yet. */
export function notice(world: Pick<SkillWorld, "stores" | "clock" | "makeId">, title: string, detail: string): Alert | null {
  const { alerts } = world.stores;
  return world.stores.transaction(() => {
    const now = world.clock();
    const same = alerts.list({ all: true }).filter((alert) => alert.kind === "notice" && alert.title === title);
    const open = same.filter((alert) => alert.resolvedAt === null);
    const isQuiet = same.some((alert) => alert.resolvedAt !== null && alert.resolution !== renewed && now - alert.resolvedAt < quietDays * day);
    if (isQuiet || open.some((alert) => alert.detail === detail)) return null;
    for (const alert of open) alerts.resolve(alert.id, renewed, now);
    const id = world.makeId();
    const alert: Alert = {
      id,
      kind: "notice",
      title,
      detail,
      skillId: null,
      proposalId: null,
      revertTo: null,
      createdAt: now,
      resolvedAt: null,
      resolution: null,
    };
    alerts.add(alert);
    return alert;
  });
}

const renewed = "said anew";
