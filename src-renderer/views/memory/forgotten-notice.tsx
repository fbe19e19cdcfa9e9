import { Undo2 } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Notice } from "../../components/notice.tsx";
import { routeHash } from "../../store/route.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import type { Forgotten } from "./use-forgotten.ts";

export interface ForgottenNoticeProps {
  readonly forgotten: Forgotten;
  readonly onTakeBack: () => Promise<void>;
  readonly onErase: () => Promise<void>;
}

/** Says that a fact is out of use, until when it can be taken back, and what erasing it does not reach. */
export function ForgottenNotice({ forgotten: { fact, erasedAt }, onTakeBack, onErase }: ForgottenNoticeProps) {
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const isDisabled = !isConnected || attempt.isBusy;
  return (
    <Notice
      tone="info"
      title="Forgotten, and not erased yet"
      actions={
        <ButtonRow>
          <Button icon={Undo2} autoFocus label={`Undo: remember “${fact.text}” again`} isDisabled={isDisabled} onPress={() => void attempt.run(onTakeBack)}>
            Undo
          </Button>
          <Button tone="danger" label={`Erase “${fact.text}” now`} isDisabled={isDisabled} onPress={() => void attempt.run(onErase)}>
            Erase now
          </Button>
        </ButtonRow>
      }
    >
      “{fact.text}” is used no more. At {new Date(erasedAt).toLocaleTimeString()} it is erased for good, and cannot be taken back then.
      {fact.provenance === undefined ? null : (
        <>
          {" "}
          What you said stays in <a href={routeHash("chat", fact.provenance.conversationId, fact.provenance.messageId)}>the conversation</a>, where you can
          forget that task as well.
        </>
      )}
      {attempt.problem === null ? null : <p role="alert">{attempt.problem}</p>}
    </Notice>
  );
}
