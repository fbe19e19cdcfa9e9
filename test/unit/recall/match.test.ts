import { describe, expect, it } from "vitest";
import { scriptedEmbedder, scriptedModel } from "#adapters/scripted/index.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { envelopeOf } from "#core/envelope/index.ts";
import type { LanguageModel } from "#core/ports/index.ts";
import { embedderKeyText } from "#core/ports/index.ts";
import { bindInputs, indexSkill, type Match, type MatchWorld, matchSkill } from "#core/recall/index.ts";
import { structuralFit } from "#core/recall/structural-fit.ts";
import { recallText } from "#core/skills/index.ts";
import { toolRegistry } from "#core/tools/index.ts";
import calibration from "#models/calibration/all-minilm-l6-v2.json" with { type: "json" };
import { clickStep, input, procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const now = new Date(Date.UTC(2027, 0, 10, 12));
const { signal } = new AbortController();
const goal = "Fetch my bills";

/** Similarity to any goal asked, by the text of a phrasing. */
type Similar = Readonly<Record<string, number>>;
const similarTo = (similar: Similar) => (text: string, kind: string) => {
  const cosine = kind === "query" ? 1 : (similar[text] ?? 0);
  return [cosine, Math.sqrt(1 - cosine * cosine)];
};

/** What the form of the goal adds to the similarity of a plain procedure, so that tests name the score as it is compared. */
const form = structuralFit(
  { ...procedure(goal), skillId: "", number: 1, body: "", author: "human:Kim", evidence: [], createdAt: 0, contentHash: "" },
  goal,
  now,
);
const scored = (score: number): number => score - form;

function shelf(similar: Similar): Stage {
  return stage(billsSite(), { embedder: scriptedEmbedder(similarTo(similar)) });
}
/** A test names only what it is about; the model as itself. */
type Asking = Partial<Omit<MatchWorld, "model">> & { readonly model?: LanguageModel };
function match(shelf: Stage, asked = goal, { model, ...change }: Asking = {}): Promise<Match> {
  const { skills, vectors, calibrations, grants } = shelf.stores;
  return matchSkill(
    asked,
    {
      skills,
      vectors,
      calibrations,
      embedder: shelf.embedder,
      model: model ? async () => model : null,
      state: {},
      hasTool: (id) => toolRegistry.has(id),
      envelope: envelopeOf(grants.list()),
      fileExists: null,
      now: now.getTime(),
      ...change,
    },
    signal,
  );
}
const verdict = async (matching: Promise<Match>): Promise<string> => {
  const { recall } = await matching;
  return `${recall.verdict} ${recall.skillName ?? "none"}`;
};

describe("use, suggest or abstain", () => {
  it("REC-01: with nothing learned it says so, and nothing is embedded", async () => {
    const empty = shelf({});
    expect((await match(empty)).recall).toMatchObject({ verdict: "nothing-learned", why: "No skill has been learned yet.", candidates: [] });
    expect(empty.embedder.asked).toEqual([]);
  });

  it.each([
    [0.8195, "suggested"],
    [0.8205, "matched"],
    [0.6995, "below-threshold"],
    [0.7005, "suggested"],
  ])("REC-02: a score of %s is %s", async (score, wanted) => {
    const one = shelf({ "Show bills": scored(score) });
    await one.addSkill("show-bills", procedure("Show bills"));
    const { recall } = await match(one);
    expect([recall.verdict, recall.score?.toFixed(4)]).toEqual([wanted, String(score)]);
  });

  it("REC-02: abstaining tells the score, both thresholds and the runner-up", async () => {
    const two = shelf({ "Show bills": scored(0.64), "Write to us": scored(0.54) });
    await two.addSkill("show-bills", procedure("Show bills"));
    await two.addSkill("write-to-us", procedure("Write to us"));
    const { recall, skill } = await match(two);
    expect(recall).toMatchObject({
      verdict: "below-threshold",
      useThreshold: 0.895,
      suggestThreshold: 0.775,
      calibrated: false,
      why: 'The closest, "show-bills", scores 0.64, 0.69 with its lead over "write-to-us"; 0.78 is needed to suggest it.',
    });
    expect([recall.score, recall.certainty, recall.runnerUp?.score].map((one) => one?.toFixed(3))).toEqual(["0.640", "0.690", "0.540"]);
    expect(recall.runnerUp?.name).toBe("write-to-us");
    expect(skill).toBeUndefined();
  });

  it("two that are too close are suggested, not used", async () => {
    const two = shelf({ "Show bills": scored(0.88), "List bills": scored(0.85) });
    await two.addSkill("show-bills", procedure("Show bills"));
    await two.addSkill("list-bills", procedure("List bills"));
    expect((await match(two)).recall).toMatchObject({ verdict: "suggested", skillName: "show-bills", why: expect.stringContaining("too close") as string });
  });

  it("the best of a skill's phrasings counts, also one the user added", async () => {
    const one = shelf({ "Show bills": scored(0.2), "Get me what I owe": scored(1.02) });
    const skill = await one.addSkill("show-bills", procedure("Show bills"));
    expect(await verdict(match(one))).toBe("below-threshold show-bills");
    one.stores.skills.addPhrasing(skill.id, "Get me what I owe", false, 1);
    await indexSkill(skill.id, { skills: one.stores.skills, vectors: one.stores.vectors, embedder: one.embedder, now: now.getTime() }, signal);
    expect((await match(one)).recall).toMatchObject({ verdict: "matched", candidates: [{ phrasing: "Get me what I owe" }] });
  });

  it("a goal that asks for an answer speaks against a skill that gives none (REC-03: pay the bill / when is the bill due)", async () => {
    const one = shelf({ "Send the bill": 0.9 });
    await one.addSkill("send-bill", procedure("Send the bill"));
    expect([await verdict(match(one, "Send that bill")), await verdict(match(one, "When is the bill due?"))]).toEqual(["matched send-bill", "blocked none"]);
  });

  it.each([
    ["Confirm my reservation", "Cancel my reservation"],
    ["Cancel my reservation", "I'd like to confirm my reservation, please"],
    ["Turn on paper bills", "Turn off paper bills"],
    ["Switch paper bills off", "Please switch paper bills on"],
    ["Book the pool for 3 May", "Cancel the pool on 3 May"],
    ["Subscribe to the newsletter", "Unsubscribe me from the newsletter"],
    ["Pause my boxes", "I want to resume my boxes"],
    ["Add milk to my list", "Could you remove milk from my list?"],
    ["Accept the quote", "Decline the quote"],
    ["Lock my card", "Unlock my card"],
    ["Upload my meter photo", "Download my meter photo"],
    ["Sell my bicycle", "Buy a bicycle"],
    ["Send my timesheet", "Draft my timesheet"],
    ["Increase my limit to £500", "Reduce my limit to £200"],
    ["Enable reminders", "Disable reminders"],
    ["Pay my water bill", "When is my water bill due?"],
    ["Set my allowance to 40", "What is my allowance?"],
    ["Move my appointment to 3 May", "Cancel my appointment on 3 May"],
    ["Send me paper bills", "Stop sending me paper bills"],
    ["Upgrade my plan", "Downgrade my plan"],
    ["Publish my advert", "Unpublish my advert"],
    ["Create an alarm for 7:00", "Delete the alarm for 7:00"],
    ["Mark the message as read", "Mark the message as unread"],
    ["Connect my bank", "Disconnect my bank"],
    ["Register for the course", "Withdraw from the course"],
    ["Allow cookies", "Block cookies"],
    ["Hire a bike", "Return the bike"],
    ["Attach the invoice", "Detach the invoice"],
    ["Skip my next box", "Don't skip my next box"],
    ["Apply for leave", "Withdraw my leave request"],
    ["Join the waiting list", "Get me off the waiting list"],
    ["Opt out of marketing", "Opt me in to marketing"],
  ])("REC-03: %s is never recalled for: %s, whatever the score and with a site named", async (known, asked) => {
    for (const goal of [asked, `${asked} (portal.example)`]) {
      const one = shelf({ [recallText(known, now)]: 0.99 });
      await one.addSkill("known", procedure(known, { steps: [clickStep("Go")] }));
      const { recall, skill } = await match(one, goal);
      expect([recall.verdict, skill, recall.why]).toEqual(["blocked", undefined, expect.stringMatching(/^"known" fits, but the goal /u)]);
    }
  });

  it.each([
    ["Cancel my reservation", "Please call off my reservation"],
    ["Give it a licence of the United Kingdom", "Give it a licence of Portugal"],
    ["Renew my book", "Could you renew my book?"],
    ["Turn on paper bills", "I want paper bills turned on"],
    ["Change my booking to 3 May", "Move my booking to 4 May"],
    ["Download the open orders", "Get the closed orders"],
    ["Add milk to the book list", "Put milk on the book list"],
    ["Show my bookings", "Open my bookings"],
    ["Take a break from my boxes", "Stop my boxes for two weeks"],
    ["Book the pool", "Don't forget to book the pool"],
    ["Renew my library card", "Please don't worry me about it, just renew my library card"],
    ["Set up a reminder for May", "Create a reminder for June"],
  ])("REC-03: %s stands for: %s", async (known, asked) => {
    const one = shelf({ [recallText(known, now)]: 0.99 });
    await one.addSkill("known", procedure(known, { steps: [clickStep("Go")] }));
    expect(await verdict(match(one, asked))).toBe("matched known");
  });

  it("REC-03: a skill that was asked with both words is for both", async () => {
    const one = shelf({ "Confirm my reservation": 0.99 });
    const skill = await one.addSkill("known", procedure("Confirm my reservation"));
    one.stores.skills.addPhrasing(skill.id, "Cancel my reservation", false, 1);
    expect((await match(one, "Cancel my reservation")).recall.verdict).toBe("matched");
  });

  it("REC-03: opposites at their measured similarity of 0.70 are never used for one another", async () => {
    const one = shelf({ "Confirm my reservation": 0.7 });
    await one.addSkill("confirm-reservation", procedure("Confirm my reservation"));
    expect((await match(one, "Cancel my reservation")).recall.verdict).not.toBe("matched");
  });
});

describe("what a goal picks from a list", () => {
  it("is no action that speaks against a skill", async () => {
    const one = shelf({ "Cancel my class": 0.9 });
    const properties = { reason: { ...input("text"), choices: ["Travelling", "Change of plans"] } };
    await one.addSkill("cancel-class", procedure("Cancel my class", { inputs: { type: "object", properties, required: ["reason"] } }));
    expect(await verdict(match(one, "Take me off my class, Change of plans"))).toContain("cancel-class");
    expect(await verdict(match(one, "Change my class"))).toBe("blocked none");
  });
});

describe("what keeps a skill from being recalled", () => {
  const fits: Similar = { "Show bills": scored(0.95), "List bills": scored(0.85) };
  const both = async (first: Partial<RevisionContent>, second: Partial<RevisionContent> = {}): Promise<Stage> => {
    const two = shelf(fits);
    await two.addSkill("show-bills", procedure("Show bills", first));
    await two.addSkill("list-bills", procedure("List bills", second));
    return two;
  };

  it.each(["disabled", "retired"] as const)("REC-05: %s after it was indexed", async (status) => {
    const two = await both({});
    const skill = two.stores.skills.byName("show-bills");
    const entry = { id: "entry", skillId: skill?.id ?? "", action: "disable", actor: "human:Kim", reason: "", before: null, after: null, at: 1 };
    two.stores.skills.setStatus(skill?.id ?? "", status, entry, 1);
    expect(await verdict(match(two))).toBe("matched list-bills");
  });

  it("REC-05: superseded", async () => {
    const two = await both({});
    const { skills } = two.stores;
    const [old, better] = [skills.byName("show-bills")?.id ?? "", skills.byName("list-bills")?.id ?? ""];
    const entry = { id: "entry", skillId: old, action: "supersede", actor: "agent:synthesis", reason: "", before: null, after: null, at: 1 };
    skills.setStatus(old, "retired", entry, 1);
    skills.setStatus(old, "retired", { ...entry, id: "entry-2" }, 1, better);
    expect(await verdict(match(two))).toBe("matched list-bills");
  });

  it("a record so poor that it is not offered", async () => {
    const two = await both({});
    const id = two.stores.skills.byName("show-bills")?.id ?? "";
    for (const number of [1, 2, 3])
      two.stores.skills.addRun({
        id: `run-${number}`,
        skillId: id,
        revision: 1,
        episodeId: "e",
        turnId: `t-${number}`,
        mode: "advisory",
        inputs: {},
        outcome: "failure",
        finding: null,
        startedAt: now.getTime(),
        endedAt: now.getTime(),
      });
    expect(await verdict(match(two))).toBe("matched list-bills");
  });

  it("REC-06: a condition that code can decide, with no question to the model", async () => {
    const model = scriptedModel();
    const two = await both({ preconditions: [{ state: { path: "user.region", op: "eq", value: "US" } }] });
    const { recall } = await match(two, goal, { model, state: { USER: { REGION: "EU" } } });
    expect(recall).toMatchObject({
      verdict: "matched",
      skillName: "list-bills",
      candidates: [
        { name: "show-bills", eliminated: expect.stringContaining("user.region does not hold") as string },
        { name: "list-bills", eliminated: null },
      ],
    });
    expect(model.questions).toEqual([]);
  });

  it("and where nothing else fits, it is blocked by that condition", async () => {
    const one = shelf(fits);
    await one.addSkill("show-bills", procedure("Show bills", { preconditions: [{ state: { path: "user.region", op: "eq", value: "US" } }] }));
    expect((await match(one)).recall).toMatchObject({
      verdict: "blocked",
      blockedBy: expect.stringContaining("user.region") as string,
      why: expect.stringContaining('"show-bills" fits, but') as string,
    });
  });

  const condition = "the user is signed in";
  it.each([
    ["unknown: no model", { preconditions: [condition] }, null, "blocked"],
    ["unknown: the model is not sure", { preconditions: [condition] }, 0.5, "blocked"],
    ["not met", { preconditions: [condition] }, 0.05, "blocked"],
    ["met", { preconditions: [condition] }, 0.95, "matched"],
    ["an anti-condition that holds", { antiPreconditions: [condition] }, 0.95, "blocked"],
    ["an anti-condition nobody can read", { antiPreconditions: [condition] }, Number.NaN, "blocked"],
    ["an anti-condition without a model", { antiPreconditions: [condition] }, null, "blocked"],
    ["an anti-condition that does not hold", { antiPreconditions: [condition] }, 0.05, "matched"],
  ] as const)("REC-07: a condition in words, %s", async (_what, rules, yes, wanted) => {
    const one = shelf(fits);
    await one.addSkill(
      "show-bills",
      procedure("Show bills", { preconditions: [], antiPreconditions: [], ...(JSON.parse(JSON.stringify(rules)) as Partial<RevisionContent>) }),
    );
    const { recall } = await match(one, goal, yes === null ? {} : { model: scriptedModel([], () => yes) });
    expect([recall.verdict, recall.blockedBy?.includes(condition) ?? false]).toEqual([wanted, wanted === "blocked"]);
  });

  it("a bare tool id is no condition in words: it is met by a call, not by the model", async () => {
    const model = scriptedModel();
    const two = await both({ preconditions: ["get_status"] });
    expect(await verdict(match(two, goal, { model }))).toBe("matched show-bills");
    expect(model.questions).toEqual([]);
  });

  it("REC-08: the best one's condition fails and the second fits: the second is recalled, after one question each", async () => {
    const model = scriptedModel([], (question) => (question.includes(condition) ? 0.1 : 0.9));
    const two = await both({ preconditions: [condition] }, { preconditions: ["the bill is there"] });
    expect(await verdict(match(two, goal, { model }))).toBe("matched list-bills");
    expect(model.questions).toHaveLength(2);
  });

  it("a site of the goal that it does not use", async () => {
    const two = await both({ capabilities: { primitives: ["browser"], vault: [], destinations: ["https://other.example"] } });
    expect(await verdict(match(two, "Fetch my bills at portal.example"))).toContain("list-bills");
  });

  it("REC-13: what the user said it is not meant for, whatever the values in it", async () => {
    const two = await both({});
    const id = two.stores.skills.byName("show-bills")?.id ?? "";
    two.stores.skills.addPhrasing(id, "Fetch my March bills", true, 1);
    expect((await match(two, "Fetch my June bills")).skill?.name).toBe("list-bills");
    expect((await match(two, "Bring me my bills")).skill?.name).toBe("show-bills");
  });

  it("REC-10: vectors of another model or dimension are never compared", async () => {
    const one = shelf(fits);
    await one.addSkill("show-bills", procedure("Show bills"));
    expect(await verdict(match(one))).toBe("matched show-bills");
    for (const embedder of [
      scriptedEmbedder(similarTo(fits), { key: { modelHash: "other" } }),
      scriptedEmbedder((text, kind) => [...similarTo(fits)(text, kind), 0]),
      scriptedEmbedder(similarTo(fits), { key: { quantisation: "Q8_0" } }),
      scriptedEmbedder(similarTo(fits), { key: { prefixes: "query: |passage: " } }),
    ]) {
      const { recall, skill } = await match(one, goal, { embedder });
      expect([recall.verdict, recall.candidates, skill]).toEqual(["below-threshold", [], undefined]);
      expect(recall.why).toContain("1 skill was not compared: embedded by another model. Embed anew with: knack models use scripted");
    }
  });

  it("REC-10: a vector of another length than its key says is refused, stored or asked", async () => {
    const one = shelf(fits);
    const { id } = await one.addSkill("show-bills", procedure("Show bills"));
    const { vectors } = one.stores;
    const long = Float32Array.from([1, 0, 0]);
    for (const use of [
      () => vectors.searchMeans(one.embedder.key, "phrasing", long, 5),
      () => vectors.nearestOf(one.embedder.key, "phrasing", long, [id]),
      () => vectors.meansOf(one.embedder.key, "phrasing", long, [id]),
      () => vectors.replace(one.embedder.key, "phrasing", id, [{ text: "a", vector: long }]),
    ])
      expect(use).toThrow(/3.*2|2.*3/u);
    expect(await verdict(match(one))).toBe("matched show-bills");
  });

  it("REC-10: what was declined counts under the embedder in use as well", async () => {
    const one = shelf({ ...fits, "Fetch all bills": 0.99 });
    const { id } = await one.addSkill("show-bills", procedure("Show bills"));
    one.stores.skills.addPhrasing(id, "Fetch all bills", true, 1);
    expect(await verdict(match(one))).toBe("blocked none");
    const embedder = scriptedEmbedder(similarTo({ ...fits, "Fetch all bills": 0.99 }), { key: { quantisation: "Q8_0" } });
    await indexSkill(id, { skills: one.stores.skills, vectors: one.stores.vectors, embedder, now: now.getTime() }, signal);
    expect(await verdict(match(one, goal, { embedder }))).toBe("blocked none");
    expect(await verdict(match(one))).toBe("blocked none");
  });

  it("REC-10: after embedding anew it is recalled under the new key", async () => {
    const one = shelf(fits);
    const skill = await one.addSkill("show-bills", procedure("Show bills"));
    const embedder = scriptedEmbedder(similarTo(fits), { key: { modelHash: "other" } });
    expect(one.stores.vectors.missing(embedder.key, "phrasing", [skill.id])).toEqual([skill.id]);
    await indexSkill(skill.id, { skills: one.stores.skills, vectors: one.stores.vectors, embedder, now: now.getTime() }, signal);
    expect(await verdict(match(one, goal, { embedder }))).toBe("matched show-bills");
  });
});

describe("a check that code decides", () => {
  const fits: Similar = { "Show bills": scored(0.95), "List bills": scored(0.85) };
  const reaches = (change: Partial<RevisionContent["capabilities"]>) => ({
    capabilities: { primitives: ["browser"], vault: [], destinations: ["https://portal.example"], ...change },
  });
  const reads = (path: string): RevisionContent["steps"][number] => ({ do: `Read ${path}`, call: { tool: "workspace_read", args: { path } }, onFail: "Stop." });
  const writes = (path: string): RevisionContent["steps"][number] => ({
    do: "Write",
    call: { tool: "workspace_write", args: { path, text: "" } },
    onFail: "Stop.",
  });
  const asked = "Fetch my bills";
  const questions = "the user is signed in";

  it.each<[string, string, Partial<RevisionContent>, string, Asking, string]>([
    [
      "a state that is another",
      "state",
      { preconditions: [{ state: { path: "region", op: "eq", value: "US" } }, questions] },
      asked,
      {},
      "condition on region does not hold",
    ],
    [
      "a tool that is not there",
      "tool",
      { toolsRequired: ["tool:browser_click", "send_letter"] },
      asked,
      {},
      "the tool send_letter, which it needs, is not there",
    ],
    ["a tool of a step that is not there", "tool", { steps: [clickStep("Go", { call: { tool: "fold_paper", args: {} } })] }, asked, {}, "the tool fold_paper"],
    [
      "a file that is not there",
      "file",
      { steps: [reads("plan.txt")] },
      asked,
      { fileExists: async () => false },
      "the file plan.txt, which it reads, is not there",
    ],
    ["a file, with no folder open", "file", { steps: [reads("plan.txt")] }, asked, {}, "it reads plan.txt, and no folder is open"],
    [
      "a destination that is not granted",
      "grant",
      reaches({ destinations: ["https://files.example"] }),
      asked,
      {},
      "destination https://files.example is not granted",
    ],
    ["a vault entry that is not there", "grant", reaches({ vault: ["portal-login"] }), asked, {}, "vault entry portal-login is not granted"],
    ["a primitive that is not granted", "grant", reaches({ primitives: ["browser", "notes"] }), asked, {}, "primitive notes is not granted"],
    ["a site of the goal that it does not use", "site", {}, "Fetch my bills at other.example", {}, "the goal names other.example, which it does not use"],
    ["an opposite wish", "opposite", {}, "Hide my bills", {}, "the goal"],
  ])("REC-06: %s takes the skill out, and the model is asked nothing", async (_what, check, content, goal, world, reason) => {
    const model = scriptedModel([], () => 0.95);
    const one = shelf(fits);
    await one.addSkill("show-bills", procedure("Show bills", { preconditions: [questions], ...content }));
    const { recall, skill } = await match(one, goal, { model, ...world });
    expect([recall.verdict, skill, recall.candidates.map(({ eliminatedBy }) => eliminatedBy)]).toEqual(["blocked", undefined, [check]]);
    expect([recall.blockedBy, recall.why]).toEqual([expect.stringContaining(reason) as string, expect.stringContaining(`"show-bills" fits, but`) as string]);
    expect([model.questions, model.requests]).toEqual([[], []]);
  });

  it.each<[string, RevisionContent["steps"], Asking]>([
    ["that is there", [reads("plan.txt")], { fileExists: async (path) => path === "plan.txt" }],
    ["that a step before has written", [writes("plan.txt"), reads("plan.txt")], {}],
    ["whose name holds a value of the run", [reads("plan-{{month}}.txt")], {}],
  ])("lets a file pass %s", async (_what, steps, world) => {
    const one = shelf(fits);
    await one.addSkill("show-bills", procedure("Show bills", { steps, capabilities: { primitives: [], vault: [], destinations: [] } }));
    expect((await match(one, asked, world)).recall.candidates[0]?.eliminatedBy).toBeNull();
  });

  it("a skill that only lacks a grant says so, with what is missing and whether it would have been used", async () => {
    for (const [score, wouldBeUsed] of [
      [0.95, true],
      [0.75, false],
    ] as const) {
      const one = shelf({ "Show bills": scored(score) });
      await one.addSkill("show-bills", procedure("Show bills", reaches({ destinations: ["https://files.example"] })));
      const { recall, lacking } = await match(one);
      expect([recall.verdict, recall.skillName, recall.why]).toEqual([
        "blocked",
        "show-bills",
        '"show-bills" fits, but destination https://files.example is not granted. Grant it on the Permissions page or with: knack grants add',
      ]);
      expect([lacking?.skill.name, lacking?.missing, lacking?.wouldBeUsed]).toEqual(["show-bills", ["destination https://files.example"], wouldBeUsed]);
    }
  });

  it("the second is recalled instead, and says what the better one lacks", async () => {
    const two = shelf(fits);
    await two.addSkill("show-bills", procedure("Show bills", reaches({ destinations: ["https://files.example"] })));
    await two.addSkill("list-bills", procedure("List bills"));
    const { recall, lacking } = await match(two);
    expect([recall.verdict, recall.skillName, lacking]).toEqual(["matched", "list-bills", undefined]);
    expect(recall.why).toContain('"show-bills" scores 0.95, but destination https://files.example is not granted.');
  });

  it("what is told as the block is the best that fits, not the best that is out", async () => {
    const two = shelf({ "Hide bills": scored(0.99), "Show bills": scored(0.9) });
    await two.addSkill("hide-bills", procedure("Hide bills"));
    await two.addSkill("show-bills", procedure("Show bills", reaches({ destinations: ["https://files.example"] })));
    expect((await match(two, "Show my bills")).recall).toMatchObject({ blockedBy: "destination https://files.example is not granted" });
  });

  it("a poor record is told as what keeps the skill out", async () => {
    const one = shelf(fits);
    const { id } = await one.addSkill("show-bills", procedure("Show bills"));
    for (const number of [1, 2, 3])
      one.stores.skills.addRun({
        id: `run-${number}`,
        skillId: id,
        revision: 1,
        episodeId: "e",
        turnId: `t-${number}`,
        mode: "strict",
        inputs: {},
        outcome: "failure",
        finding: null,
        startedAt: now.getTime(),
        endedAt: null,
      });
    expect((await match(one)).recall).toMatchObject({ verdict: "blocked", blockedBy: "it worked only 0 of 3 times", candidates: [{ eliminatedBy: "record" }] });
  });

  it("REC-05: where all are off it is said that they are, and nothing is embedded", async () => {
    const one = shelf(fits);
    await one.addSkill("show-bills", procedure("Show bills"), { status: "disabled" });
    const before = one.embedder.asked.length;
    expect((await match(one)).recall).toMatchObject({
      verdict: "nothing-learned",
      why: expect.stringContaining("the one there is is disabled or retired") as string,
    });
    expect(one.embedder.asked).toHaveLength(before);
  });
});

describe("a condition in words", () => {
  const fits: Similar = { "Show bills": scored(0.95), "List bills": scored(0.92), "Find bills": scored(0.9) };

  it.each<[number, boolean | null]>([
    [0.8, true],
    [0.79, null],
    [0.21, null],
    [0.2, false],
  ])("REC-07: a probability of %s is read as %s, and kept", async (yes, holds) => {
    const one = shelf(fits);
    await one.addSkill("show-bills", procedure("Show bills", { preconditions: ["the user is signed in"] }));
    const { recall } = await match(one, goal, { model: scriptedModel([], () => yes) });
    expect([recall.verdict, recall.candidates[0]?.conditions]).toEqual([
      holds === true ? "matched" : "blocked",
      [{ kind: "precondition", text: "the user is signed in", probability: yes, holds }],
    ]);
  });

  it.each(["preconditions", "antiPreconditions"] as const)("REC-07: a model that fails leaves it unread, which blocks (%s)", async (kind) => {
    const one = shelf(fits);
    await one.addSkill("show-bills", procedure("Show bills", { [kind]: ["the user is signed in"] }));
    const model: LanguageModel = { ...scriptedModel(), likelihood: () => Promise.reject(new Error("out of memory")) };
    const { recall } = await match(one, goal, { model });
    expect([recall.verdict, recall.candidates[0]?.eliminatedBy, recall.candidates[0]?.conditions[0]?.probability]).toEqual(["blocked", "condition", null]);
  });

  it("REC-08: the best and the next are asked about, one question each, and no third", async () => {
    const model = scriptedModel([], () => 0.05);
    const three = shelf(fits);
    for (const name of ["Show bills", "List bills", "Find bills"])
      await three.addSkill(name.toLowerCase().replace(" ", "-"), procedure(name, { preconditions: [`${name} is allowed`, "the user is signed in"] }));
    const { recall } = await match(three, goal, { model });
    expect([recall.verdict, recall.blockedBy, model.questions.length]).toEqual(["blocked", "it is not certain that Show bills is allowed", 2]);
    expect(recall.candidates.map(({ conditions }) => conditions.length)).toEqual([1, 1, 0]);
  });

  it.each(["get_status", "get_status(id=42)", "call get_status(id=42)", "get_status within 10 min", "tool:get_status"])(
    "%s is a call and no condition in words, as the gate reads it",
    async (rule) => {
      const model = scriptedModel();
      const one = shelf(fits);
      await one.addSkill("show-bills", procedure("Show bills", { preconditions: [rule] }));
      expect([await verdict(match(one, goal, { model })), model.questions]).toEqual(["matched show-bills", []]);
    },
  );
});

describe("candidates", () => {
  it("carry both places, fused by reciprocal rank with k = 60", async () => {
    const two = shelf({ "Fetch bills": scored(0.9), "Show what I owe": scored(0.75) });
    await two.addSkill("fetch-bills", procedure("Fetch bills"));
    await two.addSkill("show-owed", procedure("Show what I owe"));
    const { recall } = await match(two);
    expect(recall.candidates.map(({ name, vectorRank, lexicalRank, fused }) => [name, vectorRank, lexicalRank, fused])).toEqual([
      ["fetch-bills", 1, 1, 1 / 61 + 1 / 61],
      ["show-owed", 2, null, 1 / 62],
    ]);
  });

  it("above the threshold are not crowded out by others that only share its words", async () => {
    const names = ["bills of fetching", "fetch old bills", "fetch new bills", "fetch paper bills", "fetch bills again", "bills to fetch"];
    const many = shelf({ "Show what I owe": scored(0.9), ...Object.fromEntries(names.map((name, at) => [name, 0.95 - form - 0.3 + at / 1000])) });
    for (const name of names) await many.addSkill(name.replaceAll(" ", "-"), procedure(name));
    await many.addSkill("show-owed", procedure("Show what I owe"));
    expect((await match(many)).recall).toMatchObject({ verdict: "matched", skillName: "show-owed", candidates: { length: 5 } });
  });

  it("are found behind the many phrasings of one skill, and behind those of skills that are off", async () => {
    for (const status of ["active", "disabled"] as const) {
      const phrasings = Array.from({ length: 260 }, (_, at) => `Show bill ${String.fromCodePoint(0x4e00 + at)}`);
      const two = shelf({ ...Object.fromEntries(phrasings.map((text) => [text, scored(0.8)])), "Owe bills": scored(0.75) });
      await two.addSkill("show-bills", procedure("Show bills", { phrasings }), { status });
      await two.addSkill("owed", procedure("Owe bills"));
      expect((await match(two, "Fetch what is due")).recall.candidates.map(({ name }) => name)).toContain("owed");
    }
  });

  it("of a site the goal names are compared however many others are nearer in words", async () => {
    const phrasings = Array.from({ length: 260 }, (_, at) => `Show bill ${String.fromCodePoint(0x4e00 + at)}`);
    const similar = { ...Object.fromEntries(phrasings.map((text) => [text, scored(0.8)])), "Open statements": 0.4 };
    const two = stage(billsSite(), {
      granted: ["https://portal.example", "https://bank.example"],
      embedder: scriptedEmbedder(similarTo(similar)),
    });
    two.stores.calibrations.put({ ...calibration, key: embedderKeyText(two.embedder.key) });
    for (const at of [0, 1, 2, 3, 4, 5])
      await two.addSkill(`show-bills-${at}`, procedure("Show bills", { phrasings: phrasings.filter((_, place) => place % 6 === at) }));
    await two.addSkill(
      "statements",
      procedure("Open statements", { capabilities: { primitives: ["browser"], vault: [], destinations: ["https://bank.example"] } }),
    );
    const { recall } = await match(two, "Fetch what is due at bank.example");
    expect([recall.candidates[0]?.name, recall.candidates[0]?.vectorRank, recall.skillName]).toEqual(["statements", 7, "statements"]);
  });

  it("REC-09: a goal with its roles swapped recalls the same skill, with swapped inputs", async () => {
    const train = "Book a train from it to it";
    const one = shelf({ [train]: 0.99 });
    const stop = input("text", { choices: ["Leeds", "York"] });
    const content = procedure(train, {
      inputs: { type: "object", properties: { from: { ...stop, examples: ["Leeds"] }, to: { ...stop, examples: ["York"] } }, required: ["from", "to"] },
      bindings: [{ goal: "Book a train from Leeds to York", inputs: { from: "Leeds", to: "York" } }],
    });
    await one.addSkill("book-train", content);
    const bound = async (asked: string): Promise<unknown> => {
      const { skill, revision } = await match(one, asked);
      return [skill?.name, revision && (await bindInputs(revision, asked, { now, given: {}, model: null, signal })).values];
    };
    expect(await bound("Book a train from Leeds to York")).toEqual(["book-train", { from: "Leeds", to: "York" }]);
    expect(await bound("Book a train from York to Leeds")).toEqual(["book-train", { from: "York", to: "Leeds" }]);
  });
});

describe("recall over many skills (REC-04, in small)", () => {
  const verbs = ["Download", "Renew", "Cancel", "Report", "Reserve", "Return", "Move", "Change"];
  const things = ["bill", "loan", "booking", "lamp", "seat", "parcel", "message", "address"];
  const phrasings = (index: number): string[] => [
    `${verbs[index]} my ${things[index]}`,
    `Please ${verbs[index]} the ${things[index]} for me`,
    `I want to ${verbs[index]} a ${things[index]} online`,
  ];
  const foreign = [
    "What a lovely morning",
    "Tell me a story about dragons",
    "Play some quiet music",
    "Water the plants at home",
    "How tall is the tower",
    "Translate good night",
    "Sing for us",
    "Roll two dice",
  ];

  async function filled(shuffled: boolean): Promise<Stage> {
    const many = stage(billsSite());
    for (const index of verbs.keys())
      await many.addSkill(
        `${verbs[index]}-${things[index]}`.toLowerCase(),
        procedure("", { goal: phrasings(index)[0] ?? "", whenToUse: "", phrasings: phrasings(shuffled ? (index + 3) % verbs.length : index).slice(1) }),
      );
    return many;
  }
  const asked = (index: number): string => `${verbs[index]} the ${things[index]}`;

  it("recalls the right one, and nothing for goals out of scope", async () => {
    const many = await filled(false);
    expect(await Promise.all([...verbs.keys()].map(async (index) => (await match(many, asked(index))).skill?.name))).toEqual(
      [...verbs.keys()].map((index) => `${verbs[index]}-${things[index]}`.toLowerCase()),
    );
    expect(await Promise.all(foreign.map(async (one) => (await match(many, one)).recall.verdict))).toEqual(foreign.map(() => "below-threshold"));
  });

  it("with the phrasings shuffled among the skills it finds fewer (the control)", async () => {
    const right = async (many: Stage, ask: (index: number) => string): Promise<number> =>
      (
        await Promise.all(
          [...verbs.keys()].map(async (index) => (await match(many, ask(index))).skill?.name === `${verbs[index]}-${things[index]}`.toLowerCase()),
        )
      ).filter(Boolean).length;
    const ask = (index: number): string => `Please ${verbs[index]} the ${things[index]} for me now`;
    expect([await right(await filled(false), ask), await right(await filled(true), ask)]).toEqual([8, 0]);
  });
});

describe("faults found in recall", () => {
  it("REC-10: says that the skills were embedded by another model, and offers to embed them anew", async () => {
    const one = shelf({ "Show bills": scored(0.95) });
    await one.addSkill("show-bills", procedure("Show bills"));
    const { recall } = await match(one, goal, { embedder: scriptedEmbedder(similarTo({}), { key: { modelHash: "other" } }) });
    expect(recall.why).toMatch(/embed/iu);
  });
});
