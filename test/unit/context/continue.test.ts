import { describe, expect, it } from "vitest";
import { reviseSkill, skillNamed } from "#app/skills.ts";
import { KnackError } from "#contract/errors.ts";
import { learnable } from "#core/learning/index.ts";
import { writeStep } from "#core/turn/step-text.ts";
import { billGoal, portal } from "../../fixtures/makers/bill-runs.ts";
import { interrupted } from "../../fixtures/makers/interrupted.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";
import { taught } from "../../fixtures/makers/taught.ts";

const goal = billGoal("December");
const download = presses("button Download December 2026 bill");
const goesOn = (on: Stage, answers: Parameters<Stage["turn"]>[1]) => on.turn("Continue", answers, { conversationId: "talk", resume: true });
const bills = (): Stage => stage(billsSite());

describe("a turn that was interrupted", () => {
  it("is gone on with as the same task, and the steps that were taken are not taken again", async () => {
    const on = bills();
    await interrupted(on, goal, [opens(portal), presses("link Bills")]);
    const { turn, episode } = await goesOn(on, [download, says("The December bill is downloaded.")]);
    expect(on.stores.trace.episodesOf("talk")).toHaveLength(1);
    expect([episode.goal, episode.outcome, turn.choice]).toEqual([goal, "claimed_success", "continued"]);
    expect(on.calls()).toEqual([`open ${portal}`, "click link Bills", "open https://portal.example/bills/1", "click button Download December 2026 bill"]);
  });

  it("tells the model what was done, as data", async () => {
    const on = bills();
    await interrupted(on, goal, [opens(portal), presses("link Bills")]);
    await goesOn(on, [says("Done.")]);
    const asked = on.model.requests.at(-1)?.messages.at(-1)?.text ?? "";
    expect(asked).toContain(goal);
    expect(asked).toMatch(/Done already; do none of it again <<mark\n- Opened https:\/\/portal\.example\/.*\n- Pressed link Bills\..*\nmark>>/u);
  });

  it("goes on writing the answer where it was cut", async () => {
    const on = bills();
    await interrupted(on, "What is a lighthouse?", [], "A lighthouse is a tower\nwith a lamp");
    const { message } = await goesOn(on, [writeStep("reply", { text: "A lighthouse is a tower\nwith a lamp that ships see." })]);
    expect(on.model.requests.at(-1)?.choices).toEqual([{ text: '{"tool":"reply","args":{"text":"A lighthouse is a tower\\nwith a lamp', open: true }]);
    expect(message?.text).toBe("A lighthouse is a tower\nwith a lamp that ships see.");
    // What had been written stays as it was.
    expect(on.stores.conversations.messages("talk").map(({ text, status }) => `${status}: ${text.slice(0, 20)}`)).toContain(
      "interrupted: A lighthouse is a to",
    );
  });

  it("keeps its skill, what that was given, and its place", async () => {
    const on = bills();
    await on.addSkill(
      "download-bill",
      await taught(billsSite(), goal, [
        ["open", portal],
        ["click", "link", "Bills"],
        ["click", "button", "Download December 2026 bill"],
      ]),
    );
    await interrupted(on, goal, [opens(portal), presses("link Bills")], "", { skill: "download-bill" });
    const { turn, events } = await goesOn(on, [download, says("The December bill is downloaded.")]);
    expect(turn.skillId).not.toBeNull();
    expect(events.flatMap((event) => (event.type === "place-moved" ? [event.at] : []))[0]).toBe(3);
    expect(on.calls().filter((call) => call === "click link Bills")).toHaveLength(1);
  });

  it("goes on free where its skill was changed meanwhile", async () => {
    const on = bills();
    const content = await taught(billsSite(), goal, [
      ["open", portal],
      ["click", "link", "Bills"],
      ["click", "button", "Download December 2026 bill"],
    ]);
    await on.addSkill("download-bill", content);
    await interrupted(on, goal, [opens(portal)], "", { skill: "download-bill" });
    await reviseSkill(
      on.skillWorld,
      skillNamed(on.skillWorld, "download-bill"),
      { content: { ...content, summary: "Download a bill, another way" }, author: "human:Kim", evidence: [], reason: "changed" },
      AbortSignal.timeout(5000),
    );
    const { turn } = await goesOn(on, [says("I stop here.")]);
    expect([turn.skillId, turn.choice]).toEqual([null, "continued"]);
  });

  it("does not count the page that is brought back among what can be learned", async () => {
    const on = bills();
    await interrupted(on, goal, [opens(portal), presses("link Bills")]);
    const { episode } = await goesOn(on, [download, says("The December bill is downloaded.")]);
    on.stores.trace.judge(episode.id, "success", "test", 1);
    const judged = on.stores.trace.episode(episode.id);
    expect(judged && learnable(on.stores.trace, judged)?.actions.map(({ kind }) => kind)).toEqual(["open", "click", "click", "download"]);
  });

  it("takes up again what is interrupted twice, with what was done each time", async () => {
    const on = bills();
    await interrupted(on, goal, [opens(portal)]);
    await interrupted(on, "Continue", [presses("link Bills")], "", { resume: true });
    await goesOn(on, [download, says("There.")]);
    expect(on.calls().filter((call) => call.startsWith("click"))).toEqual(["click link Bills", "click button Download December 2026 bill"]);
    expect(on.stores.trace.episodesOf("talk")).toHaveLength(1);
  });

  it("is not gone on with once something else was asked", async () => {
    const on = bills();
    await interrupted(on, goal, [opens(portal)]);
    await on.turn("Hello", [says("Good day.")], { conversationId: "talk" });
    await expect(goesOn(on, [])).rejects.toThrow(KnackError);
  });

  it("takes nothing else besides", async () => {
    const on = bills();
    await interrupted(on, goal, [opens(portal)]);
    const messages = on.stores.conversations.messages("talk").length;
    await expect(on.turn("Continue", [], { conversationId: "talk", resume: true, hint: "press Older" })).rejects.toThrow(/leave out: hint/u);
    expect(on.stores.conversations.messages("talk")).toHaveLength(messages);
  });

  it("is told by how it ended, not by how it was cut", async () => {
    const on = bills();
    await interrupted(on, "What is a lighthouse?", [], "A lighthouse is a tower");
    const { episode } = await goesOn(on, [writeStep("reply", { text: "A lighthouse is a tower with a lamp." })]);
    expect([episode.outcome, episode.reason]).toEqual(["abandoned", "nothing but talk"]);
  });
});

