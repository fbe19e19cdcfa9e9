import { badInput } from "#contract/errors.ts";
import { type SettingsChange, settingsChangeSchema } from "#contract/settings/routes.ts";
import { type Settings, settingsSchema } from "#contract/settings/schema.ts";
import type { SettingStore } from "#core/ports/index.ts";

/** The user's settings with defaults for what was never set. Unknown keys in the store stay there. */
export function readSettings(store: SettingStore): Settings {
  const all = store.all();
  const parsed = settingsSchema.safeParse(all);
  if (parsed.success) return parsed.data;
  // A value that went bad does not take the others with it.
  const good = Object.fromEntries(Object.entries(all).filter(([key]) => !parsed.error.issues.some((issue) => issue.path[0] === key)));
  return settingsSchema.parse(good);
}

/** Checks a change as a whole before any of it is written. Layers of enforcement that are left out stay as they are. */
export function changeSettings(store: SettingStore, change: SettingsChange): Settings {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const parsed = settingsChangeSchema.safeParse(given);
  if (!parsed.success) throw badInput(parsed.error.issues.map((issue) => `${issue.path.join(".") || "settings"}: ${issue.message}`).join("; "));
  const { enforcement, ...others } = parsed.data;
  for (const [key, value] of Object.entries(others)) store.set(key, value);
  if (enforcement !== undefined) store.set("enforcement", { ...readSettings(store).enforcement, ...enforcement });
  return readSettings(store);
}
