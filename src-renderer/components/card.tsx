import type { ReactNode } from "react";
import styles from "./card.module.css";

/** A bordered region; with a title it is a section a screen reader can jump to. */
export function Card({ title, actions, children }: { readonly title?: string; readonly actions?: ReactNode; readonly children: ReactNode }) {
  if (title === undefined) return <div className={styles.card}>{children}</div>;
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
