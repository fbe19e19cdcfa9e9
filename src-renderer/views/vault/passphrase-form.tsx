import { LockOpen, type LucideIcon } from "lucide-react";
import { useEffect, useState } from "react";
import type { VaultStatus } from "#contract/vault/schema.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import styles from "./vault.module.css";

/** The first passphrase, typed twice: nobody can recover it. */
export function CreateForm({ icon, onDone }: { readonly icon: LucideIcon; readonly onDone: (status: VaultStatus) => void }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const [passphrase, setPassphrase] = useState("");
  const [again, setAgain] = useState("");
  const isSame = passphrase === again;
  const canMake = isConnected && !attempt.isBusy && passphrase !== "" && isSame;
  return (
    <>
      <EmptyState icon={icon} title="No vault yet">
        Choose a passphrase that you remember and nobody guesses. It is the only way in: Knack cannot recover it.
      </EmptyState>
      <Card title="Make a vault">
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!canMake) return;
            setPassphrase("");
            setAgain("");
            void attempt.run(async () => onDone(await client.vault.create({ passphrase })));
          }}
        >
          <TextField type="password" label="Passphrase" value={passphrase} onChange={setPassphrase} help="At least 8 characters." problem={attempt.problem} />
          <TextField
            type="password"
            label="Passphrase, once more"
            value={again}
            onChange={setAgain}
            problem={again !== "" && !isSame ? "The two are not the same." : null}
          />
          <Button type="submit" tone="primary" isDisabled={!canMake}>
            Make the vault
          </Button>
        </form>
      </Card>
    </>
  );
}

export interface UnlockFormProps {
  readonly status: VaultStatus;
  readonly onDone: (status: VaultStatus) => void;
  /** How often it was wrong, and the wait, are to be read anew. */
  readonly onFailed: () => void;
}

export function UnlockForm({ status, onDone, onFailed }: UnlockFormProps) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const [passphrase, setPassphrase] = useState("");
  const wait = useSecondsLeft(status);
  const canTry = isConnected && !attempt.isBusy && wait === 0;
  const run = async (unlock: () => Promise<VaultStatus>): Promise<void> => {
    if (!(await attempt.run(async () => onDone(await unlock())))) onFailed();
  };
  return (
    <Card title="Locked">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!canTry || passphrase === "") return;
          setPassphrase("");
          void run(() => client.vault.unlock({ passphrase }));
        }}
      >
        <TextField type="password" label="Passphrase" value={passphrase} onChange={setPassphrase} problem={attempt.problem} autoFocus />
        {wait === 0 ? null : (
          <Notice tone="warn">
            {status.failures} wrong passphrases in a row. The next can be tried in {wait} s.
          </Notice>
        )}
        <div className={styles.buttons}>
          <Button type="submit" tone="primary" icon={LockOpen} isDisabled={!canTry || passphrase === ""}>
            Unlock
          </Button>
          {status.keychain.state === "on" ? (
            <Button isDisabled={!isConnected || attempt.isBusy} onPress={() => void run(() => client.vault.unlockByKeychain())}>
              Unlock by the keychain
            </Button>
          ) : null}
        </div>
        <p className={styles.quiet}>It is unlocked for this app alone; commands in a terminal ask for the passphrase themselves.</p>
      </form>
    </Card>
  );
}

/** Seconds until the next try, counted down from when the status was read. */
function useSecondsLeft(status: VaultStatus): number {
  const [left, setLeft] = useState(Math.ceil(status.waitMs / 1000));
  useEffect(() => {
    const until = Date.now() + status.waitMs;
    const look = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    look();
    const timer = setInterval(look, 500);
    return () => clearInterval(timer);
  }, [status]);
  return left;
}
