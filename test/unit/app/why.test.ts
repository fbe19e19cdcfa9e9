import { describe, expect, it } from "vitest";
import { eraseSkill } from "#app/erase-skill.ts";
import { skillNamed } from "#app/skills.ts";
import { whyTurn } from "#app/why.ts";
import { entryTitle, reasonWords } from "#contract/learning/words.ts";
import type { Settings } from "#contract/settings/schema.ts";
import { originOf } from "#contract/skills/explain.ts";
import { billGoal, billRun, billWay, wording } from "../../fixtures/makers/bill-runs.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, says, stage } from "../../fixtures/makers/stage.ts";

async function learned(settings: Partial<Settings> = {}): Promise<Stage> {
  const on = stage(billsSite(), { settings });
  for (const month of ["December", "November", "October"]) await billRun(on, month);
  on.model.say(wording);
  await on.learn();
  return on;
}
const why = (on: Stage, turnId: string): string[] => {
  const { answer, lines } = whyTurn(on.skillWorld, turnId);
  return [answer, ...lines];
};

describe("why this skill, and why none", () => {
  it("REC-02: below the threshold it says the score, what is needed, and who came next", async () => {
    const on = stage(billsSite());
    await on.addSkill("show-bills", procedure("Show my bills"));
    await on.addSkill("pay-rent", procedure("Pay the rent of my flat in time"));
    const { turn } = await on.turn("Show my letters of the flat", [says("How?")]);
    expect(why(on, turn.id)).toEqual([
      expect.stringMatching(
        /^Below the threshold\. The closest, "pay-rent", scores 0\.\d\d, 0\.\d\d with its lead over "show-bills"; 0\.78 is needed to suggest it\.$/u,
      ),
      expect.stringMatching(
        /^Score 0\.\d\d, 0\.\d\d with its lead; used from 0\.90, suggested from 0\.78; next is "show-bills" with 0\.\d\d\. Compared by scripted, which has not been calibrated/u,
      ),
    ]);
  });

  it("REC-14: of a use that was corrected it says that the run failed and what is kept; the turn that went on says why it was free", async () => {
    const on = stage(billsSite());
    await on.addSkill("show-bills", procedure("Show my bills"));
    const used = await on.turn("Show me all of my bills", [], { skill: "show-bills" });
    const corrected = await on.turn("No, not that", [says("What then?")], { conversationId: used.turn.conversationId });
    expect(why(on, used.turn.id)).toEqual([
      'You asked for "show-bills" by name.',
      "Its run, advisory, failed: corrected by the user.",
      'Kept as no task for "show-bills": "Show me all of my bills". It is not recalled for the like again.',
    ]);
    expect(why(on, corrected.turn.id)[0]).toBe("You said that the last try was wrong, so this went on without a skill.");
  });

  it("says each way apart in which a turn came by a skill or none, from what is stored", async () => {
    const on = await learned();
    const goal = billGoal("September");
    const matched = await on.turn(goal, billWay("September"));
    const asked = await on.turn("Download my bill from https://portal.example/", [], { skill: "download-bill" });
    const answered = await on.turn("September 2026", billWay("September"), { conversationId: asked.turn.conversationId });
    const free = await on.turn("Say hello", [says("Hello.")], { noSkills: true });
    expect([matched, asked, answered, free].map(({ turn }) => [on.stores.trace.turn(turn.id)?.choice, why(on, turn.id)[0]])).toEqual([
      ["recall", expect.stringMatching(/^"download-bill" scores \d\.\d\d on this site, at or above/u)],
      ["named", 'You asked for "download-bill" by name.'],
      ["answer", 'This answers what "download-bill" had asked, so it went on.'],
      ["unwanted", "You asked for no skill."],
    ]);
    const off = await learned({ learning: false });
    const { turn } = await off.turn(goal, billWay("September"));
    expect(why(off, turn.id)).toEqual(["Learning is switched off, so no skill is used."]);
    on.world.embedder = async () => null;
    const blind = await on.turn(goal, billWay("September"));
    expect(why(on, blind.turn.id)).toEqual(["No embedding model is there, so nothing could be recalled."]);
    on.world.embedder = async () => on.embedder;
    const control = await learned({ control: 0.5 });
    for (let times = 0; times < 30; times++) {
      const { turn: one } = await control.turn(goal, billWay("September"));
      if (one.recall?.verdict !== "withheld") continue;
      expect(why(control, one.id)[0]).toMatch(/^Withheld by the control\. "download-bill" scores/u);
      break;
    }
    eraseSkill(on.skillWorld, skillNamed(on.skillWorld, "download-bill"));
    expect(why(on, matched.turn.id)[0]).toBe("What recall found here was a skill that has been erased.");
    expect(() => whyTurn(on.skillWorld, "none-such")).toThrow("There is no turn none-such");
  });

  it("from what a skill was made: who, when, why", async () => {
    const on = await learned();
    const { id } = skillNamed(on.skillWorld, "download-bill");
    expect(originOf({ number: 1 }, on.stores.skills.ledger(id))).toMatchObject({ actor: "agent:synthesis", reason: "learned from 3 runs" });
  });
});

describe("why a pass did not learn something", () => {
  it.each([
    ["NO_COMMON_PROCEDURE", "the runs took different routes, so there are no steps that all of them share"],
    ["only 1 episode", "done once so far; three are needed"],
    ["only 2 episodes", "done 2 times so far; three are needed"],
    ["all from one conversation", "all in one conversation; two are needed, so that it is a habit and no repetition"],
    ["only 3 of 5 went well", "only 3 of 5 went well; four of five have to"],
    ["the model saw no common task (SKIP)", "the model saw no task that they have in common"],
    ["2 steps; 3 to 20 can be learned from", "it took 2 steps; a routine is learned from 3 to 20"],
    ["it needs https://bank.example, which is not granted", "it needs https://bank.example, which is not granted"],
  ])("%s", (reason, words) => expect(reasonWords(reason)).toBe(words));

  it("names the task, or that it was erased", () => {
    expect(
      [
        { goal: "Pay", skillName: null },
        { goal: "", skillName: null },
        { goal: "Pay", skillName: "pay" },
      ].map(entryTitle),
    ).toEqual(["Pay", "a task that was erased", "pay"]);
  });
});
