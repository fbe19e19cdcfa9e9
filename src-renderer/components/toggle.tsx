import type { ReactNode } from "react";
import { Switch } from "react-aria-components";
import { classNames } from "./class-names.ts";
import styles from "./toggle.module.css";

export interface ToggleProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
  /** Visible text; without it `label` names the switch. */
  readonly children?: ReactNode;
  readonly label?: string;
}

export function Toggle({ isOn, onChange, isDisabled = false, children, label }: ToggleProps) {
  return (
    <Switch
      className={classNames(styles.toggle)}
      isSelected={isOn}
      onChange={onChange}
      isDisabled={isDisabled}
      {...(label === undefined ? {} : { "aria-label": label })}
    >
      <span className={styles.track} aria-hidden>
        <span className={styles.knob} />
      </span>
      {children}
    </Switch>
  );
}
