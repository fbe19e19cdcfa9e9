import { expect, it } from "vitest";
import { type BatteryFacts, machinePower, powerOf } from "#adapters/power/index.ts";

const facts = (change: Partial<BatteryFacts> = {}): BatteryFacts => ({ hasBattery: true, acConnected: false, isCharging: false, percent: 64, ...change });

it.each<[string, BatteryFacts, { onBattery: boolean; level: number | null }]>([
  ["on battery", facts(), { onBattery: true, level: 0.64 }],
  ["plugged in", facts({ acConnected: true }), { onBattery: false, level: 0.64 }],
  ["charging, whatever is said of the plug", facts({ isCharging: true }), { onBattery: false, level: 0.64 }],
  ["without a battery", facts({ hasBattery: false }), { onBattery: false, level: null }],
  ["with a level nobody knows", facts({ percent: 0 }), { onBattery: true, level: null }],
  ["with a level that is none", facts({ percent: Number.NaN }), { onBattery: true, level: null }],
])("a machine %s is read so", (_what, read, wanted) => expect(powerOf(read)).toEqual(wanted));

it("a machine that does not say is on mains", async () => {
  expect(await machinePower(() => Promise.reject(new Error("no such command"))).read()).toEqual({ onBattery: false, level: null });
});

it("this machine says something", async () => expect(typeof (await machinePower().read()).onBattery).toBe("boolean"));
