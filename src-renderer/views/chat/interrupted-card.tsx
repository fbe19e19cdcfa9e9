import { Play } from "lucide-react";
import type { TurnView } from "#contract/chat/reducer.ts";
import { Button } from "../../components/button.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";

/** The way on where a turn was interrupted: from what was written and done, as the same task. */
export function InterruptedCard({ turn: { turn } }: { readonly turn: TurnView }) {
  const { conversationId } = turn;
  const send = useChat((state) => state.send);
  const isAtWork = useChat((state) => runningIn(state, conversationId) !== null);
  const isConnected = useIsConnected();
  return (
    <Button icon={Play} tone="primary" isDisabled={!isConnected || isAtWork} onPress={() => void send({ conversationId, text: "Continue", resume: true })}>
      Continue
    </Button>
  );
}
