import { Play } from "lucide-react";
import { useState } from "react";
import type { SkillDetail } from "#contract/skills/routes.ts";
import type { Mode } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Choices } from "../../components/choices.tsx";
import { Notice } from "../../components/notice.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { formatGoal } from "../../format/goal.ts";
import { runningIn } from "../../store/chat-store.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./skills.module.css";

export interface SkillRunProps {
  readonly detail: SkillDetail;
  readonly onChange: (detail: SkillDetail) => void;
}

/** Runs the skill with values of one's own, in a new conversation; and how it is followed where nobody says. */
export function SkillRun({ detail: { skill, revision }, onChange }: SkillRunProps) {
  const { client, chat } = useStores();
  const attempt = useAttempt();
  const inputs = Object.entries(revision.inputs.properties);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [mode, setMode] = useState<Mode>(skill.mode);
  const go = usePage((state) => state.go);
  const isAtWork = useChat((state) => runningIn(state, null) !== null);
  const isConnected = useIsConnected();
  const values = Object.fromEntries(
    inputs.map(([name, input]) => [name, (typed[name] ?? input.default ?? "").trim()] as const).filter(([, value]) => value !== ""),
  );
  const goal = formatGoal(revision.goal, values);
  const isOn = skill.status === "active" || skill.status === "provisional";
  const isProven = skill.trust.runs > 0 && skill.trust.band === "offered";
  const isComplete = revision.inputs.required.every((name) => values[name] !== undefined);
  const isReady = isOn && isConnected && !isAtWork && isComplete && goal !== "";
  return (
    <Card title="Run it now">
      <form
        className={styles.list}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          go("chat");
          void chat.getState().send({ text: goal, skill: skill.name, mode, ...(inputs.length === 0 ? {} : { inputs: values }) });
        }}
      >
        {inputs.length === 0 ? null : (
          <div className={styles.inputs}>
            {inputs.map(([name, input]) => {
              const field = {
                label: name,
                value: typed[name] ?? input.default ?? "",
                onChange: (value: string) => setTyped({ ...typed, [name]: value }),
                isDisabled: !isOn,
              };
              return input.choices === undefined ? (
                <TextField key={name} {...field} help={input.description} placeholder={input.examples[0] ?? ""} />
              ) : (
                <SelectField key={name} {...field} options={[{ value: "", name: "Choose …" }, ...input.choices.map((value) => ({ value, name: value }))]} />
              );
            })}
          </div>
        )}
        <Choices
          label="How"
          value={mode}
          onChange={setMode}
          isDisabled={!isOn}
          choices={[
            { value: "advisory", name: "Advisory", note: "The model follows the steps and adapts them." },
            {
              value: "assisted",
              name: "Assisted",
              note: isProven ? "Knack takes the steps; the model helps where one needs judgement or fails." : "Offered once it has worked often enough.",
              isDisabled: !isProven,
            },
            {
              value: "strict",
              name: "Strict",
              note: skill.fullyMechanical ? "Without the model; stops at the first check that fails." : "Not possible: a step needs judgement.",
              isDisabled: !skill.fullyMechanical,
            },
          ]}
        />
        <Toggle
          isOn={skill.mode === "assisted"}
          isDisabled={!isConnected || attempt.isBusy || (!isProven && skill.mode !== "assisted")}
          onChange={(isOn) => void attempt.run(async () => onChange(await client.skills.setMode({ name: skill.name, mode: isOn ? "assisted" : "advisory" })))}
        >
          Assisted whenever it is used
        </Toggle>
        {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
        <div className={styles.form}>
          <p className={styles.quiet}>
            {!isOn
              ? "Switch the skill on to run it."
              : isAtWork
                ? "Knack is at work on something else."
                : isComplete
                  ? `Asks for: “${goal}”`
                  : "Say every value that is needed."}
          </p>
          <Button type="submit" icon={Play} tone="primary" isDisabled={!isReady}>
            Run
          </Button>
        </div>
      </form>
    </Card>
  );
}
