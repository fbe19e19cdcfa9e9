import { Sparkles } from "lucide-react";
import { useState } from "react";
import type { TurnView } from "#contract/chat/reducer.ts";
import type { Recall } from "#contract/skills/schema.ts";
import { Expander } from "../../components/expander.tsx";
import { RecallExplanation } from "../../components/recall-explanation.tsx";
import { routeHash } from "../../store/route.ts";
import { chargeOf } from "../../store/turn-parts.ts";
import { useChat } from "../../store/use-page.ts";
import styles from "./skill-line.module.css";
import { TurnWhy } from "./turn-why.tsx";

function question(recall: Recall | null, isInCharge: boolean): string {
  if (isInCharge) return recall === null ? "Why this skill?" : "Why was this recalled?";
  if (recall === null) return "No skill in charge. Why?";
  const { verdict } = recall;
  if (verdict === "withheld") return "No skill in charge: the control left one out. Why?";
  return verdict === "suggested" ? "No skill in charge. Why was one suggested?" : "No skill in charge. Why was nothing recalled?";
}

/** Which skill is in charge and why, or why none was recalled. */
export function SkillLine({ turn }: { readonly turn: TurnView }) {
  const { id, recall, mode, choice, status } = turn.turn;
  const held = useChat((state) => state.runs[id]);
  const charge = chargeOf(turn, held);
  const [isOpen, setOpen] = useState(false);
  if (charge === null && recall === null && choice === undefined) return null;
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
      <Expander level={2} isOpen={isOpen} onOpenChange={setOpen} summary={question(recall, charge !== null)}>
        {isOpen ? <TurnWhy turnId={id} isEnded={status !== "running"} /> : null}
        {recall === null ? null : <RecallExplanation recall={recall} />}
      </Expander>
    </div>
  );
}
