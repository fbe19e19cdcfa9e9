import type { LucideIcon } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { Button as AriaButton } from "react-aria-components";
import styles from "./button.module.css";
import { classNames } from "./class-names.ts";

export interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: () => void;
  readonly tone?: "plain" | "primary" | "danger" | "quiet";
  readonly icon?: LucideIcon;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  readonly type?: "button" | "submit";
  readonly autoFocus?: boolean;
  readonly label?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  children,
  onPress,
  tone = "plain",
  icon: Icon,
  isDisabled = false,
  isPressed,
  type = "button",
  autoFocus = false,
  label,
  ref,
}: ButtonProps) {
  return (
    <AriaButton
      ref={ref ?? null}
      className={classNames(styles.button, styles[tone])}
      type={type}
      isDisabled={isDisabled}
      autoFocus={autoFocus}
      {...(onPress === undefined ? {} : { onPress })}
      {...(label === undefined ? {} : { "aria-label": label })}
      {...(isPressed === undefined ? {} : { "aria-pressed": isPressed })}
    >
      {Icon === undefined ? null : <Icon aria-hidden size={16} />}
      <span>{children}</span>
    </AriaButton>
  );
}
