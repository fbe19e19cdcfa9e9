import { Copy } from "lucide-react";
import { useState } from "react";
import type { Step } from "#contract/chat/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { formatTool } from "../../format/call.ts";
import { formatCount } from "../../format/count.ts";
import { useStores } from "../../store/stores.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "./full-result.module.css";

/** Opens the whole result of a step of which the model read a part; it is asked for only then. */
export function FullResult({ step }: { readonly step: Step }) {
  const [isOpen, setOpen] = useState(false);
  const isConnected = useIsConnected();
  const { leftOut } = step.details;
  if (typeof leftOut !== "number") return null;
  return (
    <>
      <Button tone="quiet" isDisabled={!isConnected} onPress={() => setOpen(true)}>
        Open full result
      </Button>
      <span className={styles.note}>The model read it without the last {formatCount(leftOut, "character")}.</span>
      {isOpen ? <ResultDialog step={step} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ResultDialog({ step, onClose }: { readonly step: Step; readonly onClose: () => void }) {
  const { client } = useStores();
  const say = usePage((state) => state.say);
  const [sought, setSought] = useState("");
  const result = useResource(`result ${step.id}`, (signal) => client.conversations.result({ id: step.id }, { signal }));
  const text = result.value?.text ?? "";
  const lines = text.split("\n");
  const found = sought.trim() === "" ? lines : lines.filter((line) => line.toLowerCase().includes(sought.trim().toLowerCase()));
  return (
    <ModalDialog title={`Result of step ${step.index + 1}, ${formatTool(step.tool)}`} size="large" onClose={onClose}>
      {result.problem === null ? null : <Notice tone="bad">{result.problem}</Notice>}
      {result.value === null ? (
        <LoadingState label="Reading the result" />
      ) : (
        <>
          <SearchBox label="Find in the result" value={sought} onChange={setSought} />
          <p className={styles.note} role="status">
            {sought.trim() === "" ? formatCount(lines.length, "line") : `${found.length} of ${formatCount(lines.length, "line")}`}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long result must be scrollable by keyboard */}
          <section tabIndex={0} aria-label="Full result" className={styles.result}>
            <pre>{found.join("\n")}</pre>
          </section>
          <ButtonRow align="end">
            <Button
              icon={Copy}
              onPress={() =>
                void navigator.clipboard.writeText(text).then(
                  () => say("The result was copied."),
                  () => say("The result could not be copied."),
                )
              }
            >
              Copy all of it
            </Button>
          </ButtonRow>
        </>
      )}
    </ModalDialog>
  );
}
