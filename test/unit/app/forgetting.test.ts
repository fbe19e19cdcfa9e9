import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eraseConversation, eraseEpisode } from "#app/erase-conversation.ts";
import { eraseSkill } from "#app/erase-skill.ts";
import { learnFrom } from "#app/learn-from.ts";
import { createSkill, detailOf, reviseSkill, skillNamed, supersedeSkill } from "#app/skills.ts";
import type { Episode } from "#contract/chat/schema.ts";
import { indexSkill, keepCounter } from "#core/recall/index.ts";
import { finishRun } from "#core/turn/index.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { permitSite } from "../../fixtures/makers/made-site.ts";
import { chooses, fills, opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const council = "https://council.example/";
const name = "request-permit";
/** Words of one visitor that stand nowhere else. */
const secret = ["Zyxqwvk", "QZ77", "XWV", "2027-05-23", "23 May"];
const goalOf = (visitor: string, plate: string, day: string): string => `Request a permit for ${visitor}, registration ${plate}, on ${day} at ${council}`;
const visits = [
  ["cousin Zyxqwvk", "QZ77 XWV", "23 May 2027", "2027-05-23"],
  ["Anna", "AB12 CDE", "14 February 2027", "2027-02-14"],
  ["Boris", "KX27 ABC", "15 March 2027", "2027-03-15"],
  ["Clara", "LM34 FGH", "16 April 2027", "2027-04-16"],
] as const;

function files(): string {
  const folder = mkdtempSync(join(tmpdir(), "knack-forget-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "knack.db");
}

/** Which of these words the store's files hold, in whatever letters and in whatever page. */
function heldIn(file: string, words: readonly string[]): string[] {
  const bytes = ["", "-wal", "-shm"]
    .map((end) => file + end)
    .filter(existsSync)
    .map((one) => readFileSync(one, "latin1").toLowerCase())
    .join("\n");
  return words.filter((word) => bytes.includes(word.toLowerCase()));
}

const way = (plate: string, day: string) => [
  opens(council),
  presses("link Visitor permit"),
  fills("textbox Registration", plate),
  fills("textbox Day", day),
  chooses("combobox Zone", "North"),
  presses("button Request permit"),
  says(`The permit for ${plate} is requested.`),
];

/** A routine learned from four visits, each in a conversation of its own; gives back the conversation of the first one. */
async function learned(file: string, count = 4): Promise<{ on: Stage; conversationId: string; episodeId: string }> {
  const on = stage(permitSite(), { file });
  let first = { conversationId: "", id: "" };
  for (const [visitor, plate, day, typed] of visits.slice(0, count)) {
    const episode = await on.episode(goalOf(visitor, plate, day), way(plate, typed), "success");
    if (visitor === visits[0][0]) first = episode;
  }
  on.model.say(`name: ${name}\nwhen: Use this to request a permit for Zyxqwvk\n`);
  await on.learn();
  return { on, conversationId: first.conversationId, episodeId: first.id };
}

const world = (on: Stage) => ({ ...on.skillWorld, log: on.world.log });
async function erase(on: Stage, conversationId: string) {
  const skills = await eraseConversation(world(on), conversationId, signal);
  on.stores.rebuild();
  return skills;
}

describe("what was learned from an erased conversation", () => {
  it("UNT-06: a skill with enough left is derived again, and no byte of the store tells of what was erased", async () => {
    const file = files();
    const { on, conversationId } = await learned(file);
    // What else a store comes to hold of it: a turn of another conversation compared with it, an answer, a run with a finding, its alert.
    await on.turn(goalOf("Zyxqwvk", "QZ77 XWV", "23 May 2027"), [says("no")], { conversationId, noSkills: true });
    await on.turn(goalOf("cousin Dora", "NO45 PQR", "17 June 2027"), way("NO45 PQR", "2027-06-17").slice(0, -1), { maxSteps: 6 });
    expect(JSON.stringify(on.stores.trace.turnsHolding(JSON.stringify(name)).at(-1)?.recall)).toContain("Zyxqwvk");
    const { id } = skillNamed(on.skillWorld, name);
    const [episode] = on.stores.trace.episodesOf(conversationId);
    keepCounter(on.stores, id, { goal: "Tell Zyxqwvk to come", episodeId: episode?.id ?? "" }, on.world.clock());
    for (let times = 0; times < 2; times++) {
      const run = { id: `run-${times}`, skillId: id, revision: 1, episodeId: episode?.id ?? "", turnId: `turn-${times}`, mode: "strict" as const };
      on.stores.skills.addRun({ ...run, inputs: { visitor: "Zyxqwvk" }, outcome: null, finding: null, startedAt: on.world.clock(), endedAt: null });
      const stored = on.stores.skills.runOfTurn(`turn-${times}`);
      if (stored) finishRun(on.world, stored, "failure", "Step 3: expected heading 'Permit of Zyxqwvk', saw 'Sign in'");
    }
    expect(heldIn(file, secret)).toEqual(secret);

    expect(await erase(on, conversationId)).toEqual([{ name, became: "derived-again" }]);
    expect(heldIn(file, secret)).toEqual([]);
    const { revision, revisions, runs, ledger } = detailOf(on.skillWorld, name);
    expect([revision.number, revision.evidence.length, revision.whenToUse]).toEqual([2, 3, expect.not.stringContaining("Zyxqwvk")]);
    expect(revision.steps.map((step) => step.call?.args["text"] ?? step.call?.tool)).toEqual([
      "browser_open",
      "browser_click",
      expect.stringContaining("{{"),
      expect.stringContaining("{{"),
      "browser_select",
      "browser_click",
    ]);
    expect([revisions[0]?.emptiedAt, revisions[0]?.steps]).toEqual([expect.any(Number), []]);
    // The runs still count, and history shows that there was a first revision.
    const inErased = runs.filter(({ id: runId }) => runId.startsWith("run-"));
    expect(inErased.map(({ outcome, inputs, finding }) => [outcome, inputs, finding])).toEqual([
      ["failure", {}, null],
      ["failure", {}, null],
    ]);
    expect(ledger.map(({ action, reason }) => `${action} ${reason}`)).toContain("modify derived again from 3 runs, after others it rested on were erased");
    expect(on.stores.skills.phrasings(id)).toEqual([]);
    expect(on.stores.alerts.list({ all: true }).map(({ detail }) => detail)).toContain("What this told of was erased by you.");
  });

  it("UNT-06: one with too little left is retired, and what a person may revive tells nothing either", async () => {
    const file = files();
    const { on, conversationId } = await learned(file, 3);
    expect(await erase(on, conversationId)).toEqual([{ name, became: "retired" }]);
    expect(heldIn(file, secret)).toEqual([]);
    const { id, status } = skillNamed(on.skillWorld, name);
    expect([status, on.stores.vectors.vectorsOf(on.embedder.key, "phrasing", id)]).toEqual(["retired", []]);
  });

  it("UNT-06: one task of a conversation is erased alone, and what was learned from it with it", async () => {
    const file = files();
    const { on, conversationId, episodeId } = await learned(file);
    await on.turn("What else is there to do in Leeds?", [says("A walk.")], { conversationId, noSkills: true });
    const [message, , later] = on.stores.conversations.messages(conversationId);
    for (const [id, text, from] of [
      ["told", "Has a cousin Zyxqwvk", message],
      ["kept", "Walks in Leeds", later],
    ] as const)
      on.stores.facts.add({
        ...{ id, label: "SOUL", text, source: "agent:dreaming", createdAt: 1, updatedAt: 1 },
        provenance: { conversationId, messageId: from?.id ?? "", sentence: text },
      });
    const skills = await eraseEpisode(world(on), episodeId, signal);
    on.stores.rebuild();
    expect([skills, heldIn(file, secret)]).toEqual([[{ name, became: "derived-again" }], []]);
    expect(on.stores.facts.list().map(({ id }) => id)).toEqual(["kept"]);
    expect(on.stores.conversations.get(conversationId)?.title).toBe("What else is there to do in Leeds?");
    expect(on.stores.conversations.messages(conversationId).map(({ text }) => text)).toEqual(["What else is there to do in Leeds?", "A walk."]);
    expect([on.stores.trace.episode(episodeId), on.stores.trace.gone([episodeId])]).toEqual([
      undefined,
      [{ id: episodeId, how: "erased", at: expect.any(Number) }],
    ]);
    const rest = on.stores.trace.episodesOf(conversationId);
    await eraseEpisode(world(on), rest[0]?.id ?? "", signal);
    expect(on.stores.conversations.get(conversationId)).toBeUndefined();
    await expect(eraseEpisode(world(on), episodeId, signal)).rejects.toThrow(`There is no task ${episodeId}`);
  });

  it("UNT-06: what a pass said of it is said no more, and the pass stays", async () => {
    const { on, conversationId } = await learned(":memory:");
    const [before] = on.stores.learning.reports(1);
    await erase(on, conversationId);
    const [after] = on.stores.learning.reports(1);
    const [was, is] = [before?.entries[0], after?.entries[0]];
    expect([was?.episodes.length, is?.episodes, is?.decision, is?.skillName]).toEqual([4, was?.episodes, "added", name]);
    expect([is?.goal.includes("Zyxqwvk"), is?.goal]).toEqual([false, expect.stringContaining("Request a permit for")]);
    const told = { ...was, reason: `without "${goalOf("cousin Zyxqwvk", "QZ77 XWV", "23 May 2027")}" nothing common is left` };
    const other = await learned(":memory:");
    const [report] = other.on.stores.learning.reports(1);
    if (report)
      other.on.stores.learning.addReport({ ...report, entries: [{ ...told, goal: "", decision: "skipped", skillName: null, episodes: [other.episodeId] }] });
    await erase(other.on, other.conversationId);
    expect(other.on.stores.learning.reports(1)[0]?.entries).toEqual([
      { goal: "", episodes: [other.episodeId], decision: "skipped", reason: "what this rested on was erased", skillName: null },
    ]);
  });

  it("UNT-06: where nothing that was said before is left to stand on, an earlier revision that rests on nothing erased is used again", async () => {
    const { on } = await learned(":memory:");
    const told = await on.turn("Mind that the visitor is called Zyxqwvk", [says("I do.")], { noSkills: true });
    const skill = skillNamed(on.skillWorld, name);
    const first = detailOf(on.skillWorld, name).revision;
    const content = { ...procedure(first.goal), ...first, edgeCases: ["The visitor is called Zyxqwvk"] };
    const evidence = [...first.evidence, told.episode.id];
    await reviseSkill(on.skillWorld, skill, { content, author: "agent:inline", evidence, reason: "told in a conversation: Zyxqwvk" }, signal);
    expect(await erase(on, told.turn.conversationId)).toEqual([{ name, became: "put-back" }]);
    const { revision, revisions, ledger } = detailOf(on.skillWorld, name);
    expect([revision.number, revision.edgeCases, revisions[1]?.body]).toEqual([1, [], ""]);
    expect(JSON.stringify(ledger)).not.toContain("Zyxqwvk");
  });

  it("UNT-06: a person's skill stays theirs; ways to ask for it, and not to, that came from there go, others stay", async () => {
    const file = files();
    const on = stage(permitSite(), { file });
    const { id } = await on.addSkill("my-permit", procedure("Request my permit"));
    const said = await on.turn("Get Zyxqwvk in", [says("How?")], { noSkills: true });
    const other = await on.turn("Let my guests park", [says("How?")], { noSkills: true });
    on.stores.skills.addPhrasing(id, "Get Zyxqwvk in", false, on.world.clock(), said.episode.id);
    keepCounter(on.stores, id, { goal: "Send Zyxqwvk a card", episodeId: said.episode.id }, on.world.clock());
    on.stores.skills.addPhrasing(id, "Let my guests park", false, on.world.clock(), other.episode.id);
    // Kept before phrasings knew their episode.
    on.stores.skills.addPhrasing(id, "Get Zyxqwvk in", false, on.world.clock());
    const body = detailOf(on.skillWorld, "my-permit").revision.body;
    expect(await erase(on, said.turn.conversationId)).toEqual([{ name: "my-permit", became: "cleared" }]);
    expect([on.stores.skills.phrasings(id), detailOf(on.skillWorld, "my-permit").revision.body]).toEqual([
      [{ text: "Let my guests park", counter: false }],
      body,
    ]);
    expect(on.stores.vectors.vectorsOf(on.embedder.key, "phrasing", id).map(({ text }) => text)).toEqual(["Request my permit", "Let my guests park"]);
    expect(heldIn(file, ["Zyxqwvk"])).toEqual([]);
  });

  it("UNT-06: a skill that a person made of one task keeps its steps and loses the goal and its values", async () => {
    const { on, conversationId, episodeId } = await learned(":memory:", 1);
    const goal = goalOf("cousin Zyxqwvk", "QZ77 XWV", "23 May 2027");
    const plate = { type: "string" as const, kind: "id" as const, description: "plate", examples: ["QZ77 XWV"] };
    const content = procedure(goal, {
      whenToUse: "Request a permit",
      summary: "Request a permit",
      inputs: { type: "object", properties: { plate }, required: ["plate"] },
      bindings: [{ goal, inputs: { plate: "QZ77 XWV" } }],
    });
    await createSkill(on.skillWorld, { name: "mine", content, author: "human:Kim", evidence: [episodeId], reason: `from: ${goal}` }, signal);
    expect(await erase(on, conversationId)).toEqual([{ name: "mine", became: "cleared" }]);
    const { revision, ledger } = detailOf(on.skillWorld, "mine");
    expect([revision.steps, revision.goal, revision.evidence, revision.bindings, revision.inputs.properties["plate"]?.examples]).toEqual([
      content.steps,
      "Request a permit",
      [episodeId],
      [],
      [],
    ]);
    expect(JSON.stringify([revision, ledger])).not.toContain("QZ77");
  });
});

describe("what was made of an erased conversation, and kept elsewhere", () => {
  it("UNT-06: a draft of it goes with its edits, and one that was made of its runs beside others is made anew", async () => {
    const file = files();
    const { on, conversationId, episodeId } = await learned(file);
    const judge = () => on.stores.trace.episode(episodeId) as Episode;
    const draft = await learnFrom({ ...on.skillWorld, judge }, conversationId, false, signal);
    const own = on.stores.learning.showing(draft.showingId);
    if (!own) throw new Error("no showing");
    const rewrite = { edit: "rewrite" as const, name: "zyxqwvk", content: draft.content };
    on.stores.learning.putShowing({ ...own, edits: [rewrite] });
    const { episodeId: _, ...shown } = own;
    const skillId = skillNamed(on.skillWorld, name).id;
    on.stores.learning.putShowing({ ...shown, id: "together", goal: "Request another", actions: [], aim: { kind: "together", skillId }, edits: [rewrite] });
    on.stores.learning.putShowing({
      ...shown,
      id: "other",
      goal: "Ask",
      actions: [],
      base: { ...draft, content: procedure("Ask"), body: "", name: "ask", notes: [] },
      edits: [{ edit: "drop-step", step: 1 }],
    });
    await erase(on, conversationId);
    const drafts = on.stores.learning.showings().map(({ id, status, base, edits }) => [id === own.id ? "own" : id, status, base === null, edits.length]);
    expect(drafts.sort()).toEqual([
      ["other", "draft", false, 1],
      ["own", "dropped", true, 0],
      ["together", "draft", true, 0],
    ]);
    expect(heldIn(file, ["Zyxqwvk"])).toEqual([]);
  });

  it("UNT-06: a goal that was declined is not quoted by what recall noted in other conversations", async () => {
    const file = files();
    const on = stage(permitSite(), { file });
    const { id } = await on.addSkill("my-permit", procedure("Request my permit"));
    const said = await on.turn("Request a zyxqwvk permit", [says("How?")], { noSkills: true });
    keepCounter(on.stores, id, { goal: "Request a zyxqwvk permit", episodeId: said.episode.id }, on.world.clock());
    await indexSkill(id, { ...on.stores, embedder: on.embedder, now: on.world.clock() }, signal);
    const other = await on.turn("Request one permit please for zyx", [says("How?")]);
    const { recall } = other.turn;
    if (!recall) throw new Error("nothing was recalled");
    const [candidate] = recall.candidates;
    // As it reads where a goal is like one that was declined.
    const eliminated = 'you said it was not meant for the like of this ("Request a zyxqwvk permit")';
    on.stores.trace.updateTurn({
      ...other.turn,
      recall: {
        ...recall,
        verdict: "blocked",
        blockedBy: eliminated,
        why: `"my-permit" fits, but ${eliminated}.`,
        candidates: [
          { ...(candidate as NonNullable<typeof candidate>), name: "my-permit", phrasing: "Request my permit", eliminated, eliminatedBy: "declined" },
        ],
      },
    });
    await erase(on, said.turn.conversationId);
    expect(heldIn(file, ["zyxqwvk"])).toEqual([]);
    expect(on.stores.trace.turn(other.turn.id)?.recall?.candidates[0]?.phrasing).toBe("Request my permit");
  });
});

describe("erasing a skill", () => {
  it("UNT-06: takes its name out of what passes decided by it, and out of drafts that were meant for it, or are like it", async () => {
    const file = files();
    const { on, conversationId, episodeId } = await learned(file);
    const judge = () => on.stores.trace.episode(episodeId) as Episode;
    const draft = await learnFrom({ ...on.skillWorld, judge }, conversationId, false, signal);
    const own = on.stores.learning.showing(draft.showingId);
    const skill = skillNamed(on.skillWorld, name);
    if (!own) throw new Error("no showing");
    const { skillId: _, ...shown } = own;
    const revises = { skill: name, revision: 1, diff: name };
    on.stores.learning.putShowing({
      ...shown,
      id: "mend",
      skillId: null,
      aim: { kind: "repair", skillId: skill.id, revision: 1, step: 1, replayed: 0, asBefore: true },
      base: { ...draft, revises },
    });
    on.stores.learning.putShowing({ ...shown, id: "with", skillId: null, aim: { kind: "together", skillId: skill.id }, base: { ...draft, revises } });
    on.stores.learning.putShowing({
      ...own,
      base: { ...draft, name: "other", sameAs: { name, status: "active", revision: 1 }, alike: { skill: name, goal: "x" } },
    });
    expect(JSON.stringify(on.stores.clusters.stamps())).toContain(skill.id);
    eraseSkill(on.skillWorld, skill);
    on.stores.rebuild();
    expect([
      heldIn(file, [name]),
      on.stores.learning
        .showings()
        .map(({ id, aim }) => `${id === own.id ? "own" : id} ${aim.kind}`)
        .sort(),
    ]).toEqual([[], ["own new", "with new"]]);
  });

  it("UNT-06: nothing in the store tells of it but a row with its id and the time", async () => {
    const file = files();
    const on = stage(permitSite(), { file });
    const secretName = "renew-zyxqwvk";
    const skill = await on.addSkill(secretName, procedure("Renew the zyxqwvk"));
    await on.addSkill("other", procedure("Renew the bins"));
    supersedeSkill(on.skillWorld, "other", secretName, "human:Kim");
    on.stores.learning.putShowing({
      id: "showing",
      goal: "Renew the zyxqwvk",
      url: council,
      status: "confirmed",
      actions: [],
      createdAt: 1,
      aim: { kind: "new" },
      base: null,
      edits: [],
      skillId: skill.id,
    });
    on.stores.skills.addPhrasing(skill.id, "zyxqwvk again", false, 1);
    const entry = { goal: "Renew", episodes: [], decision: "unchanged" as const, reason: `"${secretName}" says the same already`, skillName: secretName };
    on.stores.learning.addReport({ id: "report", startedAt: 1, endedAt: 2, dryRun: false, episodesRead: 0, entries: [entry], note: "" });
    on.stores.alerts.add({
      ...{ id: "idle", kind: "notice", title: "Some skills have not been used for a long time", detail: `Not used for 90 days or more: other, ${secretName}.` },
      ...{ skillId: null, proposalId: null, revertTo: null, createdAt: 1, resolvedAt: null, resolution: null },
    });
    const { turn } = await on.turn("Renew all bins now", [says("Done.")]);
    expect([turn.recall?.candidates.map(({ name: of }) => of), heldIn(file, ["zyxqwvk"])]).toEqual([[secretName], ["zyxqwvk"]]);

    eraseSkill(on.skillWorld, skill);
    on.stores.rebuild();
    expect(heldIn(file, ["zyxqwvk"])).toEqual([]);
    expect(on.stores.skills.ledger(skill.id).map(({ action, reason, before, after }) => [action, reason, before, after])).toEqual([["erased", "", null, null]]);
    expect(on.stores.alerts.get("idle")?.detail).toBe("Not used for 90 days or more: other, an erased skill.");
    expect(on.stores.trace.turn(turn.id)?.recall).toMatchObject({
      skillName: null,
      candidates: [],
      why: "What recall found here was a skill that has been erased.",
    });
    expect(on.stores.learning.reports(1)[0]?.entries).toEqual([{ ...entry, skillName: null, reason: "what this rested on was erased" }]);
  });
});
