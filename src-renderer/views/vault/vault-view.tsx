import { KeyRound, Lock } from "lucide-react";
import type { VaultStatus } from "#contract/vault/schema.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import { type Resource, useResource } from "../../store/use-resource.ts";
import { AuditList } from "./audit-list.tsx";
import { EntryList } from "./entry-list.tsx";
import { CreateForm, UnlockForm } from "./passphrase-form.tsx";
import { VaultCare } from "./vault-care.tsx";

/** Logins by name. Values go in through forms that are emptied when they are sent; nothing brings one back, and the page's store holds nothing of them. */
export function VaultView() {
  const { client } = useStores();
  const status = useResource("vault", (signal) => client.vault.status(undefined, { signal }));
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const lock = (): void => void attempt.run(async () => status.replace(await client.vault.lock()));
  return (
    <Page
      title="Vault"
      lead="Your logins, encrypted on this machine, each bound to the sites it belongs to. No model reads them, and no page but theirs."
      actions={
        status.value?.state === "unlocked" ? (
          <Button icon={Lock} isDisabled={!isConnected || attempt.isBusy} onPress={lock}>
            Lock now
          </Button>
        ) : null
      }
    >
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      <ResourceView resource={status} noun="vault">
        {(value) => (
          <>
            {value.auditProblem === null ? null : (
              <Notice tone="bad" title="The audit log was changed">
                {value.auditProblem}
              </Notice>
            )}
            <VaultIn status={value} resource={status} />
          </>
        )}
      </ResourceView>
    </Page>
  );
}

function VaultIn({ status, resource }: { readonly status: VaultStatus; readonly resource: Resource<VaultStatus> }) {
  if (status.state === "none") return <CreateForm icon={KeyRound} onDone={resource.replace} />;
  if (status.state === "locked") return <UnlockForm status={status} onDone={resource.replace} onFailed={resource.reload} />;
  return (
    <>
      <EntryList onLocked={resource.reload} />
      <VaultCare status={status} onChange={resource.replace} />
      <AuditList />
    </>
  );
}
