import type { SkillFile } from "#contract/skills/schema.ts";
import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { DiagnosticList } from "./diagnostic-list.tsx";
import styles from "./skills.module.css";

/** The file a skill was read from, what was wrong with it, and what in it is kept though it means nothing here. */
export function SkillFileCard({ file: { path, extra, diagnostics } }: { readonly file: SkillFile }) {
  return (
    <Card title="The file it was read from">
      <Facts items={[["Path", <code key="path">{path}</code>], ...Object.entries(extra).map(([key, value]) => [`Kept: ${key}`, value] as const)]} />
      {diagnostics.length === 0 ? <p className={styles.quiet}>Nothing was wrong with it.</p> : <DiagnosticList diagnostics={diagnostics} />}
    </Card>
  );
}
