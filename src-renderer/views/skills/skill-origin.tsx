import { Eraser, Unlink } from "lucide-react";
import { evidenceWords, originOf } from "#contract/skills/explain.ts";
import type { SkillDetail } from "#contract/skills/routes.ts";
import { Card } from "../../components/card.tsx";
import { Moment } from "../../components/moment.tsx";
import { formatActor } from "../../format/actor.ts";
import { routeHash } from "../../store/route.ts";
import styles from "./skills.module.css";

/** From what a revision was made: who, when and why, and the tasks it was learned from, also those that are gone. */
export function SkillOrigin({ detail }: { readonly detail: SkillDetail }) {
  const { revision, evidence, ledger } = detail;
  const origin = originOf(revision, ledger);
  return (
    <Card title="Where it was learned">
      {origin === undefined ? null : (
        <p className={styles.quiet}>
          {formatActor(origin.actor)}, <Moment at={origin.at} />
          {origin.reason === "" ? "" : `: ${origin.reason}`}
        </p>
      )}
      {evidence.length === 0 ? <p className={styles.quiet}>No conversation: it was shown, written or imported.</p> : null}
      <ul className={styles.bullets}>
        {evidence.map(({ episodeId, goal, conversationId, at, fate, isShown }) => (
          <li key={episodeId}>
            {isShown ? (
              evidenceWords({ goal, fate, isShown })
            ) : conversationId === null ? (
              <span className={styles.dangling}>
                {fate === "erased" ? <Eraser aria-hidden size={14} /> : <Unlink aria-hidden size={14} />} {evidenceWords({ goal, fate })}
              </span>
            ) : (
              <a href={routeHash("chat", conversationId)}>{evidenceWords({ goal, fate })}</a>
            )}
            {at === null ? null : (
              <span className={styles.quiet}>
                {fate === "kept" ? ", " : ", gone "}
                <Moment at={at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
