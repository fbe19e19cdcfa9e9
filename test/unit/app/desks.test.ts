import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Desks, makeDesks } from "#app/desks.ts";
import type { BrowserSession } from "#core/ports/index.ts";
import { freshDesk } from "#core/turn/index.ts";

let open: Set<string>;
let desks: Desks;

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  open = new Set();
  desks = makeDesks((conversationId) => freshDesk(conversationId, "m"));
});

/** A turn that used a browser. */
function turnIn(conversationId: string): void {
  const desk = desks.take(conversationId);
  if (!desk.session) {
    open.add(conversationId);
    const session: Partial<BrowserSession> = { close: async () => void open.delete(conversationId) };
    desk.session = session as BrowserSession;
  }
  desks.rest(conversationId);
}

describe("the browsers of conversations", () => {
  it("no more than two are kept, and the one that rested longest goes first", () => {
    for (const id of ["a", "b", "c", "b", "d"]) turnIn(id);
    expect([...open]).toEqual(["b", "d"]);
  });

  it("one that nobody comes back to is closed after some minutes; a message in between keeps it", async () => {
    turnIn("a");
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    turnIn("a");
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect([...open]).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([...open]).toEqual([]);
    expect(desks.take("a")).toMatchObject({ session: null, page: null });
  });

  it("one that is at work is never closed", async () => {
    turnIn("a");
    desks.take("a");
    for (const id of ["b", "c", "d"]) turnIn(id);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect([...open]).toEqual(["a"]);
  });

  it("all are closed with the agent, and one with its conversation", async () => {
    for (const id of ["a", "b"]) turnIn(id);
    await desks.drop("a");
    expect([...open]).toEqual(["b"]);
    desks.take("b");
    await desks.close();
    expect([...open]).toEqual([]);
  });
});
