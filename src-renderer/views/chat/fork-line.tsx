import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Fork } from "#contract/conversations/routes.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { usePage } from "../../store/use-page.ts";
import styles from "./fork-line.module.css";

/** Goes between the turns that different branches have in the same place. */
export function ForkLine({ fork: { turnId, among } }: { readonly fork: Fork }) {
  const go = usePage((state) => state.go);
  const at = among.findIndex((one) => one.turnId === turnId);
  const show = (index: number) => {
    const one = among[index];
    if (one !== undefined) go("chat", one.conversationId, one.turnId);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons are no form
    <div className={styles.fork} role="group" aria-label="Branches here">
      <IconButton icon={ChevronLeft} label="The branch before" isDisabled={at <= 0} onPress={() => show(at - 1)} />
      <span>
        {at + 1} of {among.length}
      </span>
      <IconButton icon={ChevronRight} label="The next branch" isDisabled={at >= among.length - 1} onPress={() => show(at + 1)} />
    </div>
  );
}
