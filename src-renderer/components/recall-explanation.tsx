import { verdictWords } from "#contract/skills/explain.ts";
import type { JudgedCondition, Recall, RecallCandidate, RecallCheck } from "#contract/skills/schema.ts";
import { routeHash } from "../store/route.ts";
import { Badge, type Tone } from "./badge.tsx";
import styles from "./recall-explanation.module.css";

const TONES: Record<Recall["verdict"], Tone> = {
  "nothing-learned": "plain",
  "below-threshold": "plain",
  blocked: "warn",
  suggested: "accent",
  matched: "good",
  withheld: "accent",
};

const CHECKS: Record<RecallCheck, string> = {
  record: "record",
  site: "site",
  state: "condition on the state",
  opposite: "opposite wish",
  declined: "your answer",
  tool: "tool",
  file: "file",
  grant: "grant",
  condition: "condition",
};

const score = (value: number) => value.toFixed(3);
const place = (rank: number | null) => (rank === null ? "—" : String(rank));

function judged({ probability, holds }: JudgedCondition): string {
  const read = probability === null ? "could not be read" : `${Math.round(probability * 100)} % yes`;
  return `${read}, ${holds === null ? "so unknown" : holds ? "so it holds" : "so it does not hold"}`;
}

/** The conditions in words that the model was asked about, with the probability that was read. */
function Conditions({ candidates }: { readonly candidates: readonly RecallCandidate[] }) {
  const asked = candidates.flatMap(({ name, conditions }) => conditions.map((condition) => ({ name, condition })));
  if (asked.length === 0) return null;
  return (
    <ul className={styles.conditions} aria-label="Conditions that were asked about">
      {asked.map(({ name, condition }) => (
        <li key={`${name} ${condition.kind} ${condition.text}`}>
          {name}, {condition.kind === "precondition" ? "needs" : "must not be"}: “{condition.text}” — {judged(condition)}
        </li>
      ))}
    </ul>
  );
}

/** What recall looked at and decided, all of it. */
export function RecallExplanation({ recall }: { readonly recall: Recall }) {
  return (
    <div className={styles.recall}>
      <p>
        <Badge tone={TONES[recall.verdict]}>{verdictWords[recall.verdict]}</Badge> {recall.why}
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
                <th scope="col">Similarity</th>
                <th scope="col">Place by similarity</th>
                <th scope="col">Place by words</th>
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
                  <td>{score(candidate.similarity)}</td>
                  <td>{place(candidate.vectorRank)}</td>
                  <td>{place(candidate.lexicalRank)}</td>
                  <td>{candidate.phrasing}</td>
                  <td>{candidate.eliminatedBy === null ? "—" : `${CHECKS[candidate.eliminatedBy]}: ${candidate.eliminated}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Conditions candidates={recall.candidates} />
    </div>
  );
}
