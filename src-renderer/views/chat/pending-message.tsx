import { Spinner } from "../../components/spinner.tsx";
import styles from "./turn-card.module.css";

/** A message the host has not stored yet. */
export function PendingMessage({ text }: { readonly text: string }) {
  return (
    <div className={styles.turn}>
      <div className={styles.question}>{text}</div>
      <p className={styles.working}>
        <Spinner /> Handing it to Knack …
      </p>
    </div>
  );
}
