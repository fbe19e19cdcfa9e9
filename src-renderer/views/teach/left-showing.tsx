import { useStore } from "zustand";
import type { Showing } from "#contract/learning/schema.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatCount } from "../../format/count.ts";
import type { TeachStore } from "../../store/teach-store.ts";

const TITLES: Partial<Record<Showing["status"], string>> = {
  recording: "A recording is still open",
  broken: "A recording broke off",
  draft: "A draft was not kept yet",
};

export interface LeftShowingProps {
  readonly store: TeachStore;
  readonly showing: Showing;
  readonly onForgotten: () => void;
}

/** A showing of before that was neither kept nor dropped. */
export function LeftShowing({ store, showing, onForgotten }: LeftShowingProps) {
  const { resume, forget, isBusy } = useStore(store);
  const { id, goal, status, actions } = showing;
  return (
    <Notice
      tone="info"
      title={TITLES[status] ?? status}
      actions={
        <>
          <Button label={`Go on with “${goal}”`} isDisabled={isBusy} onPress={() => void resume(showing)}>
            Go on with it
          </Button>
          <Button
            tone="quiet"
            label={`Drop “${goal}”`}
            isDisabled={isBusy}
            onPress={() => void forget(id).then((isForgotten) => (isForgotten ? onForgotten() : undefined))}
          >
            Drop it
          </Button>
        </>
      }
    >
      “{goal}”, {formatCount(actions.length, "action")}
    </Notice>
  );
}
