import { scoreWords } from "#contract/skills/explain.ts";
import { Notice } from "../../components/notice.tsx";
import { useStores } from "../../store/stores.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "./turn-why.module.css";

/** The host's answer to "why this skill?" or "why none?", from what is stored of the turn. */
export function TurnWhy({ turnId, isEnded }: { readonly turnId: string; readonly isEnded: boolean }) {
  const { client } = useStores();
  // Asked again when the turn has ended: then its run tells more.
  const why = useResource(`why ${turnId} ${isEnded}`, (signal) => client.chat.why({ turnId }, { signal }));
  if (why.problem !== null) return <Notice tone="bad">{why.problem}</Notice>;
  if (why.value === null) return null;
  const { answer, lines, recall } = why.value;
  // What recall said itself stands below, with its scores.
  const more = lines.filter((line) => recall === null || line !== scoreWords(recall));
  const isSaidBelow = recall !== null && answer.includes(recall.why);
  if (isSaidBelow && more.length === 0) return null;
  return (
    <div className={styles.why}>
      {isSaidBelow ? null : <p>{answer}</p>}
      {more.length === 0 ? null : (
        <ul className={styles.lines}>
          {more.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
