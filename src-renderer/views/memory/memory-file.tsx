import { Download, FileUp } from "lucide-react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import type { ImportedFact } from "#contract/memory/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatCount } from "../../format/count.ts";
import { saveText } from "../../store/save-text.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import list from "../list-view.module.css";
import styles from "./memory.module.css";

/** All of it as a file, and such a file taken in: each entry says what became of it. */
export function MemoryFile({ isOn, onImported }: { readonly isOn: boolean; readonly onImported: () => void }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const say = usePage((state) => state.say);
  const [results, setResults] = useState<readonly ImportedFact[] | null>(null);
  const attempt = useAttempt();
  const isDisabled = !isConnected || attempt.isBusy;

  function take(file: File | undefined) {
    if (file === undefined) return;
    void attempt.run(async () => {
      const read = await client.memory.import({ text: await file.text() });
      setResults(read);
      say(`${formatCount(countOf(read, "added"), "fact")} of ${read.length} remembered.`);
      onImported();
    });
  }

  const left = (results ?? []).flatMap((one) => ("problem" in one ? [one] : []));
  return (
    <Card
      title="As a file"
      actions={
        <ButtonRow>
          <Button
            icon={Download}
            isDisabled={isDisabled}
            onPress={() => void attempt.run(async () => saveText("knack-memory.json", await client.memory.export(), "application/json"))}
          >
            Export
          </Button>
          <FileTrigger acceptedFileTypes={[".json", ".txt", ".md", "application/json", "text/plain"]} onSelect={(files) => take(files?.[0])}>
            <Button icon={FileUp} isDisabled={isDisabled || !isOn}>
              Import
            </Button>
          </FileTrigger>
        </ButtonRow>
      }
    >
      <p className={list.quiet}>A file of Knack's, or a plain text with one fact on each line. What you bring along takes the place of nothing.</p>
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      {results === null ? null : (
        <p>
          {formatCount(countOf(results, "added"), "fact")} remembered, {countOf(results, "known")} known already, {left.length} left out.
        </p>
      )}
      {left.length === 0 ? null : (
        <ul className={styles.history} aria-label="Left out">
          {left.map(({ text, problem }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results of one import, in the order of its file
            <li key={at}>
              {text === "" ? null : <b>{text}: </b>}
              {problem}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function countOf(results: readonly ImportedFact[], became: "added" | "known"): number {
  return results.filter((one) => "became" in one && one.became === became).length;
}
