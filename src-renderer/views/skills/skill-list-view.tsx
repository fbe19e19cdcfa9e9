import { Eye, Sparkles } from "lucide-react";
import { useState } from "react";
import type { SkillSummary } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { useStores } from "../../store/stores.ts";
import { useHost, useIsConnected, usePage } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { GoalTest } from "./goal-test.tsx";
import { LearningPasses } from "./learning-passes.tsx";
import { SkillRow } from "./skill-row.tsx";
import styles from "./skills.module.css";

/** Above this many the app says so (SPEC 3.5); it merges nothing by itself. */
const MANY = 30;

export function SkillListView() {
  const { client } = useStores();
  const show = usePage((state) => state.show);
  const isConnected = useIsConnected();
  const isLearning = useHost((state) => state.settings?.learning ?? true);
  const [isRetiredShown, setRetiredShown] = useState(false);
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
        {(all) => {
          const retired = all.filter(({ status }) => status === "retired");
          const shown = isRetiredShown ? all : all.filter(({ status }) => status !== "retired");
          const active = all.filter(({ status }) => status === "active" || status === "provisional");
          if (all.length === 0) {
            return (
              <EmptyState icon={Sparkles} title="Nothing learned yet" actions={teach}>
                Show Knack a task once in its browser window, or say “That worked” after the same kind of task has gone well three times.
              </EmptyState>
            );
          }
          return (
            <div className={styles.stack}>
              {active.length > MANY ? (
                <Notice tone="warn">
                  {active.length} skills are on. Look through them now and then: the fewer there are, the better the right one is found.
                </Notice>
              ) : null}
              {retired.length === 0 ? null : (
                <Toggle isOn={isRetiredShown} onChange={setRetiredShown}>
                  Show {retired.length} retired
                </Toggle>
              )}
              <SkillRows skills={shown} onChange={skills.reload} />
            </div>
          );
        }}
      </ResourceView>
      <GoalTest />
      <LearningPasses onApplied={skills.reload} />
    </Page>
  );
}

function SkillRows({ skills, onChange }: { readonly skills: readonly SkillSummary[]; readonly onChange: () => void }) {
  return (
    <ul className={styles.rows} aria-label="Skills">
      {skills.map((skill) => (
        <SkillRow key={skill.id} skill={skill} onChange={onChange} />
      ))}
    </ul>
  );
}
