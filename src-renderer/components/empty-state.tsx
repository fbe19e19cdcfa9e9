import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

export interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** A view with nothing in it yet: what would be here, and how it gets here. */
export function EmptyState({ icon: Icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Icon aria-hidden size={32} strokeWidth={1.5} />
      <h2>{title}</h2>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
