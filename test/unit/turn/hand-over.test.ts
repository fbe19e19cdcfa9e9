import { describe, expect, it } from "vitest";
import { acceptProposal } from "#app/proposals.ts";
import { revertSkill, reviseSkill, setStatus } from "#app/skills.ts";
import type { Send, TurnEvent } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { billGoal, portal } from "../../fixtures/makers/bill-runs.ts";
import { billsSite, type MadeSite } from "../../fixtures/makers/made-site.ts";
import { presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";
import { taught } from "../../fixtures/makers/taught.ts";

const goal = billGoal("December");
const skill = (): Promise<RevisionContent> =>
  taught(billsSite(), goal, [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]);
const renamed = (): MadeSite => billsSite({ billsHeading: "Your invoices" });
const mayResume = (events: readonly TurnEvent[]): boolean | undefined =>
  events.flatMap((event) => (event.type === "turn-finished" ? [event.mayResume] : [])).at(-1);

async function halted(site = renamed(), change: Partial<Send> = {}): Promise<{ on: Stage; id: string; events: readonly TurnEvent[] }> {
  const on = stage(site);
  const { id } = await on.addSkill("download-bill", await skill());
  const { events } = await on.turn(goal, [], { skill: "download-bill", mode: "strict", conversationId: "talk", ...change });
  return { on, id, events };
}
const goesOn = (on: Stage, answers: Parameters<Stage["turn"]>[1] = [], change: Partial<Send> = {}) =>
  on.turn("Go on", answers, { conversationId: "talk", resume: true, ...change });
const download = presses("button Download December 2026 bill");

describe("what halted is gone on with, or it is said that it cannot be", () => {
  it("any other message lets go of it, also one that failed before it began", async () => {
    const { on } = await halted();
    const { events } = await on.turn("Something else", [], { skill: "no-such-skill", conversationId: "talk" });
    expect(mayResume(events)).toBe(false);
    await expect(goesOn(on)).rejects.toThrow("There is no run to go on with here");
    expect([on.stores.trace.episodesOf("talk").map(({ goal: one }) => one), on.sessions()]).toEqual([[goal, "Something else"], 1]);
  });

  it.each<[string, Partial<Send>]>([
    ["another skill", { skill: "download-bill" }],
    ["no skills", { noSkills: true }],
    ["strict", { mode: "strict" }],
    ["assisted", { mode: "assisted" }],
    ["values", { inputs: { month: "March" } }],
    ["a suggestion", { takeSuggestion: true }],
    ["advice", { hint: "press Older" }],
  ])("%s beside it is refused, nothing is stored, and it may still be gone on with", async (_what, change) => {
    const { on } = await halted();
    const messages = on.stores.conversations.messages("talk").length;
    await expect(goesOn(on, [], change)).rejects.toThrow(/goes on with what halted/u);
    expect(on.stores.conversations.messages("talk")).toHaveLength(messages);
    const { episode } = await goesOn(on, [download, says("Here it is.")]);
    expect(episode.outcome).toBe("success");
  });

  it("a browser that was put away, or another one since, is not the one it stood in", async () => {
    const on = stage(renamed());
    await on.addSkill("download-bill", await skill());
    const desk = on.deskOf("talk");
    await on.turn(goal, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    desk.session = null;
    desk.page = null;
    await expect(goesOn(on)).rejects.toThrow("There is no run to go on with here");
  });

  it("runs on at the revision it halted in when the skill was revised or reverted meanwhile, and proposes nothing for the other", async () => {
    const { on, id } = await halted();
    const content = await skill();
    const named = on.stores.skills.get(id);
    if (named)
      await reviseSkill(
        on.skillWorld,
        named,
        { content: { ...content, summary: "Other" }, author: "human:Kim", evidence: [], reason: "x" },
        AbortSignal.timeout(5000),
      );
    const { turn, episode } = await goesOn(on, [download, says("Here it is.")]);
    expect([turn.revision, episode.outcome, on.stores.proposals.list()]).toEqual([1, "success", []]);
    expect(on.stores.skills.runs(id).map(({ revision }) => revision)).toEqual([1, 1]);
    // A success of revision 1 says nothing about revision 2.
    expect(on.stores.skills.get(id)).toMatchObject({ activeRevision: 2, status: "provisional" });
    await revertSkill(on.skillWorld, "download-bill", 1, "human:Kim");
  });

  it("an erased skill cannot be gone on with, and is not offered again", async () => {
    const { on, id } = await halted();
    on.stores.skills.erase(id, 0);
    const { problem, events } = await goesOn(on);
    expect([problem, mayResume(events)]).toEqual([expect.stringContaining("erased"), false]);
    expect(on.calls()).toHaveLength(2);
  });

  it("a failure that switched the skill off offers nothing that would then be refused", async () => {
    const { on, id } = await halted();
    const { events } = await on.turn(goal, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    expect([on.stores.skills.get(id)?.status, mayResume(events)]).toEqual(["disabled", false]);
    const { problem } = await goesOn(on);
    expect(problem).toContain("is disabled");
    setStatus(on.skillWorld, "download-bill", "active", "human:Kim", "looked at");
    expect((await goesOn(on, [download, says("Here it is.")])).episode.outcome).toBe("success");
  });

  it("a second halt in the same conversation takes the place of the first", async () => {
    const { on } = await halted();
    await goesOn(on, [download, says("Here it is.")]);
    await on.turn(billGoal("November"), [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    const { episode } = await goesOn(on, [presses("button Download November 2026 bill"), says("Here it is.")]);
    expect([episode.outcome, on.calls().at(-1), on.sessions()]).toEqual(["success", "click button Download November 2026 bill", 2]);
  });

  it("stopped, neither the strict run nor the one that went on may be gone on with", async () => {
    const on = stage(renamed(), { onCall: (call) => call.startsWith("click") && stop.abort(new DOMException("stopped", "AbortError")) });
    const stop = new AbortController();
    await on.addSkill("download-bill", await skill());
    const { episode, events } = await on.turn(goal, [], { skill: "download-bill", mode: "strict", conversationId: "talk", signal: stop.signal });
    expect([episode.outcome, mayResume(events)]).toEqual(["abandoned", false]);
    await expect(goesOn(on)).rejects.toThrow("There is no run to go on with here");
  });

  it("a skill inside that was switched off meanwhile refuses it", async () => {
    const on = stage(renamed());
    const content = await skill();
    await on.addSkill("open-bills", { ...content, inputs: { type: "object", properties: {}, required: [] }, bindings: [], steps: content.steps.slice(0, 2) });
    const [, second, third] = content.steps;
    if (!second || !third) throw new Error("no steps");
    await on.addSkill("outer", {
      ...content,
      toolsRequired: [...content.toolsRequired, "skill:open-bills"],
      steps: [{ do: "Open the bills", call: { tool: "skill:open-bills", args: {} }, check: second.check, onFail: "Stop." } as typeof second, third],
    });
    const { events } = await on.turn(goal, [], { skill: "outer", mode: "strict", conversationId: "talk" });
    expect(mayResume(events)).toBe(true);
    setStatus(on.skillWorld, "open-bills", "disabled", "human:Kim", "broken");
    const { problem } = await goesOn(on);
    expect([problem, on.calls().length]).toEqual([expect.stringContaining('uses the skill "open-bills", which is disabled'), 2]);
  });

  it("a new process knows of no halt, and says so", async () => {
    const { on } = await halted();
    on.forgetDesks();
    await expect(goesOn(on)).rejects.toThrow("There is no run to go on with here");
  });
});

describe("each run counts once", () => {
  it("the half run fails and the other half succeeds: one failure, one success, one task that went well, no drift", async () => {
    const { on, id } = await halted();
    await goesOn(on, [download, says("Here it is.")]);
    expect(on.stores.skills.runs(id).map(({ outcome }) => outcome)).toEqual(["failure", "success"]);
    expect(on.stores.trace.episodesOf("talk").map(({ outcome, open }) => [outcome, open])).toEqual([["success", false]]);
    await on.turn(billGoal("November"), [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    expect(on.stores.skills.get(id)?.status).toBe("active");
  });

  it("events of a turn begin with its start and end with its end, also where the message judges what was before", async () => {
    const { on } = await halted();
    await goesOn(on, [download, says("Here it is.")]);
    const { events } = await on.turn("No, that is wrong", [says("Sorry.")], { conversationId: "talk" });
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(["turn-started", "turn-finished"]);
  });

  it("drift that a correction brings about is told within the turn", async () => {
    const on = stage(billsSite());
    const { id } = await on.addSkill("download-bill", await skill());
    for (const talk of ["a", "b", "c"]) {
      await on.turn(goal, [], { skill: "download-bill", mode: "strict", conversationId: talk });
      const { events } = await on.turn("No, that is wrong", [says("Sorry.")], { conversationId: talk });
      expect(events[0]?.type).toBe("turn-started");
      if (talk === "c") expect(events.filter(({ type }) => type === "alert-raised")).toHaveLength(1);
    }
    expect(on.stores.skills.get(id)?.status).toBe("disabled");
  });
});

describe("a change that rests on a run judged wrong", () => {
  it("is withdrawn with its alert, and may be proposed again by a better run", async () => {
    const { on } = await halted();
    await goesOn(on, [download, says("Here it is.")]);
    expect(on.stores.proposals.list()).toHaveLength(1);
    const proposed = on.stores.proposals.list()[0];
    await on.turn("No, that is wrong", [says("Sorry.")], { conversationId: "talk" });
    expect([on.stores.proposals.list(), on.stores.alerts.list().filter(({ kind }) => kind === "proposal")]).toEqual([[], []]);
    expect(on.stores.proposals.get(proposed?.id ?? "")?.status).toBe("withdrawn");
    await expect(acceptProposal(on.skillWorld, proposed?.id ?? "", "human:Kim")).rejects.toThrow("withdrawn");
    await on.turn(billGoal("November"), [], { skill: "download-bill", mode: "strict", conversationId: "again" });
    setStatus(on.skillWorld, "download-bill", "active", "human:Kim", "looked at");
    await on.turn("Go on", [presses("button Download November 2026 bill"), says("Here it is.")], { conversationId: "again", resume: true });
    expect(on.stores.proposals.list()).toHaveLength(1);
  });
});

describe("strict without what it needs", () => {
  it("says that nothing fits instead of going on with the model", async () => {
    const on = stage(billsSite());
    on.world.embedder = async () => null;
    for (const change of [{}, { noSkills: true }] as const) {
      const { problem, turn } = await on.turn(goal, [], { mode: "strict", ...change });
      expect([problem, turn.status]).toEqual([expect.stringContaining("nothing to run strictly"), "failed"]);
    }
    expect([on.model.requests, on.calls()]).toEqual([[], []]);
  });

  it("STR-04: a value in words that can be read without the model is, and no model is loaded for it", async () => {
    const on = stage(billsSite());
    let loads = 0;
    on.world.model = async () => {
      loads += 1;
      throw new KnackError("model.missing", "No chat model is on this machine.");
    };
    const content = await skill();
    const withNote: RevisionContent = {
      ...content,
      inputs: {
        ...content.inputs,
        properties: { ...content.inputs.properties, note: { type: "string", kind: "text", description: "Note", examples: ["for taxes"] } },
        required: [...content.inputs.required],
      },
    };
    await on.addSkill("download-bill", withNote);
    const { episode } = await on.turn(billGoal("March"), [], { skill: "download-bill", mode: "strict" });
    expect(episode.outcome).toBe("success");
    expect(loads).toBeLessThanOrEqual(1);
  });

  it("what is asked for has a name, also where nothing describes it", async () => {
    const on = stage(billsSite());
    const content = await skill();
    const [name] = Object.keys(content.inputs.properties);
    const bare = { type: "string", kind: "month", description: "", examples: [] } as const;
    await on.addSkill("download-bill", { ...content, inputs: { ...content.inputs, properties: { [name ?? ""]: { ...bare, examples: [] } } } });
    const { message } = await on.turn(`Download my bill from ${portal}`, [], { skill: "download-bill", mode: "strict" });
    expect(message?.text).toBe('I know how to do this ("download-bill"), but you did not say the month. Which one?');
  });

  it("a question of a strict run is answered strictly", async () => {
    const on = stage(billsSite());
    await on.addSkill("download-bill", await skill());
    const asked = await on.turn(`Download my bill from ${portal}`, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    expect([asked.turn.mode, asked.episode.open]).toEqual(["strict", true]);
    const { turn, episode } = await on.turn("November 2026", [], { conversationId: "talk" });
    expect([turn.mode, episode.outcome, on.model.requests]).toEqual(["strict", "success", []]);
  });
});
