import { KeyRound, Pencil, Plus, ShieldCheck, ShieldOff, Trash2 } from "lucide-react";
import { useState } from "react";
import type { VaultEntry } from "#contract/vault/schema.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "../list-view.module.css";
import { EntryDialog } from "./entry-dialog.tsx";

/** The logins by name; `onLocked` is told when the vault turns out to be locked meanwhile. */
export function EntryList({ onLocked }: { readonly onLocked: () => void }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const entries = useResource("vault-entries", (signal) =>
    client.vault.entries(undefined, { signal }).catch((error: unknown) => {
      onLocked();
      throw error;
    }),
  );
  const grants = useResource("grants", (signal) => client.grants.list(undefined, { signal }));
  const attempt = useAttempt();
  const grantOf = (name: string) => grants.value?.find((grant) => grant.kind === "vault" && grant.entry === name);
  /** What Knack may do is the person's alone to say; taking it back counts from the next action on. */
  const allow = (name: string): void =>
    void attempt.run(async () => {
      const granted = grantOf(name);
      if (granted === undefined) await client.grants.add({ what: `login:${name}` });
      else await client.grants.revoke({ id: granted.id });
      grants.reload();
    });
  const [editing, setEditing] = useState<VaultEntry | "new" | null>(null);
  const [removing, setRemoving] = useState<VaultEntry | null>(null);
  return (
    <section className={styles.group} aria-label="Logins">
      <h2>Logins</h2>
      <ResourceView resource={entries} noun="logins">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={KeyRound} title="No login yet">
              Add one with the site it is for. Knack names it when a task needs it, and types it there and nowhere else.
            </EmptyState>
          ) : (
            <ul className={styles.rows}>
              {all.map((entry) => (
                <li key={entry.name} className={styles.row}>
                  <div className={styles.text}>
                    <p>{entry.name}</p>
                    <p className={styles.quiet}>
                      {entry.origins.join(", ")}; {entry.fields.join(", ")}; changed <Moment at={entry.updatedAt} />
                    </p>
                    {entry.unmasked.length === 0 ? null : (
                      <p className={styles.quiet}>Too short or too common to be masked should a page repeat it: {entry.unmasked.join(", ")}</p>
                    )}
                    <p className={styles.quiet}>{grantOf(entry.name) === undefined ? "Knack may not sign in with it" : "Knack may sign in with it"}</p>
                  </div>
                  <IconButton
                    icon={grantOf(entry.name) === undefined ? ShieldCheck : ShieldOff}
                    label={grantOf(entry.name) === undefined ? `Let Knack sign in with ${entry.name}` : `Keep Knack from signing in with ${entry.name}`}
                    isDisabled={!isConnected || attempt.isBusy || grants.value === null}
                    onPress={() => allow(entry.name)}
                  />
                  <IconButton icon={Pencil} label={`Change ${entry.name}`} isDisabled={!isConnected} onPress={() => setEditing(entry)} />
                  <IconButton icon={Trash2} label={`Remove ${entry.name}`} isDisabled={!isConnected} onPress={() => setRemoving(entry)} />
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      <div>
        <Button icon={Plus} isDisabled={!isConnected} onPress={() => setEditing("new")}>
          Add a login
        </Button>
      </div>
      {editing === null ? null : <EntryDialog entry={editing === "new" ? null : editing} onClose={() => setEditing(null)} onDone={entries.reload} />}
      {removing === null ? null : (
        <ConfirmDialog
          title="Remove this login?"
          act="Remove"
          isDanger
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await client.vault.remove({ name: removing.name });
            entries.reload();
          }}
        >
          <p>“{removing.name}” is gone for good, with every value in it. Skills that need it ask for it.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
