import { battery, type Systeminformation } from "systeminformation";
import type { Power, PowerState } from "#core/ports/power.ts";

export type BatteryFacts = Pick<Systeminformation.BatteryData, "hasBattery" | "acConnected" | "isCharging" | "percent">;

const mains: PowerState = { onBattery: false, level: null };

/** The power of this machine, as its operating system tells it. */
export function machinePower(read: () => Promise<BatteryFacts> = battery): Power {
  return { read: () => read().then(powerOf, () => mains) };
}

/** A machine without a battery, or with one that is being charged, is on mains whatever else is said. */
export function powerOf({ hasBattery, acConnected, isCharging, percent }: BatteryFacts): PowerState {
  if (!hasBattery) return mains;
  const level = Number.isFinite(percent) && percent > 0 && percent <= 100 ? percent / 100 : null;
  return { onBattery: !acConnected && !isCharging, level };
}
