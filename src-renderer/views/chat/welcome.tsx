import { Eye, MessageSquare } from "lucide-react";
import { focusComposer } from "../../actions/focus-composer.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Notice } from "../../components/notice.tsx";
import { routeHash } from "../../store/route.ts";
import { useHost, useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./welcome.module.css";

/** An empty conversation: what Knack does, and the two ways to begin. */
export function Welcome() {
  const show = usePage((state) => state.show);
  const status = useHost((state) => state.status);
  const isConnected = useIsConnected();
  const isModelMissing = status !== null && (status.model.state === "missing" || status.model.state === "refused");
  return (
    <div className={styles.welcome}>
      <h2>What should be done?</h2>
      <p>
        Knack works in a browser and in your notes, with a model on this machine. When the same kind of task has gone well a few times, or you show it once, it
        learns the routine and needs fewer steps the next time.
      </p>
      <ButtonRow>
        <Button icon={MessageSquare} tone="primary" onPress={focusComposer}>
          Ask for something
        </Button>
        <Button icon={Eye} onPress={() => show("teach")} isDisabled={!isConnected}>
          Show me once
        </Button>
      </ButtonRow>
      {isModelMissing ? (
        <Notice tone="warn" title="No model to answer with yet" actions={<a href={routeHash("models")}>Open models</a>}>
          {status.model.message}
        </Notice>
      ) : null}
      {status !== null && status.browser.found === null ? (
        <Notice tone="warn" title="No browser to work in">
          {status.browser.message}
        </Notice>
      ) : null}
      {status?.offline === true ? (
        <Notice tone="info" title="You are offline">
          Chat and what Knack has learned work; sites cannot be reached until the network is back.
        </Notice>
      ) : null}
    </div>
  );
}
