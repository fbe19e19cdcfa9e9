import { liftWords } from "#contract/skills/lift.ts";
import { Card } from "../../components/card.tsx";
import { useStores } from "../../store/stores.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "./skills.module.css";

/** What one skill, or all of them, was worth by the control; nothing where it is off and never was on. */
export function SkillLift({ name }: { readonly name?: string }) {
  const { client } = useStores();
  const lift = useResource(`lift ${name ?? ""}`, (signal) => client.skills.lift(name === undefined ? {} : { name }, { signal }));
  const words = lift.value === null ? [] : liftWords(lift.value);
  if (words.length === 0 && lift.problem === null) return null;
  return (
    <Card title={name === undefined ? "What skills are worth" : "What it is worth"}>
      {lift.problem === null ? null : <p className={styles.problem}>{lift.problem}</p>}
      {words.map((line, at) => (
        <p key={line} className={at === 0 ? styles.quiet : undefined}>
          {line}
        </p>
      ))}
    </Card>
  );
}
