import { describe, expect, it } from "vitest";
import { scriptedEmbedder, scriptedModel } from "#adapters/scripted/index.ts";
import { eraseConversation } from "#app/erase-conversation.ts";
import { eraseSkill } from "#app/erase-skill.ts";
import { learn } from "#app/learn.ts";
import { learnFrom } from "#app/learn-from.ts";
import { createSkill, reviseSkill, setStatus, skillNamed } from "#app/skills.ts";
import type { Episode } from "#contract/chat/schema.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { Embedder, LanguageModel } from "#core/ports/index.ts";
import { indexSkill } from "#core/recall/index.ts";
import { billGoal, billRun, wording } from "../../fixtures/makers/bill-runs.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const reasons = (report: PassReport): string[] => report.entries.map((entry) => `${entry.decision}: ${entry.reason}`);
const skills = (on: Stage): string[] => on.stores.skills.list({ all: true }).map((skill) => `${skill.name} ${skill.status} ${skill.activeRevision}`);
const erase = (on: Stage, { conversationId }: Episode) => eraseConversation({ ...on.skillWorld, log: on.world.log }, conversationId, signal);

async function bills(months: readonly string[] = ["March", "April", "May"]): Promise<{ on: Stage; runs: Episode[] }> {
  const on = stage(billsSite());
  const runs = [];
  for (const month of months) runs.push(await billRun(on, month));
  return { on, runs };
}

/** A model that answers once something else has happened. */
function modelAfter(happens: () => unknown): LanguageModel {
  const model = scriptedModel();
  model.say(wording);
  return {
    ...model,
    async generate(request, inner) {
      await happens();
      return model.generate(request, inner);
    },
  };
}

/** The stage's embedder, which something happens beside once it is asked for texts of that kind. */
function embedderAfter(on: Stage, kind: string, happens: () => unknown, isTime: () => boolean = () => true): Embedder {
  let isDone = false;
  return {
    ...on.embedder,
    key: on.embedder.key,
    id: on.embedder.id,
    async embed(texts, of, inner) {
      const vectors = await on.embedder.embed(texts, of, inner);
      if (of === kind && !isDone && isTime()) {
        isDone = true;
        await happens();
      }
      return vectors;
    },
  };
}

/** A pass beside which something happens at the n-th time that it wants the embedder once a routine is worded. */
function passWith(on: Stage, time: number, happens: () => unknown): Promise<PassReport> {
  let isWorded = false;
  let wanted = 0;
  const model = modelAfter(() => void (isWorded = true));
  const embedder = async (): Promise<Embedder> => {
    if (isWorded && ++wanted === time) await happens();
    return on.embedder;
  };
  return learn({ ...on.skillWorld, embedder, model: async () => model, log: on.world.log }, true, signal);
}

describe("what happens while a pass waits for the model", () => {
  it("UNT-06: a run that is erased is no evidence of the skill, and no word of it comes back", async () => {
    const { on, runs } = await bills(["March", "April", "May", "June"]);
    const [march] = runs as [Episode];
    const report = await on.learn({ model: modelAfter(() => erase(on, march)) });
    expect(JSON.stringify([report, on.stores.skills.list({ all: true }).map(({ id }) => on.stores.skills.revisions(id))])).not.toContain("March");
    expect(skills(on)).toEqual([]);
    on.model.say(wording);
    expect(reasons(await on.learn())).toEqual(["added: learned from 3 successful runs, 4 steps"]);
    const [learned] = on.stores.skills.list();
    expect(on.stores.skills.revision(learned?.id ?? "", 1)?.evidence).not.toContain(march.id);
  });

  it("IND-14: a run that is judged wrong is no evidence either", async () => {
    const { on, runs } = await bills();
    const [march] = runs as [Episode];
    await on.learn({ model: modelAfter(() => on.stores.trace.judge(march.id, "failure", "Kim said it was wrong", on.world.clock())) });
    expect(skills(on)).toEqual([]);
    expect(reasons(await on.learn())).toEqual(["skipped: only 2 of 3 went well"]);
  });

  it("IND-15: a second process that learns the same at once makes no second skill, whenever it comes in between", async () => {
    for (let time = 1; time <= 4; time++) {
      const { on } = await bills();
      await passWith(on, time, async () => {
        on.model.say(wording);
        await on.learn();
      });
      expect([time, skills(on)]).toEqual([time, ["download-bill provisional 1"]]);
    }
  });

  it("IND-12: a skill that a person switches off or edits while its next revision is worked out stays as they left it", async () => {
    const ways: readonly (readonly [left: string, act: (on: Stage) => unknown])[] = [
      ["download-bill disabled 1 agent:synthesis", (on) => setStatus(on.skillWorld, "download-bill", "disabled", "human:Kim", "no")],
      [
        "download-bill provisional 2 human:Kim",
        (on) => {
          const skill = skillNamed(on.skillWorld, "download-bill");
          return reviseSkill(on.skillWorld, skill, { content: procedure("Mine now"), author: "human:Kim", evidence: [], reason: "mine" }, signal);
        },
      ],
    ];
    for (const [left, act] of ways) {
      const { on } = await bills(["December", "November", "October"]);
      on.model.say(wording);
      await on.learn();
      // With paging, which makes the next revision of it.
      for (const month of ["August", "April"]) await billRun(on, month);
      let isWorded = false;
      const comparing = embedderAfter(
        on,
        "clustering",
        () => act(on),
        () => isWorded,
      );
      await on.learn({ model: modelAfter(() => void (isWorded = true)), embedder: comparing });
      const [skill] = on.stores.skills.list({ all: true });
      const author = on.stores.skills.revision(skill?.id ?? "", skill?.activeRevision ?? 0)?.author;
      expect(`${skill?.name} ${skill?.status} ${skill?.activeRevision} ${author}`).toBe(left);
    }
  });
});

