import type { ReactNode } from "react";
import styles from "./page.module.css";

export interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every view but the chat: a title, one sentence, the main actions, the content. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <header className={styles.header}>
          <div className={styles.title}>
            <h1>{title}</h1>
            {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
          </div>
          {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}
