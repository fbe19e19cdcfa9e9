import { describe, expect, it } from "vitest";
import type { FetchEvent } from "#contract/models/schema.ts";
import { formatBytes } from "#renderer/format/bytes.ts";
import { formatArguments } from "#renderer/format/call.ts";
import { formatDuration } from "#renderer/format/duration.ts";
import { formatMoment } from "#renderer/format/moment.ts";
import { createModelsStore, speedOf } from "#renderer/store/models-store.ts";
import { createPageStore } from "#renderer/store/page-store.ts";
import { parseRoute, routeHash } from "#renderer/store/route.ts";
import { createTeachStore } from "#renderer/store/teach-store.ts";
import * as sample from "./sample.ts";
import { script, scriptedClient } from "./scripted-client.ts";

describe("routes", () => {
  it("come back from their own hash, and anything else is the chat", () => {
    expect(parseRoute(routeHash("skills", "a/b c"))).toEqual({ view: "skills", item: "a/b c", part: null });
    expect(parseRoute(routeHash("skills", "a/b c", "q/1"))).toEqual({ view: "skills", item: "a/b c", part: "q/1" });
    expect(parseRoute("#/%E0%A4%A")).toEqual({ view: "chat", item: null, part: null });
    expect(parseRoute("#/skills/%E0%A4%A")).toEqual({ view: "skills", item: null, part: null });
    expect(parseRoute("#/nowhere")).toEqual({ view: "chat", item: null, part: null });
  });
});

describe("numbers with units", () => {
  it("read as people write them", () => {
    expect([0, 999, 1500, 84_106_624, 999_950_000, 1_117_320_768].map(formatBytes)).toEqual(["0 B", "999 B", "1.5 kB", "84.1 MB", "1.0 GB", "1.1 GB"]);
    expect([320, 4200, 59_990, 125_000, 3_780_000].map(formatDuration)).toEqual(["320 ms", "4.2 s", "1 min", "2 min 5 s", "1 h 3 min"]);
    expect([30, 90, 7200, 90_000].map((seconds) => formatMoment(sample.NOW - seconds * 1000, sample.NOW))).toEqual([
      "just now",
      "1 minute ago",
      "2 hours ago",
      "yesterday",
    ]);
  });

  it("name a target by role and name, with or without a wrapper", () => {
    expect(formatArguments({ target: { role: "link", name: "Billing" } })).toBe("link “Billing”");
    expect(formatArguments({ role: "textbox", name: "Day", value: "Monday" })).toBe("textbox “Day”, value: “Monday”");
    expect(formatArguments({ url: "https://portal.example" })).toBe("“https://portal.example”");
  });
});

describe("a download", () => {
  const event = (bytes: number, phase: FetchEvent["phase"] = "downloading"): FetchEvent => ({ model: "m", phase, source: "hub", bytes, of: 1000, message: "" });

  it("measures its speed over the last seconds, and never makes one up", () => {
    expect(speedOf([{ at: 0, bytes: 0 }])).toBeNull();
    expect(
      speedOf([
        { at: 0, bytes: 500 },
        { at: 1000, bytes: 100 },
      ]),
    ).toBeNull();
    expect(
      speedOf([
        { at: 0, bytes: 0 },
        { at: 2000, bytes: 1000 },
      ]),
    ).toBe(500);
  });

  it("keeps what went wrong and can be stopped without being an error", async () => {
    const events = script<FetchEvent>();
    const { client } = scriptedClient({
      models: {
        fetch: (_input: never, options?: { signal?: AbortSignal }) => {
          options?.signal?.addEventListener("abort", () => events.fail(new DOMException("stopped", "AbortError")));
          return events.events;
        },
      },
    });
    const store = createModelsStore(client, createPageStore(window));
    const done = store.getState().fetch("m");
    events.push(event(400));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(store.getState().downloads["m"]?.event?.bytes).toBe(400);
    store.getState().stop("m");
    await done;
    expect(store.getState().downloads["m"]).toMatchObject({ isStopped: true, problem: null });
  });
});

describe("a showing", () => {
  it("goes from recording to draft to skill, and sends another name only when there is one", async () => {
    const events = script<unknown>();
    const { client, calls } = scriptedClient({ learning: { startShowing: () => events.events } });
    const store = createTeachStore(client);
    const recording = store.getState().start("Download the April 2026 invoice", "https://portal.example");
    events.push({ type: "showing-started", showing: sample.showing });
    for (const action of sample.shownActions) events.push({ type: "action-shown", action });
    events.end();
    await recording;
    expect(store.getState().phase).toMatchObject({ at: "recording", isEnded: true, actions: sample.shownActions });
    await store.getState().finish();
    expect(store.getState().phase).toMatchObject({ at: "draft", draft: sample.draft });
    await store.getState().confirm("portal-invoice");
    expect(store.getState().phase).toEqual({ at: "kept", name: "portal-invoice", isNew: true });
    expect(calls.find(({ path }) => path === "learning.confirmShowing")?.input).toEqual({ id: "w1" });
  });

  it("of a skill that is shown again becomes a revision of that skill", async () => {
    const { client, calls } = scriptedClient();
    const store = createTeachStore(client, "parcel-status");
    store.getState().resume(sample.showing);
    await store.getState().finish();
    await store.getState().confirm("portal-invoice");
    expect(calls.find(({ path }) => path === "learning.confirmShowing")?.input).toEqual({ id: "w1", skill: "parcel-status" });
  });
});
