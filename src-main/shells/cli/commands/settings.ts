import type { Command } from "commander";
import { badInput } from "#contract/errors.ts";
import { type SettingsChange, settingsChangeSchema } from "#contract/settings/routes.ts";
import type { Settings } from "#contract/settings/schema.ts";
import { settingWords } from "#contract/settings/words.ts";
import { group, leaf } from "../leaf.ts";
import type { Session } from "../session.ts";
import { bytesText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

export function addSettings(program: Command, session: Session): void {
  const settings = group(program, "settings", "your switches, as the Settings page has them");

  leaf(settings, session, "list", "each with its value", ({ screen }) =>
    withAgent((agent) => {
      const all = agent.settings();
      if (screen.json) return screen.show(all, () => []);
      screen.table(
        [{ head: "SETTING" }, { head: "VALUE" }, { head: "ALLOWED" }, { head: "WHAT IT IS FOR" }],
        flat(all).map(([key, value]) => [key, valueText(value), settingWords[key]?.allowed ?? "", settingWords[key]?.what ?? ""]),
      );
      screen.note("Change one with: knack settings set <setting> <value>");
    }),
  );

  leaf(settings, session, "set <setting> <value>", "change one", ({ screen, args: [key = "", value = ""] }) =>
    withAgent((agent) => {
      const known = flat(agent.settings()).map(([name]) => name);
      if (!known.includes(key)) throw badInput(`There is no setting "${key}"; there are: ${known.join(", ")}`);
      const change = changeOf(key, valueOf(value));
      const before = agent.modelUse().states;
      const changed = agent.changeSettings(change);
      const gone = before.bytes - agent.modelUse().states.bytes;
      screen.show(changed, () => [
        `${key} is ${valueText(Object.fromEntries(flat(changed))[key])} from now on`,
        ...(key === "stateMegabytes" && gone > 0
          ? [`${bytesText(gone)} of saved states were let go of; those conversations are read again when you go on with them`]
          : []),
      ]);
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
  if (!change.success) throw badInput(`${key} cannot be ${valueText(value)}; allowed: ${settingWords[key]?.allowed ?? wrongText(change.error.issues[0])}`);
  return change.data;
}

/** Of a setting nobody has words for yet. */
function wrongText(issue: { readonly message: string } | undefined): string {
  return issue?.message ?? "something else";
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
