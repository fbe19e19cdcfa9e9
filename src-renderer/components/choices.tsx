import { Label, Radio, RadioGroup } from "react-aria-components";
import styles from "./choices.module.css";
import { classNames } from "./class-names.ts";

export interface Choice<T extends string> {
  readonly value: T;
  readonly name: string;
  /** What it means, or why it cannot be chosen. */
  readonly note?: string;
  readonly isDisabled?: boolean;
}

export interface ChoicesProps<T extends string> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly choices: readonly Choice<T>[];
  readonly isDisabled?: boolean;
}

/** One of a few, all in sight; arrows move between them. */
export function Choices<T extends string>({ label, isLabelHidden = false, value, onChange, choices, isDisabled = false }: ChoicesProps<T>) {
  return (
    <RadioGroup className={classNames(styles.group)} value={value} isDisabled={isDisabled} onChange={(chosen) => onChange(chosen as T)}>
      <Label className={isLabelHidden ? "unseen" : classNames(styles.label)}>{label}</Label>
      <div className={classNames(styles.choices, choices.some(({ note }) => note !== undefined) && styles.noted)}>
        {choices.map((choice) => (
          <Radio key={choice.value} value={choice.value} isDisabled={choice.isDisabled ?? false} className={classNames(styles.choice)}>
            <span>{choice.name}</span>
            {choice.note === undefined ? null : <small className={styles.note}>{choice.note}</small>}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
