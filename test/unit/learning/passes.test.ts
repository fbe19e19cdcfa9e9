import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scriptedEmbedder, wordVector } from "#adapters/scripted/index.ts";
import { eraseConversation } from "#app/erase-conversation.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { FoundCluster } from "#core/ports/index.ts";
import { billGoal, billRun, portal, wording } from "../../fixtures/makers/bill-runs.ts";
import { billsSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { chooses, fills, opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const bills = (): Stage => stage(billsSite());
const reasons = (report: PassReport): string[] => report.entries.map((entry) => `${entry.decision}: ${entry.reason}`);
const skills = (on: Stage): string[] => on.stores.skills.list({ all: true }).map((skill) => `${skill.name} ${skill.status} ${skill.activeRevision}`);
/** Goals that were embedded to be clustered, since so many calls. */
const embedded = (on: Stage, since = 0): string[] =>
  on.embedder.asked
    .slice(since)
    .filter(({ kind }) => kind === "clustering")
    .flatMap(({ texts }) => texts);

/** A run on the portal that is no bill: looking up messages. */
const messagesRun = (on: Stage, goal = `Show my messages on ${portal}`) =>
  on.episode(goal, [opens(portal), presses("link Messages"), presses("link Home"), presses("link Messages"), says("There.")], "success");

/** What stands in the store of clusters: the goals of each, and what is to be done with it. */
function clustersOf(on: Stage): string[] {
  return on.stores.clusters
    .open()
    .map(
      ({ episodes, state }) =>
        `${state}: ${episodes
          .map((id) => on.stores.trace.episode(id)?.goal ?? "gone")
          .sort()
          .join(" | ")}`,
    )
    .sort();
}

describe("a cluster that is short of evidence", () => {
  it("waits, and is completed by episodes that come many passes later", async () => {
    const on = bills();
    for (const month of ["March", "April"]) {
      await billRun(on, month);
      await on.learn();
      await messagesRun(on, `What is new for me, ${month}? ${portal}`);
      await on.learn();
    }
    await on.learn();
    await billRun(on, "May");
    on.model.say(wording);
    expect(reasons(await on.learn())).toContain("added: learned from 3 successful runs, 4 steps");
    expect(skills(on)).toEqual(["download-bill provisional 1"]);
  });

  it("is completed by an episode that is judged only later", async () => {
    const on = bills();
    const first = await billRun(on, "March", { outcome: "claimed_success" });
    for (const month of ["April", "May"]) await billRun(on, month, { outcome: month === "April" ? "success" : "claimed_success" });
    expect(reasons(await on.learn())).toEqual(["skipped: only 1 verified success"]);
    on.stores.trace.judge(first.id, "success", "confirmed by Kim", on.world.clock());
    on.model.say(wording);
    expect(reasons(await on.learn())).toEqual(["added: learned from 2 successful runs, 4 steps"]);
  });

  it("loses an episode that is judged otherwise, and one that is abandoned", async () => {
    const on = bills();
    const runs = [];
    for (const month of ["March", "April"]) runs.push(await billRun(on, month));
    await on.learn();
    on.stores.trace.judge(runs[0]?.id ?? "", "abandoned", "not wanted", on.world.clock());
    await on.learn();
    expect(clustersOf(on)).toEqual([`short: ${billGoal("April")}`]);
  });

  it("is told by a dry run, also when an earlier pass looked at it", async () => {
    const on = bills();
    for (const month of ["March", "April"]) await billRun(on, month);
    expect(reasons(await on.learn())).toEqual(["skipped: only 2 episodes"]);
    expect(reasons(await on.learn())).toEqual([]);
    expect(reasons(await on.learn({ apply: false }))).toEqual(["skipped: only 2 episodes"]);
  });

  it("forgets an episode that was erased, and its goal with it", async () => {
    const on = bills();
    const erased = await billRun(on, "March");
    await billRun(on, "April");
    await on.learn();
    await eraseConversation({ ...on.skillWorld, log: on.world.log }, erased.conversationId, AbortSignal.timeout(30_000));
    expect(JSON.stringify([on.stores.clusters.open(), on.stores.clusters.placed(erased.id)])).not.toContain("March");
    expect(reasons(await on.learn({ apply: false }))).toEqual(["skipped: only 1 episode"]);
  });
});

describe("a run that failed", () => {
  it("counts with the nearest one on its site that went well, and with the next nearest when that one is erased", async () => {
    const on = bills();
    const nearest = await billRun(on, "April");
    await on.episode(billGoal("May"), [opens(portal), presses("link Bills"), presses("link Home"), presses("link Messages"), says("There.")], "success");
    await billRun(on, "April", { outcome: "failure" });
    await on.learn();
    expect(clustersOf(on)).toEqual([`short: ${billGoal("April")} | ${billGoal("April")}`, `short: ${billGoal("May")}`]);
    await eraseConversation({ ...on.skillWorld, log: on.world.log }, nearest.conversationId, AbortSignal.timeout(30_000));
    await on.learn();
    expect(clustersOf(on)).toEqual([`short: ${billGoal("April")} | ${billGoal("May")}`]);
  });
});

describe("what a pass reads", () => {
  it("is what changed since the last one, and only that is embedded", async () => {
    const on = bills();
    for (const month of ["March", "April"]) await billRun(on, month);
    expect((await on.learn()).episodesRead).toBe(2);
    const asked = on.embedder.asked.length;
    expect((await on.learn()).episodesRead).toBe(0);
    await billRun(on, "June");
    on.model.say(wording);
    expect((await on.learn()).episodesRead).toBe(1);
    expect(embedded(on, asked).filter((text) => text.includes("bill"))).toHaveLength(1);
  });

  it("an episode that only got another word of thanks is not worked on again", async () => {
    const on = bills();
    for (const month of ["March", "April", "May"]) await billRun(on, month);
    on.model.say(wording);
    await on.learn();
    const [episode] = on.stores.trace.episodesChangedAfter(0, 1);
    if (!episode) throw new Error("there is no episode");
    on.stores.trace.updateEpisode({ ...episode.episode, open: true });
    on.stores.trace.updateEpisode(episode.episode);
    expect(reasons(await on.learn())).toEqual([]);
  });

  it("is everything where another embedder compares the goals now, and no vector of the earlier one is compared", async () => {
    const on = bills();
    for (const month of ["March", "April"]) await billRun(on, month);
    await on.learn();
    await billRun(on, "May");
    const other = scriptedEmbedder((text) => [...wordVector(text), 1], { key: { modelHash: "other" } });
    on.model.say(wording);
    expect(reasons(await on.learn({ embedder: other }))).toEqual(["added: learned from 3 successful runs, 4 steps"]);
    expect(
      on.stores.vectors.vectorsOf({ ...on.embedder.key, prefixes: "clustering:" }, "episode", on.stores.trace.episodesChangedAfter(0, 1)[0]?.episode.id ?? ""),
    ).toEqual([]);
  });

  it("vectors of goals are kept apart from those of phrasings", async () => {
    const on = bills();
    await billRun(on, "March");
    await on.learn();
    expect(on.stores.vectors.search(on.embedder.key, "episode", Float32Array.from(wordVector("bill")), 5)).toEqual([]);
    expect(on.stores.vectors.otherKeys(on.embedder.key, "phrasing")).toEqual([]);
  });
});

describe("IND-11: passes over the same episodes", () => {
  /** Three kinds of tasks on two ways of one site, some of which failed. */
  const tasks: readonly ((on: Stage) => Promise<unknown>)[] = [
    ...["December", "November", "October"].map((month) => (on: Stage) => billRun(on, month)),
    (on) => billRun(on, "September", { outcome: "failure" }),
    ...["Show my messages", "Are there messages for me?"].map((goal) => (on: Stage) => messagesRun(on, `${goal} ${portal}`)),
  ];

  it("come to the same clusters in whatever order the episodes came, and however they were spread over passes", async () => {
    const all = bills();
    for (const task of tasks) await task(all);
    await all.learn({ apply: false, model: all.model }).catch(() => undefined);
    const wanted = clustersOf(all);
    expect(wanted).toHaveLength(2);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...tasks], { minLength: tasks.length }),
        fc.array(fc.boolean(), { minLength: tasks.length, maxLength: tasks.length }),
        async (order, isPassAfter) => {
          const on = bills();
          for (const [index, task] of order.entries()) {
            await task(on);
            // A dry run reads and clusters; it only does not learn.
            if (isPassAfter[index]) await on.learn({ apply: false, model: on.model });
          }
          await on.learn({ apply: false, model: on.model });
          expect(clustersOf(on)).toEqual(wanted);
        },
      ),
      { numRuns: 8 },
    );
  });

  it("come to the same skill, by the same hash, in one pass or in many", async () => {
    const hashes = new Set<string>();
    for (const everyOne of [false, true]) {
      const on = bills();
      for (const month of ["December", "August", "April"]) {
        await billRun(on, month);
        if (everyOne && month !== "April") await on.learn();
      }
      on.model.say(wording);
      await on.learn();
      const [skill] = on.stores.skills.list();
      hashes.add(on.stores.skills.revision(skill?.id ?? "", 1)?.contentHash ?? "none");
    }
    expect(hashes.size).toBe(1);
    expect(hashes).not.toContain("none");
  });
});

