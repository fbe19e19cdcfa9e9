import { useState } from "react";
import type { VaultEntry } from "#contract/vault/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import styles from "./vault.module.css";

const FIELDS = [
  { field: "username", label: "User name", help: "" },
  { field: "password", label: "Password", help: "" },
  { field: "totp", label: "One-time codes", help: "The address a site shows (otpauth://totp/…), or its seed. The seed never leaves the vault." },
] as const;

export interface EntryDialogProps {
  /** Null for a new one. */
  readonly entry: VaultEntry | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Values are typed unseen and forgotten here as they are sent; what is kept already is never shown, a field left empty stays as it is. */
export function EntryDialog({ entry, onClose, onDone }: EntryDialogProps) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const [name, setName] = useState(entry?.name ?? "");
  const [sites, setSites] = useState(entry?.origins.join("\n") ?? "");
  const [allowHttp, setAllowHttp] = useState(entry?.origins.some((origin) => origin.startsWith("http:")) ?? false);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
  const origins = sites.split(/\s+/u).filter((site) => site !== "");
  const canSave = isConnected && !attempt.isBusy && name.trim() !== "" && origins.length > 0 && (entry !== null || Object.keys(given).length > 0);

  async function save(): Promise<void> {
    setValues({});
    const insisting = allowHttp ? { allowHttp } : {};
    const isDone = await attempt.run(async () => {
      if (entry === null) await client.vault.add({ name: name.trim(), origins, values: given, ...insisting });
      else await client.vault.edit({ name: entry.name, change: { name: name.trim(), origins, values: given, ...insisting } });
    });
    if (!isDone) return;
    onDone();
    onClose();
  }

  return (
    <ModalDialog title={entry === null ? "Add a login" : `Change ${entry.name}`} onClose={onClose} isFirm>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (canSave) void save();
        }}
      >
        <TextField label="Name" value={name} onChange={setName} placeholder="portal" help="What Knack calls it: letters, digits, dots and hyphens." autoFocus />
        <TextField
          label="Sites"
          value={sites}
          onChange={setSites}
          rows={2}
          placeholder="https://portal.example"
          help="One a line. It is typed there and nowhere else."
        />
        {FIELDS.map(({ field, label, help }) => (
          <TextField
            key={field}
            type="password"
            label={label}
            value={values[field] ?? ""}
            onChange={(value) => setValues((before) => ({ ...before, [field]: value }))}
            {...(entry?.fields.includes(field) ? { placeholder: "kept as it is" } : {})}
            {...(help === "" ? {} : { help })}
          />
        ))}
        <Toggle isOn={allowHttp} onChange={setAllowHttp}>
          A site of this machine without https is meant
        </Toggle>
        {attempt.problem === null ? null : (
          <Notice tone="bad" title="It was not kept; type the values again">
            {attempt.problem}
          </Notice>
        )}
        <ButtonRow align="end">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isDisabled={!canSave}>
            {entry === null ? "Add" : "Save"}
          </Button>
        </ButtonRow>
      </form>
    </ModalDialog>
  );
}
