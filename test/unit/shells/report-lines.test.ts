import { describe, expect, it } from "vitest";
import { asItStands } from "#app/reports.ts";
import type { PassEntry, PassReport } from "#contract/learning/schema.ts";
import { dryRunLine, reportLines } from "#shells/cli/skill-lines.ts";
import { billRun, wording } from "../../fixtures/makers/bill-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

async function done(on: Stage, months: readonly string[]): Promise<void> {
  for (const month of months) await billRun(on, month);
}
/** A dry run as the command prints it. */
async function tried(on: Stage): Promise<string[]> {
  const report = asItStands(on.stores, await on.learn({ apply: false }));
  return [...reportLines(report), dryRunLine(report)];
}

describe("knack skills induce without --apply", () => {
  it("says of a second try that nothing new was read and what is open all the same, with conversations to open", async () => {
    const on = stage(billsSite());
    await done(on, ["March", "April"]);
    const first = await tried(on);
    expect(first[0]).toMatch(/2 new or changed episodes read; 1 kind of task open, of 2 episodes; nothing was changed$/u);
    const again = await tried(on);
    expect(again[0]).toMatch(/0 new or changed episodes read; 1 kind of task open, of 2 episodes; nothing was changed$/u);
    const ids = on.stores.conversations.list().map(({ id }) => id);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(again.join("\n")).toContain(`conversation ${id}`);
    expect(again.slice(-2)).toEqual(["  Open one of these with: knack conversations show <id>", "There is nothing to learn yet."]);
  });

  it("says how to learn only where something can be learned", async () => {
    const on = stage(billsSite());
    await done(on, ["March", "April", "May"]);
    on.model.say(wording);
    expect((await tried(on)).at(-1)).toBe("1 routine could be learned: knack skills induce --apply");
  });

  it("says nothing of conversations where there is nothing at all", async () => {
    expect(await tried(stage(billsSite()))).toEqual([
      expect.stringMatching(/0 new or changed episodes read; 0 kinds of task open, of 0 episodes; nothing was changed$/u),
      "There is nothing to learn yet.",
    ]);
  });

  it("says that there is more to look at where a pass had no room for all", () => {
    const entry: PassEntry = { goal: "Pay", episodes: ["a"], decision: "skipped", reason: "left for the next pass", skillName: null };
    const report: PassReport = { id: "r", startedAt: 0, endedAt: 1, dryRun: true, episodesRead: 0, entries: [entry], note: "" };
    expect(dryRunLine(report)).toBe("Nothing could be learned yet; more is left to look at: knack skills induce --apply");
  });
});
