import styles from "./loading-state.module.css";

/** Grey lines where the content will be, so that nothing jumps. */
export function LoadingState({ label, rows = 3 }: { readonly label: string; readonly rows?: number }) {
  return (
    <div className={styles.loading} role="status" aria-label={label}>
      <span className="unseen">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal grey bars
        <div key={row} className={styles.row} aria-hidden />
      ))}
    </div>
  );
}
