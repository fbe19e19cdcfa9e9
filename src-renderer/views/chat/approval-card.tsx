import { Check, Clock, Hand, ShieldCheck, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { ApprovalScope } from "#contract/approvals/schema.ts";
import type { TurnView } from "#contract/chat/reducer.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { Facts } from "../../components/facts.tsx";
import { formatArgument, formatTool } from "../../format/call.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./approval-card.module.css";

/**
 * The exact action that waits for a yes, what it acts on, and how a file would change. Refusing has the same weight as allowing; nothing is pre-chosen. Where a
 * yes may hold on, what it would cover is said beside it.
 */
export function ApprovalCard({ approval }: { readonly approval: NonNullable<TurnView["approval"]> }) {
  const { approvalId, tool, args, reason, target, diff, family, expiresAt } = approval;
  const approve = useChat((state) => state.approve);
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const isOff = !isConnected || attempt.isBusy;
  const answer = (allow: boolean, scope?: ApprovalScope) => void attempt.run(() => approve(approvalId, allow, scope));
  // The text that is written stands in the difference.
  const shown = Object.entries(args).filter(([name]) => diff === undefined || diff === "" || name !== "text");
  return (
    <section className={styles.card} aria-label="Knack asks for permission">
      <h2>
        <Hand aria-hidden size={17} /> May Knack do this?
      </h2>
      <p>{reason}</p>
      <Facts
        items={[
          ["Action", formatTool(tool)],
          ...(target === undefined ? [] : [["On", <code key="on">{target}</code>] as const]),
          ...shown.map(([name, value]) => [name, <code key={name}>{typeof value === "string" ? value : formatArgument(value)}</code>] as const),
        ]}
      />
      {diff === undefined || diff === "" ? null : <DiffView diff={diff} label="How the file would change" />}
      <ButtonRow>
        <Button icon={Check} tone="primary" isDisabled={isOff} onPress={() => answer(true)}>
          {family === undefined ? "Allow" : "Allow once"}
        </Button>
        <Button icon={X} isDisabled={isOff} onPress={() => answer(false)}>
          Do not allow
        </Button>
      </ButtonRow>
      {family === undefined ? null : (
        <div className={styles.more}>
          <p>
            <ShieldCheck aria-hidden size={15} /> Not asked again, and only for this: <b>{family}</b>
          </p>
          <ButtonRow>
            <Button isDisabled={isOff} onPress={() => answer(true, "conversation")}>
              Allow in this conversation
            </Button>
            <Button isDisabled={isOff} onPress={() => answer(true, "always")}>
              Always allow
            </Button>
          </ButtonRow>
        </div>
      )}
      {expiresAt === undefined ? null : <TimeLeft until={expiresAt} />}
    </section>
  );
}

/** How long the question stays open; no answer is a no. */
function TimeLeft({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <p className={styles.time}>
      <Clock aria-hidden size={15} />
      <span role="timer">{seconds === 0 ? "Nobody answered, so it is not done." : `Without an answer within ${time} it is not done.`}</span>
    </p>
  );
}
