import { Check, CheckCheck, Hand, X } from "lucide-react";
import type { TurnView } from "#contract/chat/reducer.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Facts } from "../../components/facts.tsx";
import { formatArgument, formatTool } from "../../format/call.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./approval-card.module.css";

/** The exact action that waits for a yes. Refusing has the same weight as allowing; nothing is pre-chosen. */
export function ApprovalCard({ approval: { approvalId, tool, args, reason, always } }: { readonly approval: NonNullable<TurnView["approval"]> }) {
  const approve = useChat((state) => state.approve);
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const answer = (allow: boolean, isForAlways = false) => void attempt.run(() => approve(approvalId, allow, isForAlways));
  return (
    <section className={styles.card} aria-label="Knack asks for permission">
      <h2>
        <Hand aria-hidden size={17} /> May Knack do this?
      </h2>
      <p>{reason}</p>
      <Facts
        items={[
          ["Action", formatTool(tool)],
          ...Object.entries(args).map(([name, value]) => [name, <code key={name}>{typeof value === "string" ? value : formatArgument(value)}</code>] as const),
        ]}
      />
      {always === undefined ? null : (
        <p>
          “Always allow” covers exactly: <code>{always}</code>
        </p>
      )}
      <ButtonRow>
        <Button icon={Check} tone="primary" isDisabled={!isConnected || attempt.isBusy} onPress={() => answer(true)}>
          Allow
        </Button>
        {always === undefined ? null : (
          <Button icon={CheckCheck} isDisabled={!isConnected || attempt.isBusy} onPress={() => answer(true, true)}>
            Always allow
          </Button>
        )}
        <Button icon={X} isDisabled={!isConnected || attempt.isBusy} onPress={() => answer(false)}>
          Do not allow
        </Button>
      </ButtonRow>
    </section>
  );
}