describe("what the budget leaves", () => {
  const permit = (registration: string, day: string, zone: string) => (on: Stage) =>
    on.episode(
      `Request a visitor permit for ${registration} on ${day} in ${zone} at https://council.example`,
      [
        opens("https://council.example"),
        presses("link Visitor permit"),
        fills("textbox Registration", registration),
        fills("textbox Day", day),
        chooses("combobox Zone", zone),
        presses("button Request permit"),
        says("Requested."),
      ],
      "success",
    );

  it("is taken up by the next pass, before what came later", async () => {
    const on = stage(permitSite());
    for (const [registration, day, zone] of [
      ["AB12 CDE", "3 March 2027", "North"],
      ["XY34 ZZZ", "4 April 2027", "South"],
      ["MN56 OPQ", "5 May 2027", "North"],
    ] as const)
      await permit(registration, day, zone)(on);
    const stopped = { ...on.model, generate: () => Promise.reject(new Error("the model died")) };
    expect((await on.learn({ model: stopped })).note).toContain("The pass stopped");
    on.model.say("name: request-permit\nwhen: Use this to request a visitor permit\n");
    expect(reasons(await on.learn()).map((reason) => reason.split(":")[0])).toEqual(["added"]);
  });

  it("a routine the model skipped is not put to it again until a new run comes", async () => {
    const on = bills();
    for (const month of ["March", "April", "May"]) await billRun(on, month);
    on.model.say("SKIP");
    await on.learn();
    expect(reasons(await on.learn())).toEqual([]);
    await billRun(on, "June");
    on.model.say(wording);
    expect(reasons(await on.learn())).toEqual(["added: learned from 4 successful runs, 4 steps"]);
  });

  it("a routine that lacked a grant is learned once it is granted, without a new run", async () => {
    const on = bills();
    for (const month of ["March", "April", "May"]) await billRun(on, month);
    const [grant] = on.stores.grants.list().filter(({ kind }) => kind === "destination");
    if (!grant) throw new Error("there is no grant");
    on.stores.grants.remove(grant.id);
    expect(reasons(await on.learn())[0]).toContain("is not granted");
    on.stores.grants.add(grant);
    on.model.say(wording);
    expect(reasons(await on.learn())).toEqual(["added: learned from 3 successful runs, 4 steps"]);
  });
});

