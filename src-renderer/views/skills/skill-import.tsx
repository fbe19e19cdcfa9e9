import { FileUp } from "lucide-react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import type { ImportResult } from "#contract/skills/schema.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatCount } from "../../format/count.ts";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import { DiagnosticList } from "./diagnostic-list.tsx";
import styles from "./skills.module.css";

const TONES: Record<ImportResult["outcome"], Tone> = { imported: "good", unchanged: "plain", refused: "bad" };

/** SKILL.md files of others: each is read, told what became of it, and lands switched off. */
export function SkillImport({ onImported }: { readonly onImported: () => void }) {
  const { client } = useStores();
  const [results, setResults] = useState<readonly ImportResult[]>([]);
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const say = usePage((state) => state.say);

  function take(chosen: readonly File[]) {
    if (chosen.length === 0) return;
    void attempt.run(async () => {
      const files = await Promise.all(chosen.map(async (file) => ({ path: file.webkitRelativePath || file.name, text: await file.text() })));
      const read = await client.skills.import({ files });
      setResults(read);
      say(`${formatCount(read.filter(({ outcome }) => outcome === "imported").length, "skill")} of ${formatCount(read.length, "file")} imported.`);
      onImported();
    });
  }

  return (
    <Card
      title="Import"
      actions={
        <FileTrigger acceptedFileTypes={[".md", "text/markdown"]} allowsMultiple onSelect={(files) => take(files === null ? [] : [...files])}>
          <Button icon={FileUp} isDisabled={!isConnected || attempt.isBusy}>
            {attempt.isBusy ? "Reading …" : "Import SKILL.md files"}
          </Button>
        </FileTrigger>
      }
    >
      <p className={styles.quiet}>Skills of others are read, checked and kept switched off until you switch them on. Nothing of them is run here.</p>
      {attempt.problem === null ? null : (
        <Notice tone="bad" title="Nothing was imported">
          {attempt.problem}
        </Notice>
      )}
      {results.length === 0 ? null : (
        <ul className={styles.list} aria-label="Imported files">
          {results.map((result, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results of one import, in the order of its files
            <li key={at} className={styles.list}>
              <p>
                <Badge tone={TONES[result.outcome]}>{result.outcome}</Badge> <b className={styles.reach}>{result.path}</b>{" "}
                {result.skillId === null ? null : <a href={routeHash("skills", result.skillId)}>{result.name ?? "the skill"}</a>}
                {result.reason === "" ? "" : `: ${result.reason}`}
              </p>
              <DiagnosticList diagnostics={result.diagnostics} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
