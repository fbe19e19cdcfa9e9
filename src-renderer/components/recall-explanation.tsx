import type { Recall } from "#contract/skills/schema.ts";
import { routeHash } from "../store/route.ts";
import { Badge, type Tone } from "./badge.tsx";
import styles from "./recall-explanation.module.css";

const VERDICTS: Record<Recall["verdict"], { readonly words: string; readonly tone: Tone }> = {
  "nothing-learned": { words: "nothing learned yet", tone: "plain" },
  "below-threshold": { words: "below the threshold", tone: "plain" },
  blocked: { words: "blocked by a condition", tone: "warn" },
  suggested: { words: "suggested", tone: "accent" },
  matched: { words: "matched", tone: "good" },
};

const score = (value: number) => value.toFixed(3);

/** What recall looked at and decided, all of it. */
export function RecallExplanation({ recall }: { readonly recall: Recall }) {
  const { words, tone } = VERDICTS[recall.verdict];
  return (
    <div className={styles.recall}>
      <p>
        <Badge tone={tone}>{words}</Badge> {recall.why}
      </p>
      {recall.blockedBy === null ? null : <p>Blocked by: {recall.blockedBy}</p>}
      <p className={styles.note}>
        {recall.score === null ? "No score" : `Score ${score(recall.score)}`}; used from {score(recall.useThreshold)}, suggested from{" "}
        {score(recall.suggestThreshold)}
        {recall.runnerUp === null ? "" : `; runner-up ${recall.runnerUp.name} with ${score(recall.runnerUp.score)}`}. Compared by {recall.embedder}
        {recall.calibrated ? "." : ", which has not been calibrated on this machine: the thresholds are general ones."}
      </p>
      {recall.candidates.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
        <section className={styles.table} tabIndex={0} aria-label="Skills that were looked at">
          <table>
            <thead>
              <tr>
                <th scope="col">Skill</th>
                <th scope="col">Score</th>
                <th scope="col">Closest way to ask</th>
                <th scope="col">Ruled out by</th>
              </tr>
            </thead>
            <tbody>
              {recall.candidates.map((candidate) => (
                <tr key={candidate.name}>
                  <td>
                    <a href={routeHash("skills", candidate.name)}>{candidate.name}</a>
                  </td>
                  <td>{score(candidate.score)}</td>
                  <td>{candidate.phrasing}</td>
                  <td>{candidate.eliminated ?? "—"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
