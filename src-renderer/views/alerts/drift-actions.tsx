import { Eye, GraduationCap, PowerOff, Undo2 } from "lucide-react";
import type { Alert, AlertAction } from "#contract/alerts/schema.ts";
import { Button } from "../../components/button.tsx";
import { exampleGoal } from "../../store/skill-parts.ts";
import { useStores } from "../../store/stores.ts";
import type { Attempt } from "../../store/use-attempt.ts";
import { usePage } from "../../store/use-page.ts";

export interface DriftActionsProps {
  readonly alert: Alert;
  readonly isOff: boolean;
  readonly attempt: Attempt;
  readonly onResolved: () => void;
}

/** The ways on for a skill that switched itself off: back to what worked, only the step shown that failed, all of it shown anew, or left off. */
export function DriftActions({ alert: { id, title, detail, skillId, revertTo }, isOff, attempt, onResolved }: DriftActionsProps) {
  const { client } = useStores();
  const teachAgain = usePage((state) => state.teachAgain);
  const act = async (action: AlertAction) => {
    await client.alerts.act({ id, action });
    onResolved();
  };
  async function learnAgain(name: string) {
    const { skill, revision } = await client.skills.get({ name });
    await act("learn-again");
    teachAgain({ skill: skill.name, goal: exampleGoal(revision), address: revision.capabilities.destinations[0] ?? "" });
  }
  async function showStep(name: string, step: number) {
    const { skill, revision } = await client.skills.get({ name });
    teachAgain({ skill: skill.name, goal: exampleGoal(revision), address: revision.capabilities.destinations[0] ?? "", step });
  }
  const step = Number(/\bStep (\d+)\b/u.exec(detail)?.[1] ?? 0);
  return (
    <>
      {revertTo === null ? null : (
        <Button
          icon={Undo2}
          tone="primary"
          label={`Revert to revision ${revertTo}: ${title}`}
          isDisabled={isOff}
          onPress={() => void attempt.run(() => act("revert"))}
        >
          Revert to revision {revertTo}
        </Button>
      )}
      {skillId === null || step === 0 ? null : (
        <Button icon={Eye} label={`Show step ${step}: ${title}`} isDisabled={isOff} onPress={() => void attempt.run(() => showStep(skillId, step))}>
          Show this step
        </Button>
      )}
      {skillId === null ? null : (
        <Button icon={GraduationCap} label={`Learn again: ${title}`} isDisabled={isOff} onPress={() => void attempt.run(() => learnAgain(skillId))}>
          Learn again
        </Button>
      )}
      <Button icon={PowerOff} label={`Keep off: ${title}`} isDisabled={isOff} onPress={() => void attempt.run(() => act("keep-off"))}>
        Keep off
      </Button>
    </>
  );
}
