import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, scriptedEmbedder } from "#adapters/scripted/index.ts";
import { setStatus, supersedeSkill } from "#app/skills.ts";
import type { Outcome } from "#contract/chat/schema.ts";
import type { PassReport, ShownAction } from "#contract/learning/schema.ts";
import type { Revision } from "#contract/skills/schema.ts";
import { align, type ClusterMember, cluster, collect, contentFrom, digestOf, type LearnableEpisode, whyNotPublish } from "#core/learning/index.ts";
import { contentHash, onlyContent } from "#core/skills/index.ts";
import { billGoal, billRun, billWay, portal, wording } from "../../fixtures/makers/bill-runs.ts";
import { billsSite, type MadeSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { link, page } from "../../fixtures/makers/page.ts";
import { clickOn, openSite, runOf } from "../../fixtures/makers/shown-run.ts";
import { chooses, digest, fills, opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const bills = (): Stage => stage(billsSite());
const reasons = (report: PassReport): string[] => report.entries.map((entry) => `${entry.decision}: ${entry.reason}`);
const skills = (on: Stage): string[] => on.stores.skills.list({ all: true }).map((skill) => `${skill.name} ${skill.status} ${skill.activeRevision}`);

async function learned(on: Stage): Promise<Revision> {
  on.model.say(wording);
  const report = await on.learn();
  const [skill] = on.stores.skills.list();
  const revision = skill && on.stores.skills.revision(skill.id, skill.activeRevision);
  if (!revision) throw new Error(`nothing was learned: ${reasons(report).join("; ")}`);
  return revision;
}
const stepsOf = (revision: Revision): string[] => revision.steps.map((step) => step.do);

/** What learning makes of everything that was done. */
function runsOf(on: Stage): LearnableEpisode[] {
  return on.stores.trace.episodesChangedAfter(0, 1000).flatMap(({ episode }) => {
    const collected = collect(on.stores.trace, episode);
    return collected.kind === "run" ? [collected.run] : [];
  });
}

/** A run as clustering sees it; `wayId` by its way. */
function memberOf(run: LearnableEpisode, vector: Float32Array): ClusterMember {
  const { goal, conversationId } = run.episode;
  const digest = digestOf(run, null);
  const wayId = JSON.stringify(digest.way)
    .split("")
    .reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
  return { ...digest, goal, conversationId, wayId, vector };
}

async function runs(on: Stage, months: readonly string[], outcomes: readonly Outcome[] = []): Promise<void> {
  for (const [index, month] of months.entries()) await billRun(on, month, { outcome: outcomes[index] ?? "success" });
}

describe("which episodes are learned from", () => {
  it("IND-01: two episodes of one goal are too few", async () => {
    const on = bills();
    await runs(on, ["March", "April"]);
    expect(reasons(await on.learn())).toEqual(["skipped: only 2 episodes"]);
  });

  it("IND-02: four that only claim to have worked are no evidence", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May", "June"], ["claimed_success", "claimed_success", "claimed_success", "claimed_success"]);
    expect(reasons(await on.learn())).toEqual(["skipped: only 0 verified successes"]);
  });

  it("IND-05: five with one failure are enough", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May", "June", "July"], ["success", "success", "failure"]);
    on.model.say(wording);
    expect(reasons(await on.learn())).toEqual(["added: learned from 4 successful runs, 4 steps"]);
  });

  it("IND-05: five with two failures are not", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May", "June", "July"], ["success", "failure", "failure"]);
    expect(reasons(await on.learn())).toEqual(["skipped: only 3 of 5 went well"]);
  });

  it("IND-09: episodes of one conversation alone are not", async () => {
    const on = bills();
    for (const month of ["March", "April", "May"]) await billRun(on, month, { conversationId: "one" });
    expect(reasons(await on.learn())).toEqual(["skipped: all from one conversation"]);
  });

  it("IND-14: a skill rests on no episode that failed", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May", "June", "July"], ["success", "success", "failure", "success", "claimed_success"]);
    const { evidence } = await learned(on);
    expect(evidence.map((id) => on.stores.trace.episode(id)?.outcome)).toEqual(["success", "success", "success"]);
  });

  it("abandoned and unjudged episodes count for nothing", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"], ["success", "success", "abandoned"]);
    expect(reasons(await on.learn())).toEqual(["skipped: only 2 episodes"]);
  });

  it("the model saying so, in the middle of a turn, is a claim and nothing more", async () => {
    const on = bills();
    for (const month of ["March", "April", "May"]) await on.turn(billGoal(month), billWay(month), { noSkills: true });
    expect(reasons(await on.learn())).toEqual(["skipped: only 0 verified successes"]);
  });
});

