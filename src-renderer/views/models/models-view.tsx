import { Cpu } from "lucide-react";
import type { ModelState } from "#contract/models/schema.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { useStores } from "../../store/stores.ts";
import { useHost, useModels } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { InMemory } from "./in-memory.tsx";
import { ModelCard } from "./model-card.tsx";
import styles from "./models.module.css";

const ROLES: readonly { readonly role: ModelState["role"]; readonly title: string; readonly lead: string }[] = [
  { role: "chat", title: "To chat and work with", lead: "Reads, decides and writes. A bigger one is abler and slower." },
  { role: "embedding", title: "To compare goals with", lead: "Finds the skill that fits. Skills are compared anew when it changes." },
];

export function ModelsView() {
  const { client } = useStores();
  const changes = useModels((state) => state.changes);
  const models = useResource(`models ${changes}`, (signal) => client.models.list(undefined, { signal }));
  const isOffline = useHost((state) => state.status?.offline ?? false);
  const refresh = useHost((state) => state.refresh);
  const reload = () => {
    models.reload();
    void refresh();
  };
  return (
    <Page title="Models" lead="Files that run on this machine; nothing you write leaves it. Every file is checked against its SHA-256 before it is used.">
      {isOffline ? (
        <Notice tone="info" title="You are offline">
          What is here can be used. Downloads begin when the network is back; one that was under way goes on where it stopped.
        </Notice>
      ) : null}
      <InMemory />
      <ResourceView resource={models} noun="models">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Cpu} title="The catalogue is empty">
              Knack's list of models could not be found beside the program.
            </EmptyState>
          ) : (
            ROLES.map(({ role, title, lead }) => {
              const models = all.filter((model) => model.role === role).sort((one, other) => one.preference - other.preference);
              if (models.length === 0) return null;
              return (
                <section key={role} className={styles.role} aria-label={title}>
                  <div>
                    <h2>{title}</h2>
                    <p className={styles.quiet}>{lead}</p>
                  </div>
                  <ul className={styles.models}>
                    {models.map((model) => (
                      <ModelCard key={model.id} model={model} onChange={reload} />
                    ))}
                  </ul>
                </section>
              );
            })
          )
        }
      </ResourceView>
    </Page>
  );
}
