import { TextField as AriaTextField, FieldError, Input, Label, Text, TextArea } from "react-aria-components";
import { classNames } from "./class-names.ts";
import styles from "./text-field.module.css";

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly help?: string;
  readonly problem?: string | null;
  readonly placeholder?: string;
  readonly rows?: number;
  /** What is typed into a "password" is not shown, and the browser is told to keep nothing of it. */
  readonly type?: "text" | "url" | "password";
  readonly isDisabled?: boolean;
  readonly isLabelHidden?: boolean;
  readonly autoFocus?: boolean;
}

export function TextField({
  label,
  value,
  onChange,
  help,
  problem = null,
  placeholder,
  rows,
  type = "text",
  isDisabled = false,
  isLabelHidden = false,
  autoFocus = false,
}: TextFieldProps) {
  const shared = { className: classNames(styles.input), ...(placeholder === undefined ? {} : { placeholder }) };
  const unkept = type === "password" ? { autoComplete: "new-password", spellCheck: "false" } : {};
  return (
    <AriaTextField
      className={classNames(styles.field)}
      value={value}
      onChange={onChange}
      type={type}
      {...unkept}
      isDisabled={isDisabled}
      isInvalid={problem !== null}
      // The browser's own validation would keep a form with a problem from being sent again.
      validationBehavior="aria"
      autoFocus={autoFocus}
    >
      <Label className={isLabelHidden ? "unseen" : classNames(styles.label)}>{label}</Label>
      {rows === undefined ? <Input {...shared} /> : <TextArea {...shared} rows={rows} />}
      {help === undefined ? null : (
        <Text slot="description" className={classNames(styles.help)}>
          {help}
        </Text>
      )}
      <FieldError className={classNames(styles.problem)}>{problem}</FieldError>
    </AriaTextField>
  );
}
