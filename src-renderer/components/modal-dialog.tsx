import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { classNames } from "./class-names.ts";
import { IconButton } from "./icon-button.tsx";
import styles from "./modal-dialog.module.css";

export interface ModalDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: "small" | "large";
  /** Where a slip would lose something, neither Esc nor a click beside it closes. */
  readonly isFirm?: boolean;
  readonly role?: "dialog" | "alertdialog";
}

export function ModalDialog({ title, onClose, children, size = "small", isFirm = false, role = "dialog" }: ModalDialogProps) {
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      isDismissable={!isFirm && role === "dialog"}
      isKeyboardDismissDisabled={isFirm}
      className={classNames(styles.veil)}
    >
      <Modal className={classNames(styles.modal, styles[size])}>
        <Dialog role={role} className={classNames(styles.dialog)}>
          <div className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {isFirm || role === "alertdialog" ? null : <IconButton icon={X} label="Close" onPress={onClose} />}
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
