import { Circle, CircleStop, Trash2 } from "lucide-react";
import { useStore } from "zustand";
import type { ShownAction } from "#contract/learning/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { formatCount } from "../../format/count.ts";
import type { TeachPhase, TeachStore } from "../../store/teach-store.ts";
import styles from "./teach.module.css";

/** "Clicked link “Billing”": one recorded action as a person says it. */
function actionText({ kind, target, value, secret, call }: ShownAction): string {
  const place = target === undefined ? "" : `${target.role} “${target.name}”`;
  const what = secret ? "something secret (not kept)" : `“${value ?? ""}”`;
  switch (kind) {
    case "open":
      return `Opened ${value ?? ""}`;
    case "click":
      return `Clicked ${place}`;
    case "fill":
      return `Typed ${what} into ${place}`;
    case "select":
      return `Chose ${what} in ${place}`;
    case "press":
      return `Pressed ${value ?? ""}`;
    case "download":
      return `Downloaded ${value ?? ""}`;
    case "call":
      return `Used ${call?.tool ?? ""}`;
  }
}

export interface RecordingProps {
  readonly store: TeachStore;
  readonly phase: Extract<TeachPhase, { at: "recording" | "deriving" }>;
  readonly onDrop: () => void;
}

export function Recording({ store, phase, onDrop }: RecordingProps) {
  const finish = useStore(store, (state) => state.finish);
  const isDeriving = phase.at === "deriving";
  const isLive = phase.at === "recording" && !phase.isEnded;
  const { aim } = phase.showing;
  const isOff = isDeriving || phase.actions.length === 0;
  return (
    <>
      <p className={styles.state} role="status">
        {isDeriving ? <Spinner /> : <Circle aria-hidden size={12} className={isLive ? styles.live : styles.over} />}
        {isDeriving
          ? "Working out the procedure …"
          : isLive
            ? `Recording: ${formatCount(phase.actions.length, "action")}`
            : "The browser window was closed; the recording is kept."}
      </p>
      <p className={styles.lead}>
        Goal: <b>{phase.showing.goal}</b>
      </p>
      {aim.kind === "repair" && aim.step > 1 ? (
        <p className={styles.lead}>
          Steps 1 to {aim.step - 1} were carried out. Show it from step {aim.step} on; you may stop where it goes on as before.
        </p>
      ) : null}
      {phase.actions.length === 0 ? (
        <p className={styles.lead}>Nothing recorded yet. Do the task in the window that opened; each action appears here.</p>
      ) : (
        <ol className={styles.actions} aria-label="Recorded actions">
          {phase.actions.map((action, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: actions are only ever added at the end
            <li key={at}>
              {actionText(action)}
              <small>{action.after.heading || action.after.title}</small>
            </li>
          ))}
        </ol>
      )}
      <ButtonRow align="end">
        <Button icon={Trash2} onPress={onDrop} isDisabled={isDeriving}>
          Drop
        </Button>
        {aim.kind === "repair" ? (
          <>
            <Button icon={CircleStop} onPress={() => void finish(false)} isDisabled={isOff}>
              Done, that was all of it
            </Button>
            <Button icon={CircleStop} tone="primary" onPress={() => void finish(true)} isDisabled={isOff}>
              Done, from here on as before
            </Button>
          </>
        ) : (
          <Button icon={CircleStop} tone="primary" onPress={() => void finish()} isDisabled={isOff}>
            Done, that was it
          </Button>
        )}
      </ButtonRow>
    </>
  );
}
