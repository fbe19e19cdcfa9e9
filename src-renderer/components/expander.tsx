import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { classNames } from "./class-names.ts";
import styles from "./expander.module.css";

export interface ExpanderProps {
  readonly summary: ReactNode;
  readonly children: ReactNode;
  readonly isOpenAtFirst?: boolean;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly level?: 2 | 3;
}

export function Expander({ summary, children, isOpenAtFirst = false, isOpen, onOpenChange, level = 3 }: ExpanderProps) {
  return (
    <Disclosure
      className={classNames(styles.expander)}
      defaultExpanded={isOpenAtFirst}
      {...(isOpen === undefined ? {} : { isExpanded: isOpen })}
      {...(onOpenChange === undefined ? {} : { onExpandedChange: onOpenChange })}
    >
      <Heading level={level} className={classNames(styles.heading)}>
        <Button slot="trigger" className={classNames(styles.trigger)}>
          <ChevronRight aria-hidden size={16} className={styles.chevron} />
          <span className={styles.summary}>{summary}</span>
        </Button>
      </Heading>
      <DisclosurePanel className={classNames(styles.panel)}>
        <div className={styles.inner}>{children}</div>
      </DisclosurePanel>
    </Disclosure>
  );
}
