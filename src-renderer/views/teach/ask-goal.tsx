import { Eye } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import type { Reteaching } from "../../store/page-store.ts";
import { useStores } from "../../store/stores.ts";
import type { TeachStore } from "../../store/teach-store.ts";
import { useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "./teach.module.css";

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
  const resume = useStore(store, (state) => state.resume);
  const isOpening = useStore(store, (state) => state.phase.at === "opening");
  const isConnected = useIsConnected();
  const showings = useResource("showings", (signal) => client.learning.showings(undefined, { signal }));
  const left = showings.value?.find(({ status }) => status === "recording");
  const canStart = isConnected && !isOpening && goal.trim() !== "" && address.trim() !== "";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart) void start(goal.trim(), completeAddress(address));
      }}
    >
      <p className={styles.lead}>
        Do the task once in Knack's browser window. It keeps what you click, choose and type, by name, never the contents of password fields. Values that occur
        in your goal become inputs.
      </p>
      {left === undefined || isOpening ? null : (
        <Notice tone="info" title="A recording is still open" actions={<Button onPress={() => resume(left)}>Go on with it</Button>}>
          “{left.goal}”
        </Notice>
      )}
      <TextField
        label="What is the task?"
        value={goal}
        onChange={setGoal}
        placeholder="Download the April 2026 invoice"
        help="Say it as you would ask for it, with the values this showing uses."
        isDisabled={isOpening}
        autoFocus
      />
      <TextField label="Where does it start?" value={address} onChange={setAddress} placeholder="https://portal.example" isDisabled={isOpening} />
      <ButtonRow align="end">
        <Button onPress={onCancel}>Cancel</Button>
        <Button type="submit" icon={Eye} tone="primary" isDisabled={!canStart}>
          {isOpening ? "Opening the window …" : "Open the window and record"}
        </Button>
      </ButtonRow>
    </form>
  );
}
