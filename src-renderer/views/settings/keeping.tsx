import type { Settings } from "#contract/settings/schema.ts";
import { Card } from "../../components/card.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import styles from "./settings.module.css";

const DAYS = [30, 90, 180, 365, 730];
const MINUTES = [5, 10, 30, 60];
const MEGABYTES = [0, 500, 1000, 2000, 5000, 10_000];
const SHARES = [0, 0.05, 0.1, 0.2, 0.3, 0.5];

export interface KeepingProps {
  readonly settings: Settings;
  readonly isDisabled: boolean;
  readonly onChange: (change: Partial<Settings>) => void;
}

/** How long conversations, the model and what it read are kept, and how often a skill is left out to measure it. A value set elsewhere is among the choices. */
export function Keeping({ settings: { keepDays, control, idleUnloadMinutes, stateMegabytes }, isDisabled, onChange }: KeepingProps) {
  const days = [...new Set([...DAYS, ...(keepDays === null ? [] : [keepDays])])].sort((one, other) => one - other);
  const shares = [...new Set([...SHARES, control])].sort((one, other) => one - other);
  const minutes = [...new Set([...MINUTES, ...(idleUnloadMinutes === null ? [] : [idleUnloadMinutes])])].sort((one, other) => one - other);
  const megabytes = [...new Set([...MEGABYTES, stateMegabytes])].sort((one, other) => one - other);
  return (
    <Card title="Keeping and measuring">
      <SelectField
        label="Keep conversations"
        value={keepDays === null ? "" : String(keepDays)}
        isDisabled={isDisabled}
        onChange={(value) => onChange({ keepDays: value === "" ? null : Number(value) })}
        options={[{ value: "", name: "always" }, ...days.map((count) => ({ value: String(count), name: `until unused for ${formatCount(count, "day")}` }))]}
      />
      <small className={styles.note}>What was learned from a conversation that is let go of stays, and says that it was.</small>
      <SelectField
        label="Leave a skill out, to measure what it is worth"
        value={String(control)}
        isDisabled={isDisabled}
        onChange={(value) => onChange({ control: Number(value) })}
        options={shares.map((share) => ({ value: String(share), name: share === 0 ? "never" : `in ${Math.round(share * 100)} % of its tasks` }))}
      />
      <small className={styles.note}>Drawn by chance, and never where you ask for a skill yourself. What it comes to is shown on the Skills page.</small>
      <SelectField
        label="Keep the model in memory"
        value={idleUnloadMinutes === null ? "" : String(idleUnloadMinutes)}
        isDisabled={isDisabled}
        onChange={(value) => onChange({ idleUnloadMinutes: value === "" ? null : Number(value) })}
        options={[
          { value: "", name: "always" },
          ...minutes.map((count) => ({ value: String(count), name: `until unused for ${formatCount(count, "minute")}` })),
        ]}
      />
      <small className={styles.note}>It comes back while you type your next message.</small>
      <SelectField
        label="Disk for conversations as the model read them"
        value={String(stateMegabytes)}
        isDisabled={isDisabled}
        onChange={(value) => onChange({ stateMegabytes: Number(value) })}
        options={megabytes.map((count) => ({ value: String(count), name: count === 0 ? "none" : `at most ${formatBytes(count * 1_000_000)}` }))}
      />
      <small className={styles.note}>
        With it a conversation goes on at once; without it the model reads it again. What you erase is removed from there too.
      </small>
    </Card>
  );
}