describe("a group", () => {
  const member = (id: string): FoundCluster => ({ members: [[id, "success"]], goal: id, state: "short", reason: "only 1 episode" });
  it("of failures on the site of a routine counts against it, wherever they went astray there", async () => {
    const on = bills();
    for (const month of ["December", "November", "October"]) await billRun(on, month);
    await on.episode(
      billGoal("September"),
      [opens(portal), presses("link Messages"), presses("link Home"), presses("link Messages"), says("Done.")],
      "failure",
    );
    await on.episode(billGoal("August"), [opens(portal), presses("link Help"), presses("link Home"), presses("link Help"), says("Done.")], "failure");
    expect(reasons(await on.learn())).toEqual(["skipped: only 3 of 5 went well"]);
  });
  it("keeps what was decided of a cluster that has the same members still", () => {
    const on = bills();
    const way = { site: portal, effect: "click", shapes: ["open"] };
    on.stores.clusters.place({ episodeId: "a", outcome: "success", createdAt: 1, way, controls: [], leftOut: null }, []);
    const [group = 0] = on.stores.clusters.touched();
    on.stores.clusters.keepClusters(group, [member("a"), member("b")]);
    const [a] = on.stores.clusters.open();
    on.stores.clusters.decide(a?.id ?? 0, { state: "settled", decision: "skipped", reason: "no", skillId: null, skillName: null, stamp: null });
    on.stores.clusters.keepClusters(group, [member("a"), member("c")]);
    expect(on.stores.clusters.open().map(({ goal, reason }) => `${goal}: ${reason}`)).toEqual(["a: no", "c: only 1 episode"]);
  });
});
