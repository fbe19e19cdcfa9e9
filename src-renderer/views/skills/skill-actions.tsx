import { Archive, Download, Pin, Power, PowerOff, Trash2 } from "lucide-react";
import { useState } from "react";
import type { SkillDetail } from "#contract/skills/routes.ts";
import type { SkillStatus } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { EraseDialog } from "../../components/erase-dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { saveText } from "../../store/save-text.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";

export function SkillActions({ detail, onChange }: { readonly detail: SkillDetail; readonly onChange: (detail: SkillDetail) => void }) {
  const { client } = useStores();
  const { name, status, pinned } = detail.skill;
  const [asks, setAsks] = useState<"retire" | "erase" | null>(null);
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const go = usePage((state) => state.go);
  const isOn = status === "active" || status === "provisional";
  const isOff = !isConnected || attempt.isBusy;
  const change = async (to: SkillStatus, reason: string) => onChange(await client.skills.setStatus({ name, status: to, reason }));
  return (
    <>
      <Button
        icon={Pin}
        isPressed={pinned}
        isDisabled={isOff}
        onPress={() => void attempt.run(async () => onChange(await client.skills.setPinned({ name, pinned: !pinned })))}
      >
        Pin
      </Button>
      {isOn ? (
        <Button icon={PowerOff} isDisabled={isOff} onPress={() => void attempt.run(() => change("disabled", "switched off by the user"))}>
          Switch off
        </Button>
      ) : (
        <Button
          icon={Power}
          isDisabled={isOff}
          onPress={() => void attempt.run(() => change("active", status === "retired" ? "revived by the user" : "switched on by the user"))}
        >
          {status === "retired" ? "Revive" : "Switch on"}
        </Button>
      )}
      {status === "retired" ? (
        <Button icon={Trash2} isDisabled={isOff} onPress={() => setAsks("erase")}>
          Erase
        </Button>
      ) : (
        <Button icon={Archive} isDisabled={isOff} onPress={() => setAsks("retire")}>
          Retire
        </Button>
      )}
      <Button
        icon={Download}
        isDisabled={isOff}
        onPress={() =>
          void attempt.run(async () => {
            const { fileName, text } = await client.skills.export({ name });
            saveText(fileName, text);
          })
        }
      >
        Export
      </Button>
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      {asks === "retire" ? (
        <ConfirmDialog title="Retire this skill?" act="Retire" onClose={() => setAsks(null)} onConfirm={() => change("retired", "retired by the user")}>
          <p>“{name}” is no longer used or recalled. It can be revived at any time.</p>
        </ConfirmDialog>
      ) : null}
      {asks === "erase" ? (
        <EraseDialog
          title="Erase this skill?"
          act="Erase"
          done="The skill is gone"
          onClose={() => setAsks(null)}
          onErase={async (backups) => {
            const erasure = await client.skills.erase({ name, ...(backups ? { backups } : {}) });
            go("skills");
            return erasure;
          }}
        >
          <p>“{name}” with all its revisions, ways to ask for it, what was shown for it and its links to conversations is gone for good.</p>
        </EraseDialog>
      ) : null}
    </>
  );
}
