import { Eraser } from "lucide-react";
import { useState } from "react";
import type { Episode } from "#contract/chat/schema.ts";
import { Button } from "../../components/button.tsx";
import { EraseDialog } from "../../components/erase-dialog.tsx";
import { useChat, useIsConnected } from "../../store/use-page.ts";

/** Erases one task of a conversation; the rest of it stays. */
export function ForgetTask({ episode }: { readonly episode: Episode }) {
  const [isAsking, setAsking] = useState(false);
  const forget = useChat((state) => state.forget);
  const isConnected = useIsConnected();
  return (
    <>
      <Button tone="quiet" icon={Eraser} isDisabled={!isConnected} onPress={() => setAsking(true)}>
        Forget this task
      </Button>
      {isAsking ? (
        <EraseDialog
          title="Forget this task?"
          act="Forget"
          done="The task is forgotten"
          onErase={(backups) => forget(episode, backups)}
          onClose={() => setAsking(false)}
        >
          <p>
            “{episode.goal}” with its messages and steps is erased and cannot be brought back. A skill that was learned from it is derived again from what is
            left, or retired.
          </p>
        </EraseDialog>
      ) : null}
    </>
  );
}
