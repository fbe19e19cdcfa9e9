import { Brain, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Fact } from "#contract/memory/schema.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { TextField } from "../../components/text-field.tsx";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useHost, useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "../list-view.module.css";

const LABELS: Record<Fact["label"], string> = { SOUL: "About you", PREFERENCE: "How you like things", FOCUS: "What you are at now", NOTE: "Notes" };

export function MemoryView() {
  const { client } = useStores();
  const facts = useResource("facts", (signal) => client.memory.list(undefined, { signal }));
  const isOn = useHost((state) => state.settings?.memory ?? true);
  const isConnected = useIsConnected();
  const [text, setText] = useState("");
  const [forgetting, setForgetting] = useState<Fact | null>(null);
  const attempt = useAttempt();
  const canAdd = isConnected && !attempt.isBusy && text.trim() !== "";
  return (
    <Page title="Memory" lead="What Knack knows about you. It uses these facts in every conversation; you can take each one away.">
      {isOn ? null : (
        <Notice tone="info" title="Memory is off">
          None of this is used or added to. You can change this in <a href="#/settings">Settings</a>.
        </Notice>
      )}
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!canAdd) return;
          void attempt.run(async () => {
            await client.memory.add({ text: text.trim() });
            setText("");
            facts.reload();
          });
        }}
      >
        <TextField label="Remember that …" value={text} onChange={setText} placeholder="I prefer invoices as PDF" problem={attempt.problem} />
        <Button type="submit" icon={Plus} isDisabled={!canAdd}>
          Add
        </Button>
      </form>
      <ResourceView resource={facts} noun="memory">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Brain} title="Nothing remembered yet">
              Tell Knack in a chat (“remember that …”) or write it above.
            </EmptyState>
          ) : (
            Object.entries(LABELS).map(([label, title]) => {
              const group = all.filter((fact) => fact.label === label);
              if (group.length === 0) return null;
              return (
                <section key={label} className={styles.group} aria-label={title}>
                  <h2>{title}</h2>
                  <ul className={styles.rows}>
                    {group.map((fact) => (
                      <li key={fact.id} className={styles.row}>
                        <div className={styles.text}>
                          <p>{fact.text}</p>
                          <p className={styles.quiet}>
                            {fact.source === "agent:dreaming" ? "found in what you said" : fact.source}, <Moment at={fact.updatedAt} />
                            {fact.provenance === undefined ? null : (
                              <>
                                {" · "}
                                <a href={routeHash("chat", fact.provenance.conversationId, fact.provenance.messageId)}>where you said it</a>
                              </>
                            )}
                          </p>
                        </div>
                        <IconButton icon={Trash2} label={`Forget “${fact.text}”`} isDisabled={!isConnected} onPress={() => setForgetting(fact)} />
                      </li>
                    ))}
                  </ul>
                </section>
              );
            })
          )
        }
      </ResourceView>
      {forgetting === null ? null : (
        <ConfirmDialog
          title="Forget this?"
          act="Forget"
          isDanger
          onClose={() => setForgetting(null)}
          onConfirm={async () => {
            await client.memory.forget({ id: forgetting.id });
            facts.reload();
          }}
        >
          <p>“{forgetting.text}”</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}