describe("how many steps", () => {
  /** A row of pages, each with one link to the next. */
  const corridor: MadeSite = {
    origin: "https://corridor.example",
    view: (path) => page(`Room ${path.slice(1)}`, [link(`Door ${Number(path.slice(1)) + 1}`)], { url: `https://corridor.example${path}` }),
    press: (_path, { name }) => ({ to: `/${name.slice(5)}` }),
  };
  const walk = (doors: number): Answer[] => [
    opens("https://corridor.example/0"),
    ...Array.from({ length: doors }, (_, door) => presses(`link Door ${door + 1}`)),
    says("I am there."),
  ];

  it.each([
    [2, "2 steps; 3 to 20 can be learned from"],
    [3, "added"],
    [20, "added"],
    [21, "21 steps; 3 to 20 can be learned from"],
  ])("IND-08: %s steps: %s", async (count, wanted) => {
    const on = stage(corridor);
    for (let run = 0; run < 3; run++) {
      const { episode } = await on.turn("Walk to the last room of https://corridor.example/0", walk(count - 1), { noSkills: true, maxSteps: 40 });
      on.stores.trace.judge(episode.id, "success", "judged by the test", 1);
    }
    on.model.say("name: walk-there\nwhen: Use this to walk to the last room\n");
    const report = await on.learn();
    expect(new Set(report.entries.map(({ decision, reason }) => (decision === "added" ? decision : reason)))).toEqual(new Set([wanted]));
  });

  it("steps that failed or only talked are no steps", async () => {
    const on = bills();
    await billRun(on, "March");
    expect(runsOf(on)[0]?.actions.map((action) => action.kind)).toEqual(["open", "click", "click", "click", "click", "download"]);
  });

  it("an element is no sibling of its own, as in a showing", async () => {
    const on = bills();
    await billRun(on, "March");
    const presses = runsOf(on).flatMap((episode) => episode.actions.filter((action) => action.kind === "click"));
    expect(presses.flatMap((press) => press.siblings)).not.toEqual([]);
    expect(presses.filter((press) => press.siblings.includes(press.target?.name ?? "")).map((press) => press.target?.name)).toEqual([]);
  });
});

