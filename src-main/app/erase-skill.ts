import { erasedReason } from "#contract/learning/words.ts";
import type { Recall, Skill } from "#contract/skills/schema.ts";
import type { SkillWorld } from "./skills.ts";

/**
 * Removes a skill with all that was kept of it: versions, ways to ask and their vectors, runs, proposals, alerts, its showing and its file, and what pass reports,
 * other skills' history and recall say of it. What is left is a ledger row with its id and the time. One transaction.
 */
export function eraseSkill(world: SkillWorld, skill: Skill): void {
  const { stores } = world;
  stores.transaction(() => {
    const goals = new Set(stores.skills.revisions(skill.id).map(({ goal }) => goal));
    for (const { id, status, goal, skillId } of stores.learning.showings())
      if (skillId === skill.id || (skillId === undefined && status === "confirmed" && goals.has(goal))) stores.learning.eraseShowing(id);
    forgetInDrafts(world, skill);
    forgetInReports(world, skill);
    forgetElsewhere(world, skill);
    for (const turn of stores.trace.turnsHolding(JSON.stringify(skill.name)))
      if (turn.recall) stores.trace.updateTurn({ ...turn, recall: without(turn.recall, skill) });
    stores.skills.erase(skill.id, world.clock());
  });
}

/** What was shown to mend it, or to be aligned with it, cannot become a revision of it any more; what stands beside it in another draft goes. */
function forgetInDrafts({ stores: { learning } }: SkillWorld, { id, name }: Skill): void {
  for (const showing of learning.showings()) {
    const { aim, base } = showing;
    if (aim.kind === "repair" && aim.skillId === id) learning.eraseShowing(showing.id);
    // Shown whole: it can become a skill of its own.
    else if (aim.kind === "together" && aim.skillId === id) learning.putShowing({ ...showing, aim: { kind: "new" }, base: null, edits: [] });
    else if (base?.alike?.skill === name || base?.sameAs?.name === name) {
      const { sameAs, ...other } = base;
      const alike = base.alike?.skill === name ? null : base.alike;
      learning.putShowing({ ...showing, base: { ...other, alike, ...(sameAs === undefined || sameAs.name === name ? {} : { sameAs }) } });
    }
  }
}

function forgetInReports({ stores }: SkillWorld, { name }: Skill): void {
  for (const report of stores.learning.reports(-1)) {
    if (!report.entries.some((entry) => isAbout(entry, name))) continue;
    const entries = report.entries.map((entry) => (isAbout(entry, name) ? { ...entry, skillName: null, reason: erasedReason } : entry));
    stores.learning.addReport({ ...report, entries });
  }
}

function isAbout({ skillName, reason }: { readonly skillName: string | null; readonly reason: string }, name: string): boolean {
  return skillName === name || reason.includes(`"${name}"`);
}

/** Notices that list skills by name, and the history of those it took the place of, or was learned beside. */
function forgetElsewhere({ stores }: SkillWorld, { id, name }: Skill): void {
  const mark = new RegExp(`(?<![a-z0-9-])${name}(?![a-z0-9-])`, "gu");
  for (const { id: alertId, title, detail, resolution, skillId } of stores.alerts.list({ all: true })) {
    if (skillId === id || `${title}\n${detail}\n${resolution ?? ""}`.search(mark) < 0) continue;
    const said = (text: string): string => text.replace(mark, "an erased skill");
    stores.alerts.reword(alertId, { title: said(title), detail: said(detail), resolution: resolution === null ? null : said(resolution) });
  }
  for (const other of stores.skills.list({ all: true })) {
    const ledger = other.id === id ? [] : stores.skills.ledger(other.id).filter(({ reason }) => reason.includes(`"${name}"`));
    if (ledger.length === 0) continue;
    stores.skills.rewrite(other.id, {
      name: other.name,
      revisions: [],
      ledger: ledger.map((entry) => ({ ...entry, reason: entry.reason.replaceAll(`"${name}"`, "an erased skill") })),
    });
  }
}

function without(recall: Recall, { id, name }: Skill): Recall {
  const candidates = recall.candidates.filter((one) => one.name !== name);
  const runnerUp = recall.runnerUp?.name === name ? null : recall.runnerUp;
  const isIts = recall.skillId === id || recall.skillName === name;
  const isSaid = recall.why.includes(`"${name}"`) || (recall.blockedBy ?? "").includes(`"${name}"`);
  if (!isIts && !isSaid) return { ...recall, candidates, runnerUp };
  const why = "What recall found here was a skill that has been erased.";
  return {
    ...recall,
    candidates,
    runnerUp,
    why,
    blockedBy: recall.blockedBy === null ? null : why,
    ...(isIts ? { skillId: null, skillName: null, revision: null, score: null } : {}),
  };
}