describe("a turn that the user stopped", () => {
  /** Stopped while its answer was being written. */
  async function stopped(on: Stage): Promise<void> {
    const stop = new AbortController();
    await on.turn(
      "What is a lighthouse?",
      [
        (request) => {
          request.onText?.('{"tool":"reply","args":{"text":"A lighthouse is a tower');
          stop.abort(new DOMException("stopped", "AbortError"));
          throw stop.signal.reason;
        },
      ],
      { conversationId: "talk", signal: stop.signal },
    );
  }

  it("is gone on with from what was written", async () => {
    const on = bills();
    await stopped(on);
    expect(on.stores.trace.turns("talk").at(-1)?.status).toBe("stopped");
    const { message, episode } = await goesOn(on, [writeStep("reply", { text: "A lighthouse is a tower with a lamp." })]);
    expect([message?.text, episode.goal]).toEqual(["A lighthouse is a tower with a lamp.", "What is a lighthouse?"]);
    expect(on.stores.trace.episodesOf("talk")).toHaveLength(1);
  });

  it("is not gone on with once something else was asked", async () => {
    const on = bills();
    await stopped(on);
    await on.turn("Hello", [says("Good day.")], { conversationId: "talk" });
    await expect(goesOn(on, [])).rejects.toThrow(KnackError);
  });
});
