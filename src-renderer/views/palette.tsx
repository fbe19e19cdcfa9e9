import { Autocomplete, Dialog, Input, Menu, MenuItem, Modal, ModalOverlay, SearchField, useFilter } from "react-aria-components";
import { ACTIONS } from "../actions/actions.ts";
import { keyText } from "../actions/key-text.ts";
import { classNames } from "../components/class-names.ts";
import { useStores } from "../store/stores.ts";
import { useChat, usePage } from "../store/use-page.ts";
import styles from "./palette.module.css";

/** Actions and conversations by name: type, arrow, Enter. */
export function Palette() {
  const stores = useStores();
  const show = usePage((state) => state.show);
  const go = usePage((state) => state.go);
  const conversations = useChat((state) => state.conversations) ?? [];
  const { contains } = useFilter({ sensitivity: "base" });
  const actions = ACTIONS.filter((action) => action.id !== "palette" && (action.isAvailable?.(stores) ?? true));
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && show(null)} className={classNames(styles.veil)}>
      <Modal className={classNames(styles.modal)}>
        <Dialog aria-label="Find an action or a conversation" className={classNames(styles.dialog)}>
          <Autocomplete filter={contains}>
            <SearchField aria-label="Find" autoFocus className={classNames(styles.search)}>
              <Input placeholder="Find an action or a conversation" className={classNames(styles.input)} />
            </SearchField>
            <Menu aria-label="Results" className={classNames(styles.menu)} renderEmptyState={() => <p className={styles.none}>Nothing by that name</p>}>
              {[
                ...actions.map((action) => (
                  <MenuItem
                    key={action.id}
                    id={action.id}
                    textValue={action.title}
                    className={classNames(styles.item)}
                    onAction={() => {
                      show(null);
                      action.run(stores);
                    }}
                  >
                    <span>{action.title}</span>
                    {action.keys?.[0] === undefined ? null : <kbd>{keyText(action.keys[0])}</kbd>}
                  </MenuItem>
                )),
                ...conversations.map(({ id, title }) => (
                  <MenuItem key={id} id={id} textValue={title} className={classNames(styles.item)} onAction={() => go("chat", id)}>
                    <span>{title}</span>
                    <small>conversation</small>
                  </MenuItem>
                )),
              ]}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