describe("what several runs come to", () => {
  it("IND-04: a detour in one run is no step", async () => {
    const on = bills();
    await billRun(on, "December");
    await billRun(on, "November", { between: [presses("link Messages"), presses("link Home")] });
    await billRun(on, "October");
    expect(stepsOf(await learned(on))).toEqual([`Open ${portal}`, 'Click the link "Bills"', 'Click the button "Download {{month|MMMM YYYY}} bill"']);
  });

  it("IND-04: a detour that leads nowhere back is no step either", async () => {
    const on = bills();
    await billRun(on, "December");
    await billRun(on, "November", { between: [presses("link Help"), presses("link Home")] });
    await billRun(on, "October");
    expect(stepsOf(await learned(on)).some((step) => step.includes("Help"))).toBe(false);
  });

  it("IND-06: months that the goals name are one input, with the values kept as examples and the step's text using it", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const revision = await learned(on);
    expect(revision.inputs).toMatchObject({
      properties: { month: { kind: "month", examples: expect.arrayContaining(["March 2026", "April 2026", "May 2026"]) as string[] } },
      required: ["month"],
    });
    expect(stepsOf(revision).at(-1)).toBe('Click the button "Download {{month|MMMM YYYY}} bill"');
    expect(revision.bindings.map(({ inputs }) => inputs["month"]).sort()).toEqual(["2026-03", "2026-04", "2026-05"]);
  });

  it("IND-17: Older pressed none, one and two times is one step, repeated until the next target is there", async () => {
    const on = bills();
    await runs(on, ["December", "August", "April"]);
    const revision = await learned(on);
    expect(revision.steps.map((step) => [step.do, step.repeatUntilNext ?? false])).toEqual([
      [`Open ${portal}`, false],
      ['Click the link "Bills"', false],
      ["Press Older until the next target is there", true],
      ['Click the button "Download {{month|MMMM YYYY}} bill"', false],
    ]);
  });

  const council = "https://council.example/";
  const permit = (plate: string, day: string, zone: string): Answer[] => [
    opens(council),
    presses("link Visitor permit"),
    fills("textbox Registration", plate),
    fills("textbox Day", day),
    chooses("combobox Zone", zone),
    presses("button Request permit"),
    says("Requested."),
  ];

  it("IND-07: a value that differs and is in no goal costs the step its call: it needs judgement", async () => {
    const on = stage(permitSite());
    for (const [plate, zone] of [
      ["AB12 CDE", "North"],
      ["KX27 ABC", "South"],
      ["LM34 FGH", "Old Town"],
    ] as const) {
      await on.episode(`Request a visitor permit for ${plate} at ${council}`, permit(plate, "2027-02-14", zone), "success");
    }
    on.model.say("name: request-permit\nwhen: Use this to request a visitor permit\n");
    await on.learn();
    const revision = on.stores.skills.revision(on.stores.skills.list()[0]?.id ?? "", 1);
    expect(revision?.steps.find((step) => step.do.includes("Zone"))).toEqual({ do: "Decide what belongs in Zone", onFail: expect.any(String) as string });
    expect(revision?.steps.find((step) => step.do.includes("Day"))?.call?.args["text"]).toBe("2027-02-14");
  });

  it("IND-03: three successes by three different routes have nothing in common", async () => {
    const on = bills();
    const goal = `Find out how to reach you at ${portal}`;
    await on.episode(goal, [opens(portal), presses("link Bills"), presses("link Older"), presses("link Older"), says("There.")], "success");
    await on.episode(goal, [opens(portal), presses("link Messages"), presses("link Home"), presses("link Help"), says("There.")], "success");
    await on.episode(goal, [opens(portal), presses("link Help"), presses("link Home"), presses("link Messages"), says("There.")], "success");
    const said = reasons(await on.learn());
    expect(said).toContain("skipped: NO_COMMON_PROCEDURE");
    expect(skills(on)).toEqual([]);
  });

  it("what was seen after every run is the check of a step", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const revision = await learned(on);
    expect(revision.steps.map((step) => step.check)).toEqual([
      { page: { heading: "Welcome", url: "/" } },
      { page: { heading: "Bills", url: "/bills/*" } },
      { page: { heading: "Bills", url: "/bills/*" } },
      { file: { exists: "bill-{{month|YYYY-MM}}.pdf" } },
    ]);
  });

  it("a learned skill declares the sites it saw and the tools it calls, and nothing else", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const { toolsRequired, capabilities, author } = await learned(on);
    expect({ toolsRequired, capabilities, author }).toEqual({
      toolsRequired: ["browser_open", "browser_click"],
      capabilities: { primitives: ["browser"], vault: [], destinations: ["https://portal.example"] },
      author: "agent:synthesis",
    });
  });
});

describe("wording and what can go wrong with it", () => {
  const three = async (): Promise<Stage> => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    return on;
  };

  it("IND-10: the model says SKIP", async () => {
    const on = await three();
    on.model.say("SKIP");
    expect(reasons(await on.learn())).toEqual(["skipped: the model saw no common task (SKIP)"]);
    expect(skills(on)).toEqual([]);
  });

  it("IND-10: what it writes cannot be read: the cluster is skipped and logged, not repaired", async () => {
    const on = await three();
    on.model.say("I would call it a bill downloader.");
    expect(reasons(await on.learn())[0]).toMatch(/^skipped: the wording could not be read/u);
    expect(on.log.entries.map((entry) => entry.event)).toEqual(["cluster-skipped"]);
    expect(on.model.left).toBe(0);
  });

  it("IND-10: the embedder's error is passed on", async () => {
    const on = await three();
    const broken = scriptedEmbedder((text) => {
      if (text !== "a text") throw new Error("the embedder broke");
      return [1];
    });
    await expect(on.learn({ embedder: broken })).rejects.toThrow("the embedder broke");
    expect(on.stores.learning.reports(5)).toEqual([]);
  });

  it("the name never holds the values of a single case", async () => {
    const on = await three();
    on.model.say("name: bill\nwhen: Use this to download a bill\n");
    await on.learn();
    expect(skills(on)).toEqual(["download-bill provisional 1"]);
  });

  it("a name and a when that the model took from one case are not kept", async () => {
    const on = await three();
    on.model.say("name: fetch-april-bill\nwhen: Use this to download the bill of April\n");
    await on.learn();
    const learnt = await learned(on);
    expect([skills(on), learnt.whenToUse]).toEqual([["download-bill provisional 1"], "Download the bill of a month"]);
  });

  it("a name that is taken by another meaning gets a number", async () => {
    const on = await three();
    const other = { ...onlyContent(await learned(on)), capabilities: { primitives: ["browser"], vault: [], destinations: ["https://other.example"] } };
    const fresh = await three();
    await fresh.addSkill("download-bill", other);
    fresh.model.say(wording);
    await fresh.learn();
    expect(fresh.stores.skills.list().map((skill) => skill.name)).toEqual(["download-bill", "download-bill-2"]);
  });
});

