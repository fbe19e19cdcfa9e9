import { useId } from "react";
import styles from "./select-field.module.css";

export interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly isDisabled?: boolean;
}

/** One of many, by the list every system brings along. */
export function SelectField({ label, value, onChange, options, isDisabled = false }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} disabled={isDisabled} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </div>
  );
}
