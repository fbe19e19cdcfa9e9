import type { Settings } from "#contract/settings/schema.ts";
import { Card } from "../../components/card.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { formatCount } from "../../format/count.ts";
import styles from "./settings.module.css";

const DAYS = [30, 90, 180, 365, 730];
const SHARES = [0, 0.05, 0.1, 0.2, 0.3, 0.5];

export interface KeepingProps {
  readonly settings: Settings;
  readonly isDisabled: boolean;
  readonly onChange: (change: Partial<Settings>) => void;
}

/** How long conversations are kept, and how often a skill is left out to measure it. A value set elsewhere is among the choices. */
export function Keeping({ settings: { keepDays, control }, isDisabled, onChange }: KeepingProps) {
  const days = [...new Set([...DAYS, ...(keepDays === null ? [] : [keepDays])])].sort((one, other) => one - other);
  const shares = [...new Set([...SHARES, control])].sort((one, other) => one - other);
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
    </Card>
  );
}
