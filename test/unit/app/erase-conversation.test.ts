import { describe, expect, it } from "vitest";
import { eraseConversation } from "#app/erase-conversation.ts";
import { acceptProposal } from "#app/proposals.ts";
import { createSkill, detailOf, revertSkill, reviseSkill, setStatus, skillNamed } from "#app/skills.ts";
import type { Proposal } from "#contract/skills/schema.ts";
import { billGoal, billRun, billWay, wording } from "../../fixtures/makers/bill-runs.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const name = "download-bill";
const erase = (on: Stage, id: string | undefined) => eraseConversation({ ...on.skillWorld, log: on.world.log }, id ?? "", signal);

/** A routine learned from as many runs, each in a conversation of its own, newest first. */
async function learned(months: readonly string[]): Promise<{ on: Stage; conversations: readonly string[] }> {
  const on = stage(billsSite());
  for (const month of months) await billRun(on, month);
  on.model.say(wording);
  await on.learn();
  return { on, conversations: on.stores.conversations.list().map(({ id }) => id) };
}
const state = (on: Stage): unknown => [skillNamed(on.skillWorld, name).status, on.stores.alerts.list().map(({ title }) => title)];
const vectors = (on: Stage): number => on.stores.vectors.vectorsOf(on.embedder.key, "phrasing", skillNamed(on.skillWorld, name).id).length;

describe("erasing a conversation", () => {
  it("UNT-06: a learned skill with too few left is retired, its vectors gone, and says why; a person may revive it", async () => {
    const { on, conversations } = await learned(["December", "November", "October"]);
    expect(vectors(on)).toBeGreaterThan(0);
    await erase(on, conversations[0]);
    expect([state(on), vectors(on)]).toEqual([["retired", ['"download-bill" was retired']], 0]);
    expect(detailOf(on.skillWorld, name).ledger.at(-1)).toMatchObject({ action: "retire", actor: "knack", before: "provisional", after: "retired" });
    expect((await on.turn(billGoal("December"), [says("How?")])).turn.recall?.verdict).toBe("nothing-learned");
    setStatus(on.skillWorld, name, "active", "human:Kim", "I want it");
    await erase(on, conversations[1]);
    expect(skillNamed(on.skillWorld, name).status).toBe("retired");
    await erase(on, conversations[2]);
    expect(() => setStatus(on.skillWorld, name, "active", "human:Kim", "once more")).toThrow("is empty: what it was learned from was erased");
  });

  it("UNT-06: one with enough left stays in use, derived again; one a person showed and one whose runs retention pruned stay as they are", async () => {
    const { on, conversations } = await learned(["December", "November", "October", "September"]);
    await on.addSkill("shown", procedure("Show my bills"));
    const pruned = { name: "pruned", content: procedure("Pay my bills"), author: "agent:synthesis", evidence: ["a", "b", "c"], reason: "" };
    await createSkill(on.skillWorld, pruned, signal);
    await erase(on, conversations[0]);
    expect([state(on), ...["shown", "pruned"].map((one) => skillNamed(on.skillWorld, one).status)]).toEqual([
      ["provisional", []],
      "provisional",
      "provisional",
    ]);
    const { revision, revisions } = detailOf(on.skillWorld, name);
    expect([revision.number, revision.author, revision.evidence.length, revision.steps.length, revisions[0]?.body, revisions[0]?.evidence.length]).toEqual([
      2,
      "agent:synthesis",
      3,
      3,
      "",
      4,
    ]);
    expect((await on.turn(billGoal("March"), billWay("March").slice(0, -1))).turn.recall?.verdict).toBe("matched");
    await expect(revertSkill(on.skillWorld, name, 1, "human:Kim", signal)).rejects.toThrow("Revision 1");
  });

  it("UNT-06: what was proposed from it goes with it; what a person accepted stays theirs", async () => {
    const on = stage(billsSite());
    const { id } = await on.addSkill(name, procedure("Download my bill"));
    await billRun(on, "December");
    await billRun(on, "November");
    const [newer, older] = on.stores.conversations.list().map((one) => ({ id: one.id, episode: on.stores.trace.episodesOf(one.id)[0]?.id ?? "" }));
    const propose = (proposalId: string, goal: string, evidence: readonly string[]): void => {
      const base = skillNamed(on.skillWorld, name).activeRevision;
      const said: Pick<Proposal, "status" | "decidedAt" | "author"> = { status: "open", decidedAt: null, author: "agent:inline" };
      on.stores.proposals.add({
        id: proposalId,
        skillId: id,
        base,
        content: procedure(goal),
        diff: "",
        reason: "",
        evidence: [...evidence],
        createdAt: 1,
        ...said,
      });
    };
    propose("taken", "Download my newest bill", [newer?.episode ?? ""]);
    await acceptProposal(on.skillWorld, "taken", "human:Kim");
    propose("alone", "Download any bill", [newer?.episode ?? ""]);
    propose("both", "Download all bills", [newer?.episode ?? "", older?.episode ?? ""]);
    propose("older", "Download old bills", [older?.episode ?? ""]);
    on.stores.alerts.add({
      ...{ id: "said", kind: "proposal", title: "It could be mended", detail: "words of the run", skillId: id, proposalId: "alone" },
      ...{ revertTo: null, createdAt: 1, resolvedAt: null, resolution: null },
    });
    await erase(on, newer?.id);
    expect([on.stores.proposals.list({ all: true }).map((one) => one.id), on.stores.alerts.list({ all: true })]).toEqual([["older"], []]);
    expect(skillNamed(on.skillWorld, name)).toMatchObject({ status: "provisional", activeRevision: 2 });
  });

  it("UNT-06: a skill the model made in it is retired with it, unless a person changed it since", async () => {
    const on = stage(billsSite());
    await billRun(on, "December");
    await billRun(on, "November");
    const [first, second] = on.stores.conversations.list().map((one) => ({ id: one.id, episode: on.stores.trace.episodesOf(one.id)[0]?.id ?? "" }));
    const made = (one: string, evidence: string) =>
      createSkill(on.skillWorld, { name: one, content: procedure(one), author: "agent:inline", evidence: [evidence], reason: "" }, signal);
    await made("kept", first?.episode ?? "");
    await made("gone", first?.episode ?? "");
    await made("other", second?.episode ?? "");
    const mine = { content: procedure("my way"), author: "human:Kim", evidence: [], reason: "" };
    await reviseSkill(on.skillWorld, skillNamed(on.skillWorld, "kept"), mine, signal);
    await erase(on, first?.id);
    expect(["kept", "gone", "other"].map((one) => skillNamed(on.skillWorld, one).status)).toEqual(["provisional", "retired", "provisional"]);
  });
});