describe("learning again", () => {
  it("IND-12: the same pass twice changes nothing", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const { contentHash: hash } = await learned(on);
    expect(reasons(await on.learn())).toEqual([]);
    expect(on.stores.skills.revisions(on.stores.skills.list()[0]?.id ?? "").map((revision) => revision.contentHash)).toEqual([hash]);
  });

  it("IND-12: one more run that says nothing new changes nothing, and no model is asked", async () => {
    const on = bills();
    await runs(on, ["December", "November", "October"]);
    const { contentHash: hash } = await learned(on);
    await runs(on, ["September"]);
    const asked = on.model.requests.length;
    expect(reasons(await on.learn())).toEqual(['unchanged: "download-bill" says the same already']);
    expect(on.model.requests.length).toBe(asked);
    expect(on.stores.skills.revisions(on.stores.skills.list()[0]?.id ?? "").map((revision) => revision.contentHash)).toEqual([hash]);
  });

  it.each(["disabled", "retired"] as const)("IND-12: a skill the user made %s stays so, and is not made again", async (status) => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    await learned(on);
    setStatus(on.skillWorld, "download-bill", status, "human:Kim", "not wanted");
    const bytes = () => JSON.stringify([on.stores.skills.list({ all: true }), on.stores.skills.revisions(on.stores.skills.list({ all: true })[0]?.id ?? "")]);
    const before = bytes();
    expect(reasons(await on.learn())).toEqual([`unchanged: "download-bill" means the same and is ${status}`]);
    expect(reasons(await on.learn())).toEqual([]);
    // Nor from runs that came since, by way of pages that the first ones never saw.
    await runs(on, ["December", "November", "October", "September"]);
    expect(reasons(await on.learn())).toEqual([`unchanged: "download-bill" means the same and is ${status}`]);
    expect([skills(on), bytes(), on.stores.learning.reports(9).map(({ note }) => note)]).toEqual([[`download-bill ${status} 1`], before, ["", "", "", ""]]);
  });

  it("IND-12: a skill that another one took the place of is not made again", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const own = onlyContent(await learned(on));
    await on.addSkill("better-bill", { ...own, goal: "Something else altogether", steps: own.steps.slice(0, 2), bindings: [], phrasings: [] });
    supersedeSkill(on.skillWorld, "download-bill", "better-bill", "human:Kim");
    await runs(on, ["December", "November", "October"]);
    expect(reasons(await on.learn())).toEqual(['unchanged: "download-bill" means the same and is retired']);
    expect(skills(on)).toEqual(["better-bill provisional 1", "download-bill retired 1"]);
  });

  it("IND-12, PRE-11: a skill a person wrote that means the same stays as it is", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const own = onlyContent(await learned(on));
    const fresh = bills();
    await runs(fresh, ["March", "April", "May"]);
    await fresh.addSkill("my-bills", { ...own, steps: own.steps.slice(1) });
    fresh.model.say(wording);
    expect(reasons(await fresh.learn())).toEqual(['unchanged: "my-bills" by human:Kim means the same']);
    expect(skills(fresh)).toEqual(["my-bills provisional 1"]);
  });

  it("PRE-11: a pack's skill that means the same is not changed by a byte; what was learned is a skill of its own", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const own = onlyContent(await learned(on));
    const fresh = bills();
    await runs(fresh, ["March", "April", "May"]);
    const { id } = await fresh.addSkill("pack-bills", { ...own, steps: own.steps.slice(1) }, { author: "authored:acme", status: "active" });
    const bytes = () => JSON.stringify([fresh.stores.skills.get(id), fresh.stores.skills.revisions(id)]);
    const before = bytes();
    fresh.model.say(wording);
    await fresh.learn();
    expect([bytes(), skills(fresh)]).toEqual([before, ["download-bill provisional 1", "pack-bills active 1"]]);
  });

  it("IND-13: the same meaning under another name is a revision", async () => {
    const on = bills();
    await runs(on, ["December", "November", "October"]);
    await learned(on);
    await runs(on, ["August", "April"]);
    on.model.say("name: fetch-invoice\nwhen: Use this to fetch a bill\n");
    expect(reasons(await on.learn())).toEqual(['updated: revision 2 of "download-bill"']);
    expect(skills(on)).toEqual(["download-bill provisional 2"]);
  });

  it("a dry run says what it would learn and stores nothing", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    on.model.say(wording);
    const report = await on.learn({ apply: false });
    expect(reasons(report)).toEqual(["added: would be learned from 3 successful runs, 4 steps"]);
    expect([skills(on), on.stores.learning.reports(5)]).toEqual([[], []]);
    on.model.say(wording);
    expect(reasons(await on.learn())).toEqual(["added: learned from 3 successful runs, 4 steps"]);
  });

  it("what is learned can be found by its evidence goals", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const { evidence } = await learned(on);
    expect(evidence.map((id) => on.stores.trace.episode(id)?.goal).sort()).toEqual(["April", "March", "May"].map(billGoal));
    expect((await on.turn(billGoal("June"), [], { mode: "strict" })).turn.recall).toMatchObject({ verdict: "matched", skillName: "download-bill" });
  });
});

