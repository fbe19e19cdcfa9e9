import { classNames } from "./class-names.ts";
import styles from "./diff-view.module.css";

/** A unified diff. Signs carry the meaning; colour and hidden words help. */
export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }) {
  const lines = diff
    .trimEnd()
    .split("\n")
    .filter((line) => !/^(?:Index:|={3,}|--- |\+\+\+ |\\ No newline)/u.test(line));
  if (lines.every((line) => line.trim() === "")) return <p>The two revisions read the same.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long difference must be scrollable by keyboard
    <section className={styles.diff} tabIndex={0} aria-label={label}>
      <pre>
        {lines.map((line, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text
            key={at}
            className={classNames(
              styles.line,
              line.startsWith("+") && styles.added,
              line.startsWith("-") && styles.removed,
              line.startsWith("@@") && styles.place,
            )}
          >
            {line === "" ? " " : line}
            {"\n"}
          </span>
        ))}
      </pre>
    </section>
  );
}
