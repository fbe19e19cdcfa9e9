import { describe, expect, it } from "vitest";
import type { Recall } from "#contract/skills/schema.ts";
import type { Stores } from "#core/ports/stores.ts";
import { conversation, episode, message, step, turn } from "./fixtures/records.ts";
import { codeThrown, fileStores, memoryStores, storePlaces } from "./fixtures/stores.ts";

function traced(): Stores {
  const stores = memoryStores();
  stores.conversations.create(conversation("c"));
  return stores;
}

const recall: Recall = {
  verdict: "below-threshold",
  goal: "Download the June bill",
  skillId: null,
  skillName: null,
  revision: null,
  score: 0.41,
  certainty: 0.485,
  useThreshold: 0.82,
  suggestThreshold: 0.7,
  runnerUp: null,
  blockedBy: null,
  candidates: [
    {
      name: "download-bill",
      score: 0.41,
      similarity: 0.37,
      phrasing: "get my bill",
      vectorRank: 1,
      lexicalRank: null,
      fused: 1 / 61,
      eliminated: null,
      eliminatedBy: null,
      conditions: [{ kind: "anti-precondition", text: "the bill is paid", probability: null, holds: null }],
    },
  ],
  embedder: "minilm",
  embedderKey: "scripted::96:",
  calibrated: false,
  why: "below the threshold",
};

describe("turns and steps", () => {
  it("come back as they were stored and changed", () => {
    const { trace } = traced();
    trace.addTurn(turn("t", "c"));
    const ended = turn("t", "c", { status: "done", skillId: "skill-1", revision: 2, recall, endedAt: 2000, tokens: { evaluated: 4, reused: 5, generated: 6 } });
    trace.updateTurn(ended);
    expect(trace.turn("t")).toEqual(ended);

    trace.addStep(step("s", "t", { status: "running", durationMs: null }));
    const finished = step("s", "t", { status: "error", text: "No such button", details: { nested: [1, { a: null }] }, durationMs: 0.25 });
    trace.updateStep(finished);
    expect(trace.stepsOfTurn("t")).toEqual([finished]);
  });

  it("come back in order, steps by index within a turn and as recorded within an episode", () => {
    const { trace } = traced();
    trace.addTurn(turn("late", "c", { startedAt: 2 }));
    trace.addTurn(turn("early", "c", { startedAt: 1 }));
    expect(trace.turns("c").map(({ id }) => id)).toEqual(["early", "late"]);
    trace.addStep(step("z", "early", { index: 1 }));
    trace.addStep(step("y", "early", { index: 0 }));
    trace.addStep(step("a", "late", { index: 0 }));
    trace.addStep(step("other", "late", { index: 1, episodeId: "episode-2" }));
    expect(trace.stepsOfTurn("early").map(({ id }) => id)).toEqual(["y", "z"]);
    expect(trace.stepsOfEpisode("episode-1").map(({ id }) => id)).toEqual(["z", "y", "a"]);
  });

  it("say so when what is changed is gone", () => {
    const { trace } = traced();
    expect(codeThrown(() => trace.updateTurn(turn("none", "c")))).toBe("store.missing");
    expect(codeThrown(() => trace.updateStep(step("none", "t")))).toBe("store.missing");
    expect(codeThrown(() => trace.updateEpisode(episode("none", "c")))).toBe("store.missing");
    expect(codeThrown(() => trace.judge("none", "success", "because", 1))).toBe("store.missing");
  });
});

