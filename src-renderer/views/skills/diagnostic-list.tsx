import type { Diagnostic } from "#contract/skills/schema.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import styles from "./skills.module.css";

const TONES: Record<Diagnostic["severity"], Tone> = { error: "bad", warning: "warn", note: "plain" };

/** What was found in a file, the gravest first. */
export function DiagnosticList({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) {
  if (diagnostics.length === 0) return null;
  const order = Object.keys(TONES);
  return (
    <ul className={styles.findings}>
      {diagnostics
        .toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
        .map((diagnostic, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings of one read file
          <li key={at}>
            <Badge tone={TONES[diagnostic.severity]}>{diagnostic.severity}</Badge> {diagnostic.message}
          </li>
        ))}
    </ul>
  );
}
