import { useEffect } from "react";
import { useStores } from "../store/stores.ts";
import { ACTIONS } from "./actions.ts";
import { matchesKeys } from "./key-text.ts";

/** Listens for every action's keys. What a field, menu or dialog has already used is left alone. */
export function useActionKeys(): void {
  const stores = useStores();
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      const isInDialog = document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;
      if (isInDialog) return;
      const action = ACTIONS.find(({ keys = [], isAvailable }) => keys.some((one) => matchesKeys(event, one)) && (isAvailable?.(stores) ?? true));
      if (action === undefined) return;
      event.preventDefault();
      action.run(stores);
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [stores]);
}
