import { Eye } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { TextField } from "../../components/text-field.tsx";
import type { Reteaching } from "../../store/page-store.ts";
import { useStores } from "../../store/stores.ts";
import type { TeachStore } from "../../store/teach-store.ts";
import { useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { LeftShowing } from "./left-showing.tsx";
import styles from "./teach.module.css";

/** Older ones are told by `knack skills showings`. */
const mostLeft = 3;

/** "portal.example" is meant as https. */
function completeAddress(address: string): string {
  const trimmed = address.trim();
  return trimmed === "" || /^[a-z][a-z0-9+.-]*:\/\//iu.test(trimmed) ? trimmed : `https://${trimmed}`;
}

export interface AskGoalProps {
  readonly store: TeachStore;
  readonly reteaching: Reteaching | null;
  readonly onCancel: () => void;
}

export function AskGoal({ store, reteaching, onCancel }: AskGoalProps) {
  const { client } = useStores();
  const [goal, setGoal] = useState(reteaching?.goal ?? "");
  const [address, setAddress] = useState(reteaching?.address ?? "");
  const start = useStore(store, (state) => state.start);
  const startRepair = useStore(store, (state) => state.startRepair);
  const isOpening = useStore(store, (state) => state.phase.at === "opening");
  const isConnected = useIsConnected();
  const showings = useResource("showings", (signal) => client.learning.showings(undefined, { signal }));
  const left = (showings.value ?? []).filter(({ status }) => status === "recording" || status === "broken" || status === "draft").slice(0, mostLeft);
  const step = reteaching?.step;
  const canStart = isConnected && !isOpening && goal.trim() !== "" && (step !== undefined || address.trim() !== "");
  const open = () =>
    reteaching !== null && step !== undefined ? startRepair(reteaching.skill, goal.trim(), step) : start(goal.trim(), completeAddress(address));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart) void open();
      }}
    >
      <p className={styles.lead}>
        {step === undefined
          ? "Do the task once in Knack's browser window. It keeps what you click, choose and type, by name, never the contents of password fields. Values that occur in your goal become inputs."
          : step === 1
            ? "Do the first step in Knack's browser window. What comes after it stays as it is, unless you show that as well."
            : `Knack carries out the steps before step ${step} in its browser window. From there on you show it. What comes after stays as it is, unless you show that as well.`}
      </p>
      {isOpening || reteaching !== null
        ? null
        : left.map((showing) => <LeftShowing key={showing.id} store={store} showing={showing} onForgotten={showings.reload} />)}
      <TextField
        label="What is the task?"
        value={goal}
        onChange={setGoal}
        placeholder="Download the April 2026 invoice"
        help="Say it as you would ask for it, with the values this showing uses."
        isDisabled={isOpening}
        autoFocus
      />
      {step !== undefined ? null : (
        <TextField label="Where does it start?" value={address} onChange={setAddress} placeholder="https://portal.example" isDisabled={isOpening} />
      )}
      <ButtonRow align="end">
        <Button onPress={onCancel}>Cancel</Button>
        <Button type="submit" icon={Eye} tone="primary" isDisabled={!canStart}>
          {isOpening ? "Opening the window …" : step === undefined ? "Open the window and record" : `Open the window at step ${step}`}
        </Button>
      </ButtonRow>
    </form>
  );
}
