import type { TurnView } from "#contract/chat/reducer.ts";
import styles from "./place-line.module.css";

/** Where the turn is in the procedure: "Step 3 of 6: open Billing". `at` is the step that is due, counted from one. */
export function PlaceLine({ place: { at, of, next } }: { readonly place: NonNullable<TurnView["place"]> }) {
  return (
    <div className={styles.place}>
      <span>{at > of ? `All ${of} steps done` : `Step ${at} of ${of}: ${next}`}</span>
      <progress className={styles.bar} max={of} value={Math.min(of, at - 1)} aria-label="Place in the procedure" />
    </div>
  );
}
