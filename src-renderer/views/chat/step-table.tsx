import styles from "./step-table.module.css";

interface ReadTable {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Details are what a step of any age wrote down. */
function isTable(value: unknown): value is ReadTable {
  if (typeof value !== "object" || value === null) return false;
  const { name, header, rows } = value as Partial<Record<keyof ReadTable, unknown>>;
  return typeof name === "string" && isTexts(header) && Array.isArray(rows) && rows.length > 0 && rows.every(isTexts);
}

/** Rows that a step read off a page, as a table; nothing for other steps. All of it is text, whatever the page wrote. */
export function StepTable({ details }: { readonly details: Readonly<Record<string, unknown>> }) {
  if (!isTable(details.table)) return null;
  const { name, header, rows } = details.table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
    <section tabIndex={0} className={styles.scroll} aria-label={`Rows of ${name}`}>
      <table className={styles.table}>
        <caption>{name}</caption>
        {header.length === 0 ? null : (
          <thead>
            <tr>
              {header.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                <th key={at} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
