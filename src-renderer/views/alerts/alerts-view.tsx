import { BellOff } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { useStores } from "../../store/stores.ts";
import { useHost } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { AlertCard } from "./alert-card.tsx";
import styles from "./alerts.module.css";

export function AlertsView() {
  const { client } = useStores();
  const [isAll, setAll] = useState(false);
  const alerts = useResource(`alerts ${isAll}`, (signal) => client.alerts.list({ all: isAll }, { signal }));
  const skills = useResource("skills by id", (signal) => client.skills.list({ all: true }, { signal }));
  const refresh = useHost((state) => state.refresh);
  return (
    <Page
      title="Alerts"
      lead="Things a person should look at: a skill that stopped working, something that was refused, damaged data."
      actions={
        <Toggle isOn={isAll} onChange={setAll}>
          Show resolved
        </Toggle>
      }
    >
      <ResourceView resource={alerts} noun="alerts">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={BellOff} title={isAll ? "There has been no alert" : "Nothing to look at"}>
              When a skill fails a few times in a row it is switched off and reported here, with what was expected and what was seen.
            </EmptyState>
          ) : (
            <ul className={styles.alerts} aria-label="Alerts">
              {all.map((alert) => (
                <AlertCard
                  key={alert.id}
                  alert={alert}
                  skillName={skills.value?.find(({ id }) => id === alert.skillId)?.name ?? null}
                  onResolved={() => {
                    alerts.reload();
                    void refresh();
                  }}
                />
              ))}
            </ul>
          )
        }
      </ResourceView>
    </Page>
  );
}
