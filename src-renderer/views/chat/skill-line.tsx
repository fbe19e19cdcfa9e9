import { Sparkles } from "lucide-react";
import type { TurnView } from "#contract/chat/reducer.ts";
import type { Recall } from "#contract/skills/schema.ts";
import { Expander } from "../../components/expander.tsx";
import { RecallExplanation } from "../../components/recall-explanation.tsx";
import { routeHash } from "../../store/route.ts";
import { chargeOf } from "../../store/turn-parts.ts";
import { useChat } from "../../store/use-page.ts";
import styles from "./skill-line.module.css";

function question({ verdict }: Recall, isInCharge: boolean): string {
  if (isInCharge) return "Why was this recalled?";
  return verdict === "suggested" ? "No skill in charge. Why was one suggested?" : "No skill in charge. Why was nothing recalled?";
}

/** Which skill is in charge and why, or why none was recalled. */
export function SkillLine({ turn }: { readonly turn: TurnView }) {
  const { id, recall, mode } = turn.turn;
  const held = useChat((state) => state.runs[id]);
  const charge = chargeOf(turn, held);
  if (charge === null && recall === null) return null;
  const values = charge === null ? [] : Object.entries(charge.inputs);
  return (
    <div className={styles.line}>
      {charge === null ? null : (
        <p className={styles.charge}>
          <Sparkles aria-hidden size={15} />
          <span>
            Using {charge.isNamed ? <a href={routeHash("skills", charge.name)}>{charge.name}</a> : "a skill"}, revision {charge.revision}
            {mode === null ? "" : `, ${mode}`}
            {values.length === 0 ? "" : ", with "}
            {values.map(([name, value], at) => (
              <span key={name}>
                {at === 0 ? "" : ", "}
                {name} = <b>{value}</b>
              </span>
            ))}
          </span>
        </p>
      )}
      {recall === null ? null : (
        <Expander level={2} summary={question(recall, charge !== null)}>
          <RecallExplanation recall={recall} />
        </Expander>
      )}
    </div>
  );
}
