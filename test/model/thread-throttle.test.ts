import { describe, expect, it } from "vitest";
import { makeThreadThrottle, type ProcessorMeter } from "../../src-main/adapters/llama/thread-throttle.ts";

/** A processor whose share for us can be set; each piece of evaluation takes 200 ms. */
function machine(threads: number, waiting = 0) {
  let wall = 0;
  let used = 0;
  const cap = { maxThreads: -1 };
  const meter: ProcessorMeter = { read: () => ({ wall, used }), waiting: () => waiting };
  const throttle = makeThreadThrottle(cap, threads, meter);
  return {
    cap,
    throttle,
    async evaluate(pieces: number, share: (threads: number) => number) {
      const seen: number[] = [];
      for (let piece = 0; piece < pieces; piece += 1) {
        seen.push(throttle.current());
        await throttle.measure(async () => {
          wall += 200;
          used += 200 * throttle.current() * share(throttle.current());
        });
      }
      return seen;
    },
  };
}

describe("threads of the engine", () => {
  it("are never taken away while the machine is its own", async () => {
    const { cap, evaluate } = machine(4);
    expect(new Set(await evaluate(50, () => 0.98))).toEqual(new Set([4]));
    expect(cap.maxThreads).toBe(0);
  });

  it("become one when others hold the processor", async () => {
    const { cap, evaluate } = machine(2);
    expect(await evaluate(3, () => 0.2)).toEqual([2, 1, 1]);
    expect(cap.maxThreads).toBe(1);
  });

  it("come back when the others are done", async () => {
    const { evaluate, throttle } = machine(4);
    await evaluate(5, () => 0.3);
    expect(throttle.current()).toBe(1);
    await evaluate(40, () => 1);
    expect(throttle.current()).toBe(4);
  });

  it("are tried again ever more rarely while it stays crowded", async () => {
    const { evaluate } = machine(2);
    const seen = await evaluate(300, (threads) => (threads === 1 ? 1 : 0.5));
    expect(seen.slice(-150).filter((threads) => threads === 2).length).toBeLessThan(5);
  });

  it("are all there while a context is made, which keeps what it was made with", async () => {
    const { cap, throttle } = machine(2, 9);
    expect(cap.maxThreads).toBe(1);
    let within = -1;
    await expect(
      throttle.uncapped(async () => {
        within = cap.maxThreads;
        throw new Error("no memory");
      }),
    ).rejects.toThrow("no memory");
    expect([within, cap.maxThreads]).toEqual([0, 1]);
  });

  it("start as one on a machine that has far more to do than processors", () => {
    expect(machine(2, 9).throttle.current()).toBe(1);
    expect(machine(2, 2).throttle.current()).toBe(2);
  });
});
