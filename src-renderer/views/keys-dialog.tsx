import { ACTIONS } from "../actions/actions.ts";
import { keyText } from "../actions/key-text.ts";
import { ModalDialog } from "../components/modal-dialog.tsx";
import { usePage } from "../store/use-page.ts";
import styles from "./keys-dialog.module.css";

export function KeysDialog() {
  const show = usePage((state) => state.show);
  const bound = ACTIONS.filter((action) => action.keys !== undefined);
  return (
    <ModalDialog title="Keys" onClose={() => show(null)}>
      <dl className={styles.keys}>
        {bound.map(({ id, title, keys = [] }) => (
          <div key={id} className={styles.key}>
            <dt>{title}</dt>
            <dd>
              {keys.map((one) => (
                <kbd key={one}>{keyText(one)}</kbd>
              ))}
            </dd>
          </div>
        ))}
        <div className={styles.key}>
          <dt>Send the message</dt>
          <dd>
            <kbd>Enter</kbd>
          </dd>
        </div>
        <div className={styles.key}>
          <dt>New line in the message</dt>
          <dd>
            <kbd>Shift+Enter</kbd>
          </dd>
        </div>
      </dl>
    </ModalDialog>
  );
}
