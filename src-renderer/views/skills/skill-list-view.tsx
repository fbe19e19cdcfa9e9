import { Eye, Sparkles } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { useStores } from "../../store/stores.ts";
import { useHost, useIsConnected, usePage } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { GoalTest } from "./goal-test.tsx";
import { LearningPasses } from "./learning-passes.tsx";
import { PackList } from "./pack-list.tsx";
import { SkillImport } from "./skill-import.tsx";
import { SkillLift } from "./skill-lift.tsx";
import { SkillRows } from "./skill-rows.tsx";

export function SkillListView() {
  const { client } = useStores();
  const show = usePage((state) => state.show);
  const isConnected = useIsConnected();
  const isLearning = useHost((state) => state.settings?.learning ?? true);
  const skills = useResource("skills", (signal) => client.skills.list({ all: true }, { signal }));
  const teach = (
    <Button icon={Eye} tone="primary" onPress={() => show("teach")} isDisabled={!isConnected}>
      Show me once
    </Button>
  );
  return (
    <Page
      title="Skills"
      lead="Routines Knack has learned. Each can be read, switched off, compared and put back; one that stops working switches itself off and tells you."
      actions={teach}
    >
      {isLearning ? null : (
        <Notice tone="info" title="Learning is off">
          Nothing new is learned and no skill is used. You can change this in <a href="#/settings">Settings</a>.
        </Notice>
      )}
      <ResourceView resource={skills} noun="skills">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Sparkles} title="Nothing learned yet" actions={teach}>
              Show Knack a task once in its browser window, or say “That worked” after the same kind of task has gone well three times.
            </EmptyState>
          ) : (
            <SkillRows skills={all} onChange={skills.reload} />
          )
        }
      </ResourceView>
      <SkillImport onImported={skills.reload} />
      <PackList />
      <GoalTest />
      <SkillLift />
      <LearningPasses onApplied={skills.reload} />
    </Page>
  );
}
