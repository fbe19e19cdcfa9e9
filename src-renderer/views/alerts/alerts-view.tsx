import { BellOff } from "lucide-react";
import { useRef, useState } from "react";
import type { Alert } from "#contract/alerts/schema.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { useStores } from "../../store/stores.ts";
import { useHost, usePage } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { AlertCard } from "./alert-card.tsx";
import styles from "./alerts.module.css";

export function AlertsView() {
  const { client } = useStores();
  const [isAll, setAll] = useState(false);
  const alerts = useResource(`alerts ${isAll}`, (signal) => client.alerts.list({ all: isAll }, { signal }));
  const skills = useResource("skills by id", (signal) => client.skills.list({ all: true }, { signal }));
  const refresh = useHost((state) => state.refresh);
  const say = usePage((state) => state.say);
  const list = useRef<HTMLDivElement>(null);
  function resolved() {
    alerts.reload();
    void refresh();
    say("Resolved.");
    // The card that had the focus is about to go.
    list.current?.focus();
  }
  const draw = (title: string, some: readonly Alert[]) =>
    some.length === 0 ? null : (
      <section className={styles.group} aria-label={title}>
        <h2>{title}</h2>
        <ul className={styles.alerts}>
          {some.map((alert) => (
            <AlertCard key={alert.id} alert={alert} skillName={skills.value?.find(({ id }) => id === alert.skillId)?.name ?? null} onResolved={resolved} />
          ))}
        </ul>
      </section>
    );
  return (
    <Page
      title="Alerts"
      lead="Things a person should look at: a skill that stopped working, a proposed change, something that was refused, damaged data."
      actions={
        <Toggle isOn={isAll} onChange={setAll}>
          Show resolved
        </Toggle>
      }
    >
      <ResourceView resource={alerts} noun="alerts">
        {(all) => (
          <div ref={list} tabIndex={-1} className={styles.lists}>
            {all.some(({ resolvedAt }) => resolvedAt === null) ? null : (
              <EmptyState icon={BellOff} title={isAll && all.length === 0 ? "There has been no alert" : "Nothing to look at"}>
                When a skill fails a few times in a row it is switched off and reported here, with what was expected and what was seen.
              </EmptyState>
            )}
            {draw(
              "Open",
              all.filter(({ resolvedAt }) => resolvedAt === null),
            )}
            {draw(
              "Resolved",
              all.filter(({ resolvedAt }) => resolvedAt !== null),
            )}
          </div>
        )}
      </ResourceView>
    </Page>
  );
}
