import type { Settings } from "#contract/settings/schema.ts";
import type { PowerState } from "#core/ports/index.ts";

/** How full a battery must be where the user lets passes run on it. */
const leastLevel = 0.3;

/** Why a pass in the background does not run just now; null where it may. A pass that a person asks for runs in any case. */
export function whyNotNow({ onBattery, level }: PowerState, { learnOnBattery }: Pick<Settings, "learnOnBattery">): string | null {
  if (!onBattery) return null;
  if (!learnOnBattery) return "The pass did not run: the machine is on battery. It runs once it is plugged in, or with “Learn on battery” in Settings.";
  if (level !== null && level < leastLevel)
    return `The pass did not run: the battery is below ${Math.round(leastLevel * 100)} %. It runs once the machine is plugged in.`;
  return null;
}
