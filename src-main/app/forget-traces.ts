import { squash } from "#base/text.ts";
import { erasedReason } from "#contract/learning/words.ts";
import type { Recall } from "#contract/skills/schema.ts";
import { tellsAsWritten, tellsByWord } from "#core/learning/index.ts";
import { countersOf, textsOf } from "#core/recall/index.ts";
import type { Forgetting } from "./forgetting.ts";
import type { SkillWorld } from "./skills.ts";

/** Runs stay, for they count; what was asked and seen in them goes. */
export function forgetInRuns({ stores }: SkillWorld, { ids }: Forgetting): void {
  for (const run of stores.skills.runsOfEpisodes([...ids])) stores.skills.updateRun({ ...run, inputs: {}, finding: null });
}

/**
 * What a pass said of episodes that are gone: their goal gives way to that of another of the like, if one is left, and a reason that quotes them is said no
 * more. That it decided something, and of which episodes, stays. To be called once they are gone.
 */
export function forgetInReports({ stores }: SkillWorld, forgetting: Forgetting): void {
  const { ids } = forgetting;
  const quotes = tellsAsWritten(forgetting);
  for (const report of stores.learning.reports(-1)) {
    if (!report.entries.some(({ episodes }) => episodes.some((id) => ids.has(id)))) continue;
    const entries = report.entries.map((entry) => {
      if (!entry.episodes.some((id) => ids.has(id))) return entry;
      const left = entry.episodes.flatMap((id) => stores.trace.episode(id)?.goal ?? []);
      const tells = tellsByWord(forgetting, left);
      return { ...entry, goal: left[0] ?? "", reason: quotes(entry.reason) || tells(entry.reason) ? erasedReason : entry.reason };
    });
    stores.learning.addReport({ ...report, entries });
  }
}

const reworded = "What this told of was erased by you.";

export function forgetInAlerts({ stores }: SkillWorld, forgetting: Forgetting): void {
  const tells = tellsAsWritten(forgetting);
  for (const { id, title, detail, resolution } of stores.alerts.list({ all: true })) {
    const isTold = tells(title);
    if (!isTold && !tells(detail) && !tells(resolution ?? "")) continue;
    stores.alerts.reword(id, {
      title: isTold ? reworded : title,
      detail: tells(detail) ? reworded : detail,
      resolution: resolution !== null && tells(resolution) ? reworded : resolution,
    });
  }
}

/**
 * What recall noted of a skill in turns that stay: the way of asking that a goal was compared with may have been an erased one. Those that the skill still
 * has are left.
 */
export function forgetInRecalls(world: SkillWorld, skill: { readonly id: string; readonly name: string }, oldName: string): void {
  const { trace, skills } = world.stores;
  const now = world.clock();
  const texts = [textsOf, countersOf].flatMap((read) => read(skill.id, { skills, now }) ?? []);
  const kept = new Set(texts.map(squash));
  for (const turn of trace.turnsHolding(JSON.stringify(oldName))) {
    if (!turn.recall) continue;
    const own = turn.recall.candidates.filter(({ name }) => name === oldName);
    const gone = own.flatMap(({ phrasing, eliminated }) => [phrasing, ...quotedAtEnd(eliminated)]).filter((text) => !kept.has(squash(text)));
    if (gone.length === 0 && skill.name === oldName) continue;
    trace.updateTurn({ ...turn, recall: renamed(turn.recall, oldName, skill.name, gone) });
  }
}

/** The goal that was declined, which a check that took a skill out for it ends on. */
function quotedAtEnd(reason: string | null): string[] {
  const quoted = / \("(.*)"\)$/su.exec(reason ?? "")?.[1];
  return quoted === undefined ? [] : [quoted];
}

function renamed(recall: Recall, from: string, to: string, gone: readonly string[]): Recall {
  const called = (name: string): string => (name === from ? to : name);
  const said = (text: string): string => gone.reduce((left, phrasing) => left.replaceAll(` ("${phrasing}")`, ""), text).replaceAll(`"${from}"`, `"${to}"`);
  return {
    ...recall,
    why: said(recall.why),
    blockedBy: recall.blockedBy === null ? null : said(recall.blockedBy),
    skillName: recall.skillName === null ? null : called(recall.skillName),
    runnerUp: recall.runnerUp && { ...recall.runnerUp, name: called(recall.runnerUp.name) },
    candidates: recall.candidates.map((one) => ({
      ...one,
      name: called(one.name),
      phrasing: one.name === from && gone.includes(one.phrasing) ? "" : one.phrasing,
      eliminated: one.eliminated === null ? null : said(one.eliminated),
    })),
  };
}
