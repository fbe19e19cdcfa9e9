import { Plus, ShieldCheck, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Grant } from "#contract/grants/schema.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Moment } from "../../components/moment.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { TextField } from "../../components/text-field.tsx";
import { formatGrant, formatGrantNote } from "../../format/grant.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "../list-view.module.css";
import { StandingApprovals } from "./standing-approvals.tsx";

const KINDS: readonly { readonly kind: Grant["kind"]; readonly title: string }[] = [
  { kind: "destination", title: "Sites" },
  { kind: "workspace", title: "Folders" },
  { kind: "vault", title: "Credentials" },
  { kind: "primitive", title: "Kinds of action" },
];

export function PermissionsView() {
  const { client } = useStores();
  const grants = useResource("grants", (signal) => client.grants.list(undefined, { signal }));
  const isConnected = useIsConnected();
  const [what, setWhat] = useState("");
  const [revoking, setRevoking] = useState<Grant | null>(null);
  const attempt = useAttempt();
  const canAdd = isConnected && !attempt.isBusy && what.trim() !== "";
  return (
    <Page
      title="Permissions"
      lead="Everything Knack may reach. Only you add to it: no page, skill or model can. Taking one away counts from the next action on."
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!canAdd) return;
          void attempt.run(async () => {
            await client.grants.add({ what: what.trim() });
            setWhat("");
            grants.reload();
          });
        }}
      >
        <TextField
          label="Allow a site or folder"
          value={what}
          onChange={setWhat}
          placeholder="https://portal.example"
          help="An address, a folder, a login (login:NAME), or the name of a kind of action."
          problem={attempt.problem}
        />
        <Button type="submit" icon={Plus} isDisabled={!canAdd}>
          Allow
        </Button>
      </form>
      <ResourceView resource={grants} noun="permissions">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={ShieldCheck} title="Nothing is allowed yet">
              Knack can chat, but reach no site and no folder. It asks when a task needs one, or you add it above.
            </EmptyState>
          ) : (
            KINDS.map(({ kind, title }) => {
              const group = all.filter((grant) => grant.kind === kind);
              if (group.length === 0) return null;
              return (
                <section key={kind} className={styles.group} aria-label={title}>
                  <h2>{title}</h2>
                  <ul className={styles.rows}>
                    {group.map((grant) => (
                      <li key={grant.id} className={styles.row}>
                        <div className={styles.text}>
                          <p>{formatGrant(grant)}</p>
                          <p className={styles.quiet}>
                            by {grant.by}, <Moment at={grant.createdAt} />
                            {formatGrantNote(grant) === "" ? "" : `; ${formatGrantNote(grant)}`}
                          </p>
                        </div>
                        <IconButton icon={Trash2} label={`Revoke ${formatGrant(grant)}`} isDisabled={!isConnected} onPress={() => setRevoking(grant)} />
                      </li>
                    ))}
                  </ul>
                </section>
              );
            })
          )
        }
      </ResourceView>
      <StandingApprovals />
      {revoking === null ? null : (
        <ConfirmDialog
          title="Take this permission away?"
          act="Revoke"
          isDanger
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await client.grants.revoke({ id: revoking.id });
            grants.reload();
          }}
        >
          <p>
            “{formatGrant(revoking)}” is refused from the next action on, and open connections to it are closed. Skills that need it are refused as a whole.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}
