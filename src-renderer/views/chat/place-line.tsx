import type { TurnView } from "#contract/chat/reducer.ts";
import styles from "./place-line.module.css";

/** Where the turn is in the procedure: "Step 3 of 6: open Billing". */
export function PlaceLine({ place: { at, of, next } }: { readonly place: NonNullable<TurnView["place"]> }) {
  const isOver = at >= of;
  return (
    <div className={styles.place}>
      <span>{isOver ? `All ${of} steps done` : `Step ${at + 1} of ${of}: ${next}`}</span>
      <progress className={styles.bar} max={of} value={at} aria-label="Place in the procedure" />
    </div>
  );
}
