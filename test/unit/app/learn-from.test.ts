import { describe, expect, it } from "vitest";
import { eraseConversation } from "#app/erase-conversation.ts";
import { learnFrom } from "#app/learn-from.ts";
import { makeShowings, type Showings } from "#app/showings.ts";
import { setStatus, skillNamed } from "#app/skills.ts";
import { KnackError } from "#contract/errors.ts";
import type { Draft } from "#contract/learning/schema.ts";
import type { BrowserLauncher } from "#core/ports/index.ts";
import { billGoal, billRun, billWay, portal } from "../../fixtures/makers/bill-runs.ts";
import { billsSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { chooses, fills, opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();

function learning(on: Stage): { draftOf(conversationId: string, worked?: boolean): Promise<Draft>; showings: Showings } {
  const showings = makeShowings({ ...on.skillWorld, launcher: {} as BrowserLauncher, downloadFolder: "", destinations: () => [], headed: false });
  const judge = (id: string) => {
    on.stores.trace.judge(id, "success", "confirmed by Kim", on.skillWorld.clock());
    const judged = on.stores.trace.episode(id);
    if (!judged) throw new Error("no such episode");
    return judged;
  };
  return { showings, draftOf: (conversationId, worked = false) => learnFrom({ ...on.skillWorld, judge }, conversationId, worked, signal) };
}

describe("learning from one conversation", () => {
  it("the newest task that went well becomes a draft, and once confirmed a provisional skill by its person that names the run", async () => {
    const on = stage(billsSite());
    const run = await billRun(on, "May");
    const { draftOf, showings } = learning(on);
    const draft = await draftOf(run.conversationId);
    expect([
      draft.name,
      Object.keys(draft.content.inputs.properties),
      draft.content.steps.map(({ check }) => check !== undefined),
      on.stores.skills.list({ all: true }),
    ]).toEqual(["download-bill", [expect.any(String)], draft.content.steps.map(() => true), []]);
    const { skill, revision } = await showings.confirm(draft.showingId, "Kim");
    expect([skill.status, revision.author, revision.evidence]).toEqual(["provisional", "human:Kim", [run.id]]);
  });

  it("what was learned runs strictly with another value", async () => {
    const on = stage(billsSite());
    const { draftOf, showings } = learning(on);
    await showings.confirm((await draftOf((await billRun(on, "May")).conversationId)).showingId, "Kim");
    const { episode } = await on.turn(billGoal("March"), [], { skill: "download-bill", mode: "strict" });
    expect([episode.outcome, on.calls().at(-1)]).toEqual(["success", expect.stringContaining("March")]);
  });

  it("values of the goal are inputs; detours are left out, and so said", async () => {
    const on = stage(permitSite());
    const goal = "Request a visitor permit for KX27 ABC in zone South on https://council.example/";
    const steps = [
      opens("https://council.example/"),
      presses("link Visitor permit"),
      fills("textbox Registration", "KX27 ABC"),
      chooses("combobox Zone", "North"),
      chooses("combobox Zone", "South"),
      presses("button Request permit"),
      says("Requested."),
    ];
    const { conversationId } = await on.episode(goal, steps, "success");
    const draft = await learning(on).draftOf(conversationId);
    expect([Object.values(draft.content.inputs.properties).flatMap(({ examples }) => examples), draft.content.steps.length]).toEqual([
      expect.arrayContaining(["KX27 ABC", "South"]),
      5,
    ]);
    expect(draft.notes).toContain("Left out: an earlier value of Zone.");
  });

  it("one that means the same is offered as the next revision of the skill there is", async () => {
    const on = stage(billsSite());
    const { draftOf, showings } = learning(on);
    await showings.confirm((await draftOf((await billRun(on, "May")).conversationId)).showingId, "Kim", "fetch-bill");
    setStatus(on.skillWorld, "fetch-bill", "disabled", "human:Kim", "not now");
    const again = await draftOf((await billRun(on, "April")).conversationId);
    expect(again.sameAs).toEqual({ name: "fetch-bill", status: "disabled", revision: 1 });
    await expect(showings.confirm(again.showingId, "Kim", undefined, "fetch-bill")).rejects.toMatchObject({ code: "skill.unchanged" });
    expect(on.stores.skills.list({ all: true })).toHaveLength(1);
  });

  it("waits for nobody where the user reviews what is new: they have just looked at it", async () => {
    const on = stage(billsSite(), { settings: { reviewBeforeActive: true } });
    const { draftOf, showings } = learning(on);
    await showings.confirm((await draftOf((await billRun(on, "May")).conversationId)).showingId, "Kim");
    expect([skillNamed(on.skillWorld, "download-bill").status, on.stores.alerts.list()]).toEqual(["provisional", []]);
  });

  it("a task nobody has judged is learned once the user says now that it worked", async () => {
    const on = stage(billsSite());
    const { episode } = await on.turn(billGoal("May"), billWay("May"), { noSkills: true });
    const { draftOf } = learning(on);
    await expect(draftOf(episode.conversationId)).rejects.toMatchObject({ code: "learn.unconfirmed", exit: 3 });
    expect((await draftOf(episode.conversationId, true)).content.steps).toHaveLength(4);
    expect(on.stores.trace.episode(episode.id)).toMatchObject({ outcome: "success", reason: "confirmed by Kim" });
  });

  it("an earlier task that went well is taken where the newest did not", async () => {
    const on = stage(billsSite());
    const good = await billRun(on, "May");
    await billRun(on, "April", { outcome: "failure", conversationId: good.conversationId });
    expect((await learning(on).draftOf(good.conversationId)).content.goal).toBe(billGoal("May"));
  });

  it.each([
    ["one that is not there", async () => "nowhere", "bad-input"],
    ["one that failed", async (on: Stage) => (await billRun(on, "May", { outcome: "failure" })).conversationId, "learn.failed"],
    ["one in which nothing was done", async (on: Stage) => (await on.turn("How are you?", [says("Well.")])).episode.conversationId, "learn.nothing"],
    [
      "one of two steps",
      async (on: Stage) => (await on.episode(`Show my bills on ${portal}`, [opens(portal), presses("link Bills"), says("There.")], "success")).conversationId,
      "learn.short",
    ],
  ])("%s is refused with the way on, and leaves no draft", async (_what, make, code) => {
    const on = stage(billsSite());
    const id = await make(on);
    await expect(learning(on).draftOf(id)).rejects.toMatchObject({ code });
    expect(on.stores.learning.showings()).toEqual([]);
  });

  it("nothing is learned where learning is off", async () => {
    const on = stage(billsSite(), { settings: { learning: false } });
    const run = await billRun(on, "May");
    await expect(learning(on).draftOf(run.conversationId)).rejects.toMatchObject({ code: "learn.off" });
  });

  it("UNT-03: what was typed and looks like a secret is in no draft", async () => {
    const on = stage(permitSite());
    const steps = [
      opens("https://council.example/"),
      presses("link Visitor permit"),
      fills("textbox Registration", "4111 1111 1111 1111"),
      presses("button Request permit"),
      says("Requested."),
    ];
    const { conversationId } = await on.episode("Request a permit on https://council.example/", steps, "success");
    const draft = await learning(on).draftOf(conversationId);
    expect([JSON.stringify(draft), JSON.stringify(on.stores.learning.showings())]).toEqual([
      expect.not.stringContaining("4111"),
      expect.not.stringContaining("4111"),
    ]);
    expect(draft.notes).toContainEqual(expect.stringContaining("choose a vault entry"));
  });

  it("UNT-06: a draft goes with the conversation it was made from", async () => {
    const on = stage(billsSite());
    const run = await billRun(on, "May");
    const { draftOf, showings } = learning(on);
    const draft = await draftOf(run.conversationId);
    await eraseConversation({ ...on.skillWorld, log: on.world.log }, run.conversationId, new AbortController().signal);
    expect(on.stores.learning.showing(draft.showingId)).toMatchObject({ status: "dropped", goal: "", actions: [] });
    await expect(showings.confirm(draft.showingId, "Kim")).rejects.toMatchObject({ code: "showing.over" });
  });

  it("steps that only looked are left out, and so said", async () => {
    const onCall = (call: string): void => {
      if (call.includes("Messages")) throw new KnackError("browser.timeout", "The page did not answer.");
    };
    const on = stage(billsSite(), { onCall });
    const { conversationId } = await on.episode(billGoal("May"), billWay("May", { between: [presses("link Messages")] }), "success");
    expect((await learning(on).draftOf(conversationId)).notes[0]).toBe("Left out: 1 step that failed, or only looked.");
  });
});
