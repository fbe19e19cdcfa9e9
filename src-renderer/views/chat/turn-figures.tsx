import type { Turn } from "#contract/chat/schema.ts";
import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import styles from "./turn-figures.module.css";

/** What the turn took: time, and tokens the model read anew, had ready, and wrote. */
export function TurnFigures({ turn: { tokens, startedAt, endedAt, status } }: { readonly turn: Turn }) {
  const parts = [
    ...(endedAt === null ? [] : [formatDuration(endedAt - startedAt)]),
    ...(tokens.evaluated + tokens.reused + tokens.generated === 0
      ? status === "done"
        ? ["without the model"]
        : []
      : [
          `${formatCount(tokens.evaluated, "token")} read`,
          `${formatCount(tokens.reused, "token")} reused`,
          `${formatCount(tokens.generated, "token")} written`,
        ]),
  ];
  return <p className={styles.figures}>{parts.join(" · ")}</p>;
}
