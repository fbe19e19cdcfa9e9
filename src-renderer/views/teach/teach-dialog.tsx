import { ThumbsUp } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import type { Reteaching } from "../../store/page-store.ts";
import { useStores } from "../../store/stores.ts";
import { createTeachStore } from "../../store/teach-store.ts";
import { usePage } from "../../store/use-page.ts";
import { AskGoal } from "./ask-goal.tsx";
import { DraftReview } from "./draft-review.tsx";
import { Recording } from "./recording.tsx";

export interface TeachDialogProps {
  /** The skill that is to be shown again; null for something new. */
  readonly reteaching: Reteaching | null;
  /** The conversation that stands for a showing; null where something is shown. */
  readonly learnedFrom: string | null;
  readonly onClose: () => void;
}

/** Teaching by showing: goal and address, the recording, the draft, the skill. Or by a conversation, which is a draft at once. */
export function TeachDialog({ reteaching, learnedFrom, onClose }: TeachDialogProps) {
  const { client } = useStores();
  const [store] = useState(() => createTeachStore(client, reteaching?.skill ?? null));
  const { phase, problem, drop, learnFrom } = useStore(store);
  const [asksToDrop, setAsksToDrop] = useState(false);
  const go = usePage((state) => state.go);
  const isFirm = phase.at !== "asking" && phase.at !== "unlearned" && phase.at !== "kept";
  const title = learnedFrom !== null ? "Learn this" : reteaching === null ? "Show me once" : `Show “${reteaching.skill}” again`;
  useEffect(() => {
    if (learnedFrom !== null) void learnFrom(learnedFrom, false);
  }, [learnedFrom, learnFrom]);
  return (
    <ModalDialog title={title} onClose={onClose} size="large" isFirm={isFirm}>
      {problem === null ? null : (
        <Notice tone={phase.at === "unlearned" ? "info" : "bad"} title={phase.at === "unlearned" ? "This cannot be learned yet" : "That did not work"}>
          {problem}
        </Notice>
      )}
      {phase.at === "reading" ? <LoadingState label="Reading what was done" /> : null}
      {phase.at === "unlearned" && learnedFrom !== null ? (
        <ButtonRow align="end">
          <Button onPress={onClose}>Close</Button>
          {phase.mayVouch ? (
            <Button icon={ThumbsUp} tone="primary" onPress={() => void learnFrom(learnedFrom, true)}>
              That worked: learn it
            </Button>
          ) : null}
        </ButtonRow>
      ) : null}
      {(phase.at === "asking" || phase.at === "opening") && learnedFrom === null ? <AskGoal store={store} reteaching={reteaching} onCancel={onClose} /> : null}
      {phase.at === "recording" || phase.at === "deriving" ? <Recording store={store} phase={phase} onDrop={() => setAsksToDrop(true)} /> : null}
      {phase.at === "draft" ? (
        <DraftReview
          store={store}
          draft={phase.draft}
          skill={reteaching?.skill ?? null}
          source={learnedFrom === null ? "showing" : "conversation"}
          onDrop={() => setAsksToDrop(true)}
        />
      ) : null}
      {phase.at === "kept" ? (
        <>
          {phase.isNew ? (
            <Notice tone="good" title={`“${phase.name}” is learned`}>
              It is provisional until it has worked once. Ask for the task in the chat and Knack will use it.
            </Notice>
          ) : (
            <Notice tone="good" title={`“${phase.name}” has a new revision`}>
              {learnedFrom === null ? "What you showed" : "What was done here"} is what it does now; the earlier revisions are kept.
            </Notice>
          )}
          <ButtonRow align="end">
            <Button onPress={onClose}>Close</Button>
            <Button tone="primary" onPress={() => go("skills", phase.name)}>
              Open the skill
            </Button>
          </ButtonRow>
        </>
      ) : null}
      {asksToDrop ? (
        <ConfirmDialog
          title={learnedFrom === null ? "Drop this showing?" : "Drop this draft?"}
          act="Drop it"
          isDanger
          onClose={() => setAsksToDrop(false)}
          onConfirm={async () => {
            if (await drop()) onClose();
          }}
        >
          <p>
            {learnedFrom === null
              ? "The recorded actions are forgotten and nothing is learned. The browser window closes."
              : "Nothing is learned. The conversation stays as it is, and can be learned from at any time."}
          </p>
        </ConfirmDialog>
      ) : null}
    </ModalDialog>
  );
}
