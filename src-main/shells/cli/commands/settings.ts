import type { Command } from "commander";
import { badInput } from "#contract/errors.ts";
import { type SettingsChange, settingsChangeSchema } from "#contract/settings/routes.ts";
import type { Settings } from "#contract/settings/schema.ts";
import { group, leaf } from "../leaf.ts";
import type { Session } from "../session.ts";
import { withAgent } from "../with-agent.ts";

export function addSettings(program: Command, session: Session): void {
  const settings = group(program, "settings", "your switches, as the Settings page has them");

  leaf(settings, session, "list", "each with its value", ({ screen }) =>
    withAgent((agent) => {
      const all = agent.settings();
      if (screen.json) return screen.show(all, () => []);
      screen.table(
        [{ head: "SETTING" }, { head: "VALUE" }],
        flat(all).map(([key, value]) => [key, valueText(value)]),
      );
      screen.note("Change one with: knack settings set <setting> <value>");
    }),
  );

  leaf(settings, session, "set <setting> <value>", "change one", ({ screen, args: [key = "", value = ""] }) =>
    withAgent((agent) => {
      const known = flat(agent.settings()).map(([name]) => name);
      if (!known.includes(key)) throw badInput(`There is no setting "${key}"; there are: ${known.join(", ")}`);
      const changed = agent.changeSettings(changeOf(key, valueOf(value)));
      screen.show(changed, () => [`${key} is ${valueText(Object.fromEntries(flat(changed))[key])} from now on`]);
    }),
  );
}

/** "enforcement.gate" for a switch within a group. */
function flat(settings: Settings): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] =>
    typeof value === "object" && value !== null ? Object.entries(value).map(([inner, one]) => [`${key}.${inner}`, one]) : [[key, value]],
  );
}

/** Checked here as well as by the agent: what is wrong with a value is said with its name. */
function changeOf(key: string, value: unknown): SettingsChange {
  const [outer = "", inner] = key.split(".");
  const change = settingsChangeSchema.safeParse({ [outer]: inner === undefined ? value : { [inner]: value } });
  if (!change.success) throw badInput(`${key}: ${wrongText(change.error.issues[0])}`);
  return change.data;
}

/** In a person's words where the check speaks of types. */
function wrongText(issue: { readonly code: string; readonly message: string; readonly expected?: unknown } | undefined): string {
  if (issue?.code === "invalid_type" && issue.expected === "boolean") return 'expected "on" or "off"';
  if (issue?.code === "invalid_type" && issue.expected === "number") return 'expected a number, or "none" where nothing is meant';
  return issue?.message ?? "it cannot be set to that";
}

/** As a person writes it: on and off, numbers, nothing, or a word. */
function valueOf(text: string): unknown {
  if (/^(?:on|true|yes)$/iu.test(text)) return true;
  if (/^(?:off|false|no)$/iu.test(text)) return false;
  if (/^(?:none|null)$/iu.test(text)) return null;
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function valueText(value: unknown): string {
  return typeof value === "boolean" ? (value ? "on" : "off") : value === null || value === undefined ? "none" : String(value);
}
