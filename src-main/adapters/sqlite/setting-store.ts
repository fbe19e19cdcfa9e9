import type { SettingStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

/** Settings by key, each any JSON value; undefined takes the key out. */
export function settingStore(connection: Connection): SettingStore {
  return {
    get(key) {
      const row = connection.get<{ value: string }>("SELECT value FROM settings WHERE key = :key", { key });
      return row && (JSON.parse(row.value) as unknown);
    },
    set(key, value) {
      if (value === undefined) {
        connection.run("DELETE FROM settings WHERE key = :key", { key });
        return;
      }
      connection.run("INSERT INTO settings (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value", {
        key,
        value: JSON.stringify(value),
      });
    },
    all: () =>
      Object.fromEntries(
        connection
          .all<{ key: string; value: string }>("SELECT key, value FROM settings ORDER BY key")
          .map(({ key, value }) => [key, JSON.parse(value) as unknown]),
      ),
  };
}
