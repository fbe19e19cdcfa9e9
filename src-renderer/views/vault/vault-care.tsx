import { Download, KeySquare, RefreshCw } from "lucide-react";
import { useState } from "react";
import type { VaultStatus } from "#contract/vault/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Card } from "../../components/card.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { saveText } from "../../store/save-text.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./vault.module.css";

type Care = "passphrase" | "rotate" | "export";

/** Passphrase, key, copy and keychain. */
export function VaultCare({ status, onChange }: { readonly status: VaultStatus; readonly onChange: (status: VaultStatus) => void }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const [care, setCare] = useState<Care | null>(null);
  const { keychain } = status;
  return (
    <Card title="Passphrase and copies">
      <div className={styles.buttons}>
        <Button icon={KeySquare} isDisabled={!isConnected} onPress={() => setCare("passphrase")}>
          Change the passphrase
        </Button>
        <Button icon={RefreshCw} isDisabled={!isConnected} onPress={() => setCare("rotate")}>
          Seal everything by a new key
        </Button>
        <Button icon={Download} isDisabled={!isConnected} onPress={() => setCare("export")}>
          Save an encrypted copy
        </Button>
      </div>
      <Toggle
        isOn={keychain.state === "on"}
        isDisabled={!isConnected || attempt.isBusy || keychain.state === "unavailable"}
        onChange={(on) => void attempt.run(async () => onChange(await client.vault.setKeychain({ on })))}
      >
        Unlock by the operating system’s keychain
      </Toggle>
      <p className={styles.quiet}>{keychain.message}</p>
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      {care === null ? null : <CareDialog care={care} onClose={() => setCare(null)} />}
    </Card>
  );
}

const WORDS: Record<Care, { readonly title: string; readonly act: string; readonly next: string | null; readonly done: string }> = {
  passphrase: { title: "Change the passphrase", act: "Change", next: "New passphrase", done: "The passphrase is changed." },
  rotate: { title: "Seal everything by a new key", act: "Seal", next: null, done: "Every login is sealed by a new key." },
  export: { title: "Save an encrypted copy", act: "Save", next: "Passphrase of the copy", done: "The encrypted copy is saved." },
};

/** Each asks for the passphrase once more: an open page alone is not enough. */
function CareDialog({ care, onClose }: { readonly care: Care; readonly onClose: () => void }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const say = usePage((state) => state.say);
  const attempt = useAttempt();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const words = WORDS[care];
  const isSame = next === again;
  const canDo = isConnected && !attempt.isBusy && current !== "" && (words.next === null || (next !== "" && isSame));

  async function work(): Promise<void> {
    if (care === "passphrase") await client.vault.changePassphrase({ current, next });
    else if (care === "rotate") await client.vault.rotate({ passphrase: current });
    else saveText("knack-vault.age", (await client.vault.export({ passphrase: current, exportPassphrase: next })).text, "application/octet-stream");
  }

  async function submit(): Promise<void> {
    setCurrent("");
    setNext("");
    setAgain("");
    if (!(await attempt.run(work))) return;
    say(words.done);
    onClose();
  }

  return (
    <ModalDialog title={words.title} onClose={onClose} isFirm>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (canDo) void submit();
        }}
      >
        <TextField type="password" label="Passphrase of the vault" value={current} onChange={setCurrent} problem={attempt.problem} autoFocus />
        {words.next === null ? null : (
          <>
            <TextField type="password" label={words.next} value={next} onChange={setNext} help="At least 8 characters." />
            <TextField
              type="password"
              label={`${words.next}, once more`}
              value={again}
              onChange={setAgain}
              problem={again !== "" && !isSame ? "The two are not the same." : null}
            />
          </>
        )}
        {care === "export" ? <p className={styles.quiet}>It is an age file: any tool for age opens it with its passphrase.</p> : null}
        <ButtonRow align="end">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isDisabled={!canDo}>
            {words.act}
          </Button>
        </ButtonRow>
      </form>
    </ModalDialog>
  );
}