describe("order and interruption", () => {
  it("IND-11: in whatever order the episodes came, the procedure is the same", async () => {
    const months = ["December", "August", "April", "March"];
    const hashes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(months, { minLength: months.length }), async (order) => {
        const on = bills();
        await runs(on, order);
        const { summary, whenToUse, inputs, steps, toolsRequired, capabilities, ...rest } = onlyContent(await learned(on));
        const properties = Object.fromEntries(Object.entries(inputs.properties).map(([name, input]) => [name, { ...input, examples: [] }]));
        hashes.add(
          contentHash({ ...rest, goal: "", bindings: [], summary, whenToUse, inputs: { ...inputs, properties }, steps, toolsRequired, capabilities }, digest),
        );
        expect(skills(on)).toEqual(["download-bill provisional 1"]);
      }),
      { numRuns: 6 },
    );
    expect(hashes.size).toBe(1);
  });

  it("IND-11: the same episodes given in any order are the same clusters", async () => {
    const on = bills();
    await runs(on, ["December", "August", "April"]);
    const goal = `Find your address at ${portal}`;
    for (let run = 0; run < 3; run++)
      await on.episode(goal, [opens(portal), presses("link Help"), presses("link Home"), presses("link Messages"), says("There.")], "success");
    const episodes = runsOf(on);
    const embedded = await Promise.all(
      episodes.map(async (run) =>
        memberOf(run, (await on.embedder.embed([run.episode.goal], "clustering", new AbortController().signal))[0] ?? new Float32Array()),
      ),
    );
    const ids = async (given: typeof embedded): Promise<string[][]> => (await cluster(given, 0.4)).map((members) => members.map(({ episodeId }) => episodeId));
    const wanted = await ids(embedded);
    expect(wanted).toHaveLength(2);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(embedded, { minLength: embedded.length }), async (order) => {
        expect(await ids(order)).toEqual(wanted);
      }),
    );
  });

  it("IND-15: a pass that a message interrupts loses and doubles nothing when it is taken up again", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    const stop = new AbortController();
    on.model.say(() => {
      stop.abort(new DOMException("a message came", "AbortError"));
      return wording;
    });
    await expect(on.learn({ signal: stop.signal })).rejects.toThrow("a message came");
    expect([skills(on), on.stores.learning.reports(5)]).toEqual([[], []]);
    expect((await learned(on)).evidence).toHaveLength(3);
    expect(skills(on)).toEqual(["download-bill provisional 1"]);
  });
});

