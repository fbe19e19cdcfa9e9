import { Cable, Cpu, Globe, Radar, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { smallerContextWords } from "#contract/models/schema.ts";
import type { Status } from "#contract/status/routes.ts";
import { classNames } from "../components/class-names.ts";
import { formatCount } from "../format/count.ts";
import { routeHash } from "../store/route.ts";
import { useStores } from "../store/stores.ts";
import { useHost } from "../store/use-page.ts";
import styles from "./status-bar.module.css";

const MODEL_STATE: Record<Status["model"]["state"], string> = { ready: "ready", loading: "loading …", idle: "resting", missing: "missing", refused: "refused" };

/** What is in use right now: model, embedder, browser, connection, network. */
export function StatusBar() {
  const { connection } = useStores();
  const phase = useStore(connection, (state) => state.phase);
  const status = useHost((state) => state.status);
  return (
    <footer className={styles.bar}>
      <span className={classNames(styles.item, phase === "open" && styles.usual)} data-tone={phase === "open" ? "good" : "bad"}>
        <Cable aria-hidden size={14} />
        {phase === "open" ? "Connected" : phase === "connecting" ? "Connecting …" : "Not connected"}
      </span>
      {status === null ? null : <HostStatus status={status} />}
    </footer>
  );
}

function HostStatus({ status: { model, embedder, browser, offline, version } }: { readonly status: Status }) {
  const isModelBad = model.state === "missing" || model.state === "refused";
  const isSmaller = smallerContextWords({ size: model.contextSize, asked: model.contextAsked }) !== null;
  return (
    <>
      <Item icon={<Cpu aria-hidden size={14} />} tone={isModelBad ? "bad" : isSmaller ? "warn" : "plain"} title={model.message}>
        <a href={routeHash("models")}>{model.id ?? "No chat model"}</a>: {MODEL_STATE[model.state]}
        {model.contextSize === null ? null : (
          <span className={styles.more}>
            {" "}
            · {formatCount(model.contextSize, "token")} of context{isSmaller ? `, ${formatCount(model.contextAsked ?? 0, "token")} wanted` : ""}
          </span>
        )}
      </Item>
      <Item
        icon={<Radar aria-hidden size={14} />}
        tone={embedder.id === null || !embedder.calibrated ? "warn" : "plain"}
        title="The model that compares goals with skills"
      >
        {embedder.id === null ? "No embedder: skills cannot be recalled" : `${embedder.id}${embedder.calibrated ? "" : ", not calibrated"}`}
      </Item>
      <Item icon={<Globe aria-hidden size={14} />} tone={browser.found === null ? "warn" : "plain"} title={browser.message} isUsual={browser.found !== null}>
        {browser.found === null ? "No browser found" : "Browser found"}
      </Item>
      {offline ? (
        <Item icon={<WifiOff aria-hidden size={14} />} tone="warn" title="Chat works offline; sites and downloads do not">
          Offline
        </Item>
      ) : null}
      <span className={styles.version}>Knack {version}</span>
    </>
  );
}

interface ItemProps {
  readonly icon: ReactNode;
  readonly tone: "plain" | "warn" | "bad";
  readonly title: string;
  /** Nothing to worry about: left out where there is little room. */
  readonly isUsual?: boolean;
  readonly children: ReactNode;
}

function Item({ icon, tone, title, isUsual = false, children }: ItemProps) {
  return (
    <span className={classNames(styles.item, isUsual && styles.usual)} data-tone={tone} title={title}>
      {icon}
      <span>{children}</span>
    </span>
  );
}
