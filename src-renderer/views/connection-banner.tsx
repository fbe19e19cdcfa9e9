import { RotateCw } from "lucide-react";
import { useStore } from "zustand";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { useNow } from "../components/use-now.ts";
import { useStores } from "../store/stores.ts";
import styles from "./connection-banner.module.css";

/** Says how the connection stands whenever it does not. */
export function ConnectionBanner() {
  const { connection, retryNow } = useStores();
  const state = useStore(connection);
  const now = useNow(state.phase === "waiting" ? 1000 : 0);
  if (state.phase === "waiting") {
    const seconds = Math.max(0, Math.ceil((state.retryAt - now) / 1000));
    return (
      <div className={styles.banner}>
        <Notice
          tone="warn"
          title="Knack's host cannot be reached"
          actions={
            <Button icon={RotateCw} onPress={retryNow}>
              Try now
            </Button>
          }
        >
          {state.reason} {seconds > 0 ? `Next try in ${seconds} s.` : "Trying again …"} Nothing you can see here is lost: it was stored first.
        </Notice>
      </div>
    );
  }
  if (state.phase === "refused") {
    return (
      <div className={styles.banner}>
        <Notice tone="bad" title="This page and Knack's host do not fit together" actions={<Button onPress={() => window.location.reload()}>Reload</Button>}>
          {state.reason}
        </Notice>
      </div>
    );
  }
  return null;
}
