import { Button } from "../components/button.tsx";
import { ButtonRow } from "../components/button-row.tsx";
import { ModalDialog } from "../components/modal-dialog.tsx";
import { usePage } from "../store/use-page.ts";
import styles from "./told-dialog.module.css";

/** What an act came to that the user should read before going on. It stands above every view, for what was acted on may be gone. */
export function ToldDialog() {
  const told = usePage((state) => state.told);
  const tell = usePage((state) => state.tell);
  if (told === null) return null;
  return (
    <ModalDialog title={told.title} onClose={() => tell(null)}>
      <ul className={styles.lines}>
        {told.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <ButtonRow align="end">
        <Button tone="primary" autoFocus onPress={() => tell(null)}>
          Done
        </Button>
      </ButtonRow>
    </ModalDialog>
  );
}
