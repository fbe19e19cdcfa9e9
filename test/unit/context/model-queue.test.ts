import { describe, expect, it } from "vitest";
import { makeModelQueue, type Seat } from "#app/model-queue.ts";

const never = new AbortController().signal;
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function row(): { seat(name: string): Seat; readonly said: string[] } {
  const queue = makeModelQueue<string>();
  const said: string[] = [];
  return { said, seat: (name) => queue.seat(name, ({ ahead, behind }) => said.push(`${name}: ${ahead} behind ${behind ?? "nobody"}`)) };
}

describe("turns at the model", () => {
  it("go one after the other, in the order in which they needed it, and each is told whom it waits for", async () => {
    const { seat, said } = row();
    const [a, b, c] = ["a", "b", "c"].map(seat) as [Seat, Seat, Seat];
    await a.take(never);
    const order: string[] = [];
    const waiting = [b.take(never).then(() => order.push("b")), c.take(never).then(() => order.push("c"))];
    await soon();
    expect([order, said]).toEqual([[], ["b: 1 behind a", "c: 2 behind a"]]);
    a.leave();
    await soon();
    expect([order, said.slice(2)]).toEqual([["b"], ["c: 1 behind b", "b: 0 behind nobody"]]);
    b.leave();
    await Promise.all(waiting);
    expect(order).toEqual(["b", "c"]);
  });

  it("keep their place until they leave, however often they ask", async () => {
    const { seat, said } = row();
    const a = seat("a");
    await a.take(never);
    await a.take(never);
    a.leave();
    a.leave();
    await seat("b").take(never);
    expect(said).toEqual([]);
  });

  it("leave the row when they are stopped, and the next one moves up", async () => {
    const { seat, said } = row();
    const [a, b, c] = ["a", "b", "c"].map(seat) as [Seat, Seat, Seat];
    await a.take(never);
    const control = new AbortController();
    const stopped = b.take(control.signal);
    const last = c.take(never);
    control.abort(new DOMException("stopped", "AbortError"));
    await expect(stopped).rejects.toThrow("stopped");
    expect(said.at(-1)).toBe("c: 1 behind a");
    a.leave();
    await last;
    // One that had been stopped may come again.
    const again = b.take(never);
    c.leave();
    await again;
  });

  it("that are stopped before they ask take no place", async () => {
    const { seat, said } = row();
    const control = new AbortController();
    control.abort(new Error("stopped"));
    await expect(seat("a").take(control.signal)).rejects.toThrow("stopped");
    await seat("b").take(never);
    expect(said).toEqual([]);
  });
});
