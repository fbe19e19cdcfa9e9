import { describe, expect, it } from "vitest";
import { pruneOld } from "#app/retention.ts";
import { detailOf } from "#app/skills.ts";
import { evidenceWords } from "#contract/skills/explain.ts";
import { billGoal, billRun, wording } from "../../fixtures/makers/bill-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const day = 86_400_000;

async function learned(keepDays: number | null): Promise<Stage> {
  const on = stage(billsSite(), { settings: { keepDays } });
  for (const month of ["December", "November", "October"]) await billRun(on, month);
  on.model.say(wording);
  await on.learn();
  return on;
}

describe("retention", () => {
  it("TRU-12: lets go of conversations nobody used for so long; the skill works, and shows its evidence as pruned, also after a restart", async () => {
    const on = await learned(30);
    on.setClock(on.world.clock() + 29 * day);
    const kept = await on.turn("What is new?", [says("Nothing.")], { noSkills: true });
    expect(pruneOld(on.skillWorld)).toBe(0);
    on.setClock(on.world.clock() + 2 * day);
    const now = on.world.clock();
    expect(pruneOld(on.skillWorld)).toBe(3);
    expect(on.stores.conversations.list().map(({ id }) => id)).toEqual([kept.turn.conversationId]);
    const { evidence, skill, revision } = detailOf(on.skillWorld, "download-bill");
    expect(evidence.map(({ fate, at, conversationId }) => [fate, (at ?? 0) >= now, conversationId])).toEqual([
      ["pruned", true, null],
      ["pruned", true, null],
      ["pruned", true, null],
    ]);
    expect(evidence.map(evidenceWords)[0]).toBe("a task that was pruned by retention; the skill works without it");
    expect([skill.status, revision.steps.length, revision.bindings.length]).toEqual(["provisional", 3, 3]);
    const { episode } = await on.turn(billGoal("September"), [], { skill: skill.name, mode: "strict" });
    expect(episode.outcome).toBe("success");
  });

  it("keeps everything unless it is told otherwise, and what is running whatever its age", async () => {
    const on = await learned(null);
    on.setClock(on.world.clock() + 10_000 * day);
    expect([pruneOld(on.skillWorld), on.stores.conversations.list()]).toEqual([0, expect.objectContaining({ length: 3 })]);
    const soon = await learned(1);
    const { turn } = await soon.turn("What is new?", [says("Nothing.")], { noSkills: true });
    soon.stores.trace.updateTurn({ ...turn, status: "running" });
    soon.setClock(soon.world.clock() + 10 * day);
    expect([pruneOld(soon.skillWorld), soon.stores.conversations.list().map(({ id }) => id)]).toEqual([3, [turn.conversationId]]);
  });
});