describe("runs that do not predict one another", () => {
  const rooms = ["Atrium", "Balcony", "Gallery", "Dome", "Stairs", "Older"];
  const museum: MadeSite = {
    origin: "https://museum.example",
    view: (path) =>
      page(
        path === "/" ? "Start" : path.slice(1),
        rooms.map((name) => link(name)),
        { url: `https://museum.example${path}` },
      ),
    press: (_path, { name }) => ({ to: `/${name}` }),
  };
  const visits = [
    ["Fetch the thing", "Atrium", "Gallery", "Older", "Older", "Gallery"],
    ["Fetch Gallery", "Gallery", "Older", "Atrium", "Balcony"],
    ["Fetch Gallery", "Gallery", "Stairs", "Balcony", "Gallery"],
  ] as const;

  it("IND-16: a whole pass publishes nothing of them, and its report lists the reason with the episodes", async () => {
    const on = stage(museum);
    for (const [goal, ...way] of visits)
      await on.episode(
        `${goal} at https://museum.example/ please`,
        [opens("https://museum.example/"), ...way.map((name) => presses(`link ${name}`)), says("Done.")],
        "success",
      );
    const asked = on.model.requests.length;
    const report = await on.learn();
    expect(reasons(report)).toEqual([expect.stringMatching(/^skipped: leave-one-out: the other runs do not predict "Fetch/u)]);
    expect([report.entries[0]?.episodes.length, skills(on), on.model.requests.length - asked]).toEqual([3, [], 0]);
    expect(on.stores.learning.reports(1)[0]?.entries[0]?.reason).toBe(report.entries[0]?.reason);
  });
});

describe("faults found in induction", () => {
  it("IND-10: a model that fails while distilling stops the pass, and it is logged so (the cluster is skipped and the pass goes on)", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    on.model.say(new Error("the model died"));
    const { note, entries } = await on.learn();
    expect([note, entries.map(({ decision, reason }) => `${decision}: ${reason}`)]).toEqual([
      "The pass stopped: the model failed (the model died).",
      ["skipped: left for the next pass"],
    ]);
    expect([on.log.entries.map(({ event }) => event), skills(on)]).toEqual([["pass-stopped"], []]);
    expect((await learned(on)).evidence).toHaveLength(3);
  });

  it("IND-10: the embedder failing while a new skill is made findable is passed on (it is told as a skipped cluster)", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    on.model.say(wording);
    const broken = scriptedEmbedder((text, kind) => {
      if (kind === "document") throw new Error("the embedder broke");
      return [text.length > 0 ? 1 : 2];
    });
    await expect(on.learn({ embedder: broken })).rejects.toThrow("the embedder broke");
  });

  it("what is told as skipped is not stored (the skill is there, and cannot be found)", async () => {
    const on = bills();
    await runs(on, ["March", "April", "May"]);
    on.model.say(wording);
    const broken = scriptedEmbedder((text, kind) => {
      if (kind === "document") throw new Error("the embedder broke");
      return [text.length > 0 ? 1 : 2];
    });
    await on.learn({ embedder: broken }).catch(() => undefined);
    expect(skills(on)).toEqual([]);
  });

  it("IND-11: in whatever order the episodes came, the content hash is the same", async () => {
    const hashes = new Set<string>();
    for (const order of [
      ["December", "August", "April"],
      ["April", "December", "August"],
    ]) {
      const on = bills();
      await runs(on, order);
      hashes.add((await learned(on)).contentHash);
    }
    expect(hashes.size).toBe(1);
  });
});

describe("requests of one kind, worded differently", () => {
  const at = (id: string, goal: string, vector: number[], names: string[]): ClusterMember =>
    memberOf(
      {
        episode: { id, conversationId: id, goal, outcome: "success", reason: null, open: false, createdAt: 0, closedAt: 0 },
        actions: names.map((name) => ({
          kind: "click",
          target: { role: "link", name },
          secret: false,
          siblings: [],
          landmark: "",
          context: "",
          after: { url: "https://board.example/", title: "", heading: "", text: "" },
          at: 0,
        })),
      },
      Float32Array.from(vector),
    );
  const way = (ad: string): string[] => ["My board", "My ads", ad, "Edit", "Save changes"];
  const desk = at("1", "Change the price of my Oak desk to 95 pounds", [1, 0], way("Oak desk"));
  const close = Math.sqrt(1 - 0.2 ** 2);
  const sizes = async (...episodes: ClusterMember[]): Promise<number[]> => (await cluster(episodes, 0.4)).map((members) => members.length);

  it("are one cluster where the same controls were pressed, the goal's values aside", async () =>
    expect(await sizes(desk, at("2", "My Bicycle should now cost £55", [0.2, close], way("Bicycle")))).toEqual([2]));
  it("paging on makes no difference", async () =>
    expect(
      await sizes(desk, at("2", "My Bicycle should now cost £55", [0.2, close], ["My board", "My ads", "Next", "Bicycle", "Edit", "Save changes"])),
    ).toEqual([2]));
  it("are two where they ended on another control", async () =>
    expect(await sizes(desk, at("2", "My Bicycle is sold", [0.2, close], ["My board", "My ads", "Bicycle", "Edit", "Take it off"]))).toEqual([1, 1]));
  it("are two where their wording has nothing in common at all", async () =>
    expect(await sizes(desk, at("2", "My Bicycle should now cost £55", [0, 1], way("Bicycle")))).toEqual([1, 1]));
});

describe("a control that only some of the goals speak of", () => {
  const action = (kind: "open" | "click", name: string, heading: string): ShownAction => ({
    kind,
    ...(kind === "open" ? { value: portal } : { target: { role: "link", name } }),
    secret: false,
    siblings: ["Download attachment", "Download message"],
    landmark: "main",
    context: "",
    after: { url: `${portal}/${heading.toLowerCase()}`, title: "", heading, text: heading },
    at: 0,
  });
  const run = (id: string, goal: string, message: string): LearnableEpisode => ({
    episode: { id, conversationId: id, goal, outcome: "success", reason: null, open: false, createdAt: 0, closedAt: 0 },
    actions: [
      action("open", "", "Start"),
      action("click", "Inbox", "Inbox"),
      action("click", message, message),
      action("click", "Download attachment", message),
    ],
  });
  const lastNames = (...runs: LearnableEpisode[]): unknown => {
    const aligned = align(runs);
    return aligned.ok ? aligned.value.steps.map((step) => (step.call?.args.target as { name: string } | undefined)?.name) : aligned.error;
  };
  it("is the same control in the procedure, and no input", () =>
    expect(
      lastNames(
        run("1", 'Download the attachment of the message "Service report"', "Service report"),
        run("2", 'Get me the file that came with "Treatment plan"', "Treatment plan"),
      ),
    ).toEqual([undefined, "Inbox", "{{link}}", "Download attachment"]));
  it("is predicted by runs whose goals all speak of it", async () => {
    const runs = [
      run("1", 'Download the attachment of the message "Service report"', "Service report"),
      run("2", 'Download the attachment of "Minutes"', "Minutes"),
      run("3", 'Get me the file that came with "Treatment plan"', "Treatment plan"),
    ];
    const aligned = align(runs);
    if (!aligned.ok) throw new Error(aligned.error);
    const content = { ...contentFrom(runs[0]?.episode.goal ?? "", aligned.value), bindings: aligned.value.bindings };
    expect(await whyNotPublish(content, runs, { isTool: () => true, notGranted: () => [] })).toBeNull();
  });
});

describe("one of several, picked otherwise in each run", () => {
  const ways = ["Exchange", "Refund", "Store credit"];
  const page = { heading: "Return", path: "/return", text: "Return" };
  const run = (goal: string, picked: string): LearnableEpisode =>
    runOf(goal, [
      openSite(page),
      clickOn("link", "Return", page),
      clickOn("radio", picked, { ...page, siblings: ways.filter((way) => way !== picked) }),
      clickOn("button", "Send", page),
    ]);
  const third = (...runs: LearnableEpisode[]): unknown => {
    const aligned = align(runs);
    if (!aligned.ok) return aligned.error;
    const step = aligned.value.steps[2];
    return { name: (step?.call?.args.target as { name: string } | undefined)?.name, do: step?.do, choices: Object.values(aligned.value.inputs)[0]?.choices };
  };

  it("is an input with its choices where the goals name it", () =>
    expect(third(run("Return it, I want an exchange", "Exchange"), run("Send it back for store credit", "Store credit"))).toMatchObject({
      name: "{{choice}}",
      choices: expect.arrayContaining(ways) as string[],
    }));
  it("is one where most goals do", () =>
    expect(third(run("Return it, I want an exchange", "Exchange"), run("Send it back for a refund", "Refund"), run("Send it back", "Refund"))).toMatchObject({
      name: "{{choice}}",
    }));
  it("needs judgement where the goals say nothing of it: without a pick the form is not sent", () =>
    expect(third(run("Return it", "Exchange"), run("Send it back", "Refund"))).toMatchObject({
      name: undefined,
      do: "Decide which to pick (Exchange, Refund)",
    }));
  it("is no input where every run picked the same, whatever the goals speak of", () =>
    expect(third(run("Return it for a refund", "Refund"), run("Send it back", "Refund"))).toMatchObject({ name: "Refund" }));
});