describe("what happens while episodes are compared", () => {
  it("UNT-06: an erased one is in no cluster, though its group was read before", async () => {
    const { on, runs } = await bills(["March", "April"]);
    const [march] = runs as [Episode];
    let isErased = false;
    let isComparing = false;
    await learn(
      {
        ...on.skillWorld,
        model: async () => on.model,
        log: on.world.log,
        pause: async () => {
          if (isErased || !isComparing) return;
          isErased = true;
          await erase(on, march);
        },
      },
      true,
      signal,
      { onStage: (name) => void (isComparing = name.includes("comparing")) },
    );
    expect(isErased).toBe(true);
    expect(JSON.stringify(on.stores.clusters.open())).not.toContain("March");
    expect(on.stores.clusters.open().flatMap(({ episodes }) => episodes)).not.toContain(march.id);
  });
});

describe("what happens while words are embedded", () => {
  it("UNT-06: of a skill that is erased meanwhile no text and no vector is kept", async () => {
    const { on } = await bills([]);
    const skill = await on.addSkill("show-bills", procedure("Show the zyxqwvk bills"));
    const embedder = embedderAfter(on, "document", () => eraseSkill(on.skillWorld, skillNamed(on.skillWorld, "show-bills")));
    const { skills: store, vectors } = on.stores;
    await indexSkill(skill.id, { skills: store, vectors, embedder, now: on.world.clock() }, signal);
    expect([vectors.searchText("phrasing", "zyxqwvk", 5), vectors.unknown("phrasing", [skill.id])]).toEqual([[], [skill.id]]);
  });

  it("what changed meanwhile is found by its new words", async () => {
    const { on } = await bills([]);
    const skill = await on.addSkill("show-bills", procedure("Show bills"));
    const embedder = embedderAfter(on, "document", () => {
      on.stores.skills.addPhrasing(skill.id, "List my invoices", false, on.world.clock());
      on.stores.skills.addPhrasing(skill.id, "Pay an invoice", true, on.world.clock());
    });
    const { skills: store, vectors } = on.stores;
    await indexSkill(skill.id, { skills: store, vectors, embedder, now: on.world.clock() }, signal);
    const texts = (kind: "phrasing" | "counter"): string[] => vectors.vectorsOf(embedder.key, kind, skill.id).map(({ text }) => text);
    expect([texts("phrasing"), texts("counter")]).toEqual([["Show bills", "List my invoices"], ["Pay an invoice"]]);
  });

  it("UNT-06: a conversation that is erased while it is made a draft of leaves no draft", async () => {
    const { on, runs } = await bills(["March"]);
    const [march] = runs as [Episode];
    await on.addSkill("download-bill", { ...procedure(billGoal("April")) });
    const world = {
      ...on.skillWorld,
      embedder: async () => {
        if (on.stores.trace.episode(march.id)) await erase(on, march);
        return on.embedder;
      },
      judge: () => march,
    };
    await expect(learnFrom(world, march.conversationId, false, signal)).rejects.toThrow("erased meanwhile");
    expect(JSON.stringify(on.stores.learning.showings())).toBe("[]");
  });

  it("a skill whose embedder fails after somebody erased it tells why it failed", async () => {
    const { on } = await bills([]);
    const failing = {
      ...on.skillWorld,
      embedder: async () => {
        const made = on.stores.skills.byName("show-bills");
        if (made) eraseSkill(on.skillWorld, made);
        throw new Error("the embedder fell over");
      },
    };
    const made = { name: "show-bills", content: procedure("Show bills"), author: "human:Kim", evidence: [], reason: "x" };
    await expect(createSkill(failing, made, signal)).rejects.toThrow("fell over");
  });
});

describe("two passes with different embedders", () => {
  it("REC-10: the one that began first stops, and the other passes over no episode", async () => {
    const { on } = await bills();
    const other = scriptedEmbedder(undefined, { key: { modelHash: "other" } });
    const first = on.learn({ embedder: embedderAfter(on, "clustering", () => on.learn({ embedder: other, apply: false }).then(() => billRun(on, "June"))) });
    await expect(first).rejects.toThrow("Another embedding model");
    on.model.say(wording);
    expect(reasons(await on.learn({ embedder: other }))).toEqual(["added: learned from 4 successful runs, 4 steps"]);
  });
});

describe("the log of a pass", () => {
  it("UNT-03: names episodes and no goal", async () => {
    const { on } = await bills();
    on.model.say("March bills are fun");
    await on.learn();
    expect(on.log.entries.map(({ event }) => event)).toEqual(["cluster-skipped"]);
    expect(JSON.stringify(on.log.entries)).not.toMatch(/March|bill/u);
  });
});
