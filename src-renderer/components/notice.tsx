import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./notice.module.css";

const ICONS = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

export interface NoticeProps {
  readonly tone: keyof typeof ICONS;
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode | undefined;
}

/** Something a person should read, with the way on. A bad one is told to a screen reader at once. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={classNames(styles.notice, styles[tone])} role={tone === "bad" ? "alert" : "note"}>
      <Icon aria-hidden size={18} />
      <div className={styles.text}>
        {title === undefined ? null : <strong>{title}</strong>}
        {children === undefined ? null : <div>{children}</div>}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
