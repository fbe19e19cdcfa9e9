import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { ConversationView, TurnView } from "#contract/chat/reducer.ts";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../format/count.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import { CompactionNote } from "./compaction-note.tsx";
import { TurnCard } from "./turn-card.tsx";
import styles from "./turn-list.module.css";

export interface TurnListProps {
  readonly conversationId: string;
  readonly view: ConversationView;
  /** The message or turn somebody came here for. */
  readonly soughtId: string | null;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** So near to the first turn that is there, those before it are read. */
const NEAR_START = 600;

/** The turns of a conversation. Only those near what is looked at are drawn, and earlier ones are read when they come near, so that it may be of any length. */
export function TurnList({ conversationId, view, soughtId, scroller }: TurnListProps) {
  const list = useRef<VirtualizerHandle>(null);
  const readEarlier = useChat((state) => state.readEarlier);
  const isConnected = useIsConnected();
  const { turns, earlier } = view;
  const firstId = turns[0]?.turn.id;
  const firstBefore = useRef(firstId);
  const hasOtherFirst = firstBefore.current !== firstId;
  // What is put in front must not move what is looked at; a list that begins anew is measured anew.
  const isShifted = hasOtherFirst && turns.some(({ turn }) => turn.id === firstBefore.current);
  const begun = useRef(0);
  if (hasOtherFirst && !isShifted) begun.current += 1;
  useLayoutEffect(() => {
    firstBefore.current = firstId;
  }, [firstId]);

  const soughtTurn = view.messages.find(({ id }) => id === soughtId)?.turnId ?? turns.find(({ turn }) => turn.id === soughtId)?.turn.id;
  const soughtAt = soughtTurn === undefined ? -1 : turns.findIndex(({ turn }) => turn.id === soughtTurn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is put in front of it later is no reason to go there again
  useEffect(() => {
    if (soughtAt < 0) return;
    list.current?.scrollToIndex(soughtAt, { align: "center" });
    let tries = 0;
    let frame = requestAnimationFrame(function focus() {
      const found = document.getElementById(`turn-${soughtTurn}`);
      if (found !== null) found.focus({ preventScroll: true });
      else if (tries++ < 30) frame = requestAnimationFrame(focus);
    });
    return () => cancelAnimationFrame(frame);
  }, [soughtTurn, soughtAt >= 0]);

  return (
    <div className={styles.list}>
      {earlier === 0 ? null : (
        <p className={styles.earlier}>
          <Button tone="quiet" isDisabled={!isConnected} onPress={() => void readEarlier(conversationId)}>
            Show earlier ones
          </Button>{" "}
          {formatCount(earlier, "turn")} before these
        </p>
      )}
      <Virtualizer
        key={begun.current}
        ref={list}
        as="ol"
        item="li"
        scrollRef={scroller}
        shift={isShifted}
        bufferSize={400}
        onScroll={(offset) => {
          if (offset < NEAR_START && earlier > 0 && isConnected) void readEarlier(conversationId);
        }}
      >
        {turns.map((turn, at) => (
          <TurnEntry key={turn.turn.id} view={view} turn={turn} at={at} earlier={earlier} />
        ))}
      </Virtualizer>
    </div>
  );
}

function TurnEntry({ view, turn, at, earlier }: { readonly view: ConversationView; readonly turn: TurnView; readonly at: number; readonly earlier: number }) {
  return (
    <div id={`turn-${turn.turn.id}`} tabIndex={-1} className={styles.entry} data-place={earlier + at + 1}>
      <TurnCard view={view} turn={turn} isLast={at === view.turns.length - 1} />
      {view.compactions
        .filter(({ throughTurnId }) => throughTurnId === turn.turn.id)
        .map((compaction) => (
          <CompactionNote key={compaction.id} compaction={compaction} />
        ))}
    </div>
  );
}
