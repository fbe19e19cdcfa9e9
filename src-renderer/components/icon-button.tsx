import type { LucideIcon } from "lucide-react";
import { Button as AriaButton, Tooltip, TooltipTrigger } from "react-aria-components";
import { classNames } from "./class-names.ts";
import styles from "./icon-button.module.css";

export interface IconButtonProps {
  /** What a screen reader says and the tooltip shows. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
  readonly tone?: "quiet" | "primary" | "danger";
  readonly type?: "button" | "submit";
}

export function IconButton({ label, icon: Icon, onPress, isDisabled = false, tone = "quiet", type = "button" }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        className={classNames(styles.button, styles[tone])}
        aria-label={label}
        type={type}
        isDisabled={isDisabled}
        {...(onPress === undefined ? {} : { onPress })}
      >
        <Icon aria-hidden size={18} />
      </AriaButton>
      <Tooltip className={classNames(styles.tooltip)} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