describe("episodes", () => {
  it("come back as they were stored and changed", () => {
    const { trace } = traced();
    trace.addEpisode(episode("e", "c"));
    expect(trace.episode("e")).toEqual(episode("e", "c"));
    const closed = episode("e", "c", { open: false, outcome: "claimed_success", reason: "the model said so", closedAt: 5 });
    trace.updateEpisode(closed);
    expect(trace.episode("e")).toEqual(closed);
  });

  it("name the newest open one of a conversation", () => {
    const { trace } = traced();
    expect(trace.openEpisode("c")).toBeUndefined();
    trace.addEpisode(episode("first", "c", { createdAt: 1 }));
    trace.addEpisode(episode("second", "c", { createdAt: 2 }));
    trace.addEpisode(episode("closed", "c", { createdAt: 3, open: false }));
    expect(trace.openEpisode("c")?.id).toBe("second");
  });

  it("are over once judged, and keep the hour they were closed at", () => {
    const { trace } = traced();
    trace.addEpisode(episode("open", "c"));
    trace.addEpisode(episode("closed", "c", { open: false, outcome: "claimed_success", closedAt: 1500 }));
    trace.judge("open", "success", "confirmed by the user", 2000);
    trace.judge("closed", "failure", "the user said it was wrong", 2000);
    expect(trace.episode("open")).toMatchObject({ open: false, outcome: "success", reason: "confirmed by the user", closedAt: 2000 });
    expect(trace.episode("closed")).toMatchObject({ outcome: "failure", closedAt: 1500 });
  });

  it("are read by learning in the order they last changed, each once", () => {
    const { trace } = traced();
    for (const id of ["a", "b", "c"]) trace.addEpisode(episode(id, "c"));
    trace.judge("a", "success", "confirmed by the user", 2000);
    const all = trace.episodesChangedAfter(0, 10);
    expect(all.map(({ episode: { id, outcome } }) => `${id} ${outcome}`)).toEqual(["b null", "c null", "a success"]);
    expect(trace.episodesChangedAfter(all[0]?.change ?? 0, 1).map((one) => one.episode.id)).toEqual(["c"]);
    trace.judge("b", "failure", "the user said it was wrong", 1);
    expect(trace.episodesChangedAfter(all.at(-1)?.change ?? 0, 10).map((one) => one.episode.id)).toEqual(["b"]);
  });

  it("that changed after an erasure are not taken for what was read", () => {
    const { trace, conversations } = traced();
    conversations.create(conversation("d"));
    trace.addEpisode(episode("erased", "d"));
    const read = trace.episodesChangedAfter(0, 10).at(-1)?.change ?? 0;
    conversations.delete("d");
    trace.addEpisode(episode("new", "c"));
    expect(trace.episodesChangedAfter(read, 10).map((one) => one.episode.id)).toEqual(["new"]);
  });
});

describe("after a crash", () => {
  it("what was running is interrupted, counted, and nothing else is touched", () => {
    const { trace, conversations } = traced();
    trace.addTurn(turn("running", "c"));
    trace.addTurn(turn("done", "c", { status: "done", endedAt: 7 }));
    trace.addStep(step("running step", "running", { status: "running" }));
    trace.addStep(step("ok step", "running"));
    conversations.addMessage(message("cut", "c", { text: "Here is half an ans", status: "streaming" }));
    conversations.addMessage(message("whole", "c"));

    expect(trace.markInterrupted(9000, () => false)).toEqual({ turns: 1, messages: 1, steps: 1 });
    expect(trace.turn("running")).toMatchObject({ status: "interrupted", endedAt: 9000 });
    expect(trace.turn("done")).toMatchObject({ status: "done", endedAt: 7 });
    expect(trace.stepsOfTurn("running").map(({ id, status }) => [id, status])).toEqual([
      ["running step", "interrupted"],
      ["ok step", "ok"],
    ]);
    expect(conversations.message("cut")).toMatchObject({ text: "Here is half an ans", status: "interrupted" });
    expect(conversations.message("whole")?.status).toBe("complete");
    expect(conversations.search("half", 5).map(({ id }) => id)).toEqual(["cut"]);
    expect(trace.markInterrupted(9001, () => false)).toEqual({ turns: 0, messages: 0, steps: 0 });
  });

  it("what another living process runs is left alone", () => {
    const places = storePlaces();
    const stores = fileStores(places, { host: "living" });
    stores.conversations.create(conversation("c"));
    for (const [host, { trace, conversations }] of Object.entries({ living: stores, dead: fileStores(places, { host: "dead" }) })) {
      trace.addTurn(turn(host, "c", { episodeId: `episode of ${host}` }));
      trace.addEpisode(episode(`episode of ${host}`, "c"));
      trace.addStep(step(`step of ${host}`, host, { status: "running" }));
      conversations.addMessage(message(`answer of ${host}`, "c", { turnId: host, status: "streaming" }));
    }

    expect(fileStores(places).trace.markInterrupted(9000, (host) => host === "living")).toEqual({ turns: 1, messages: 1, steps: 1 });
    expect(stores.trace.turns("c").map(({ id, status }) => [id, status])).toEqual([
      ["living", "running"],
      ["dead", "interrupted"],
    ]);
    expect(stores.trace.episode("episode of living")).toMatchObject({ open: true, outcome: null });
    expect(stores.trace.episode("episode of dead")).toMatchObject({ open: false, outcome: "abandoned" });
    expect(stores.trace.stepsOfTurn("living")[0]?.status).toBe("running");
    expect(stores.conversations.message("answer of living")?.status).toBe("streaming");
  });
});
