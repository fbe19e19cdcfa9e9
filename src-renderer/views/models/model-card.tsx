import { Check, Download, FileCheck, Square } from "lucide-react";
import { useState } from "react";
import { type FetchEvent, type ModelState, smallerContextWords } from "#contract/models/schema.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Notice } from "../../components/notice.tsx";
import { Progress } from "../../components/progress.tsx";
import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { Download as DownloadState } from "../../store/models-store.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useHost, useIsConnected, useModels } from "../../store/use-page.ts";
import styles from "./models.module.css";

const FITS: Record<ModelState["fit"], { readonly words: string; readonly tone: Tone }> = {
  fits: { words: "fits this machine", tone: "good" },
  "may-be-slow": { words: "may be slow here", tone: "warn" },
  "will-not-fit": { words: "will not fit in memory", tone: "bad" },
};

const STATES: Record<ModelState["state"], { readonly words: string; readonly tone: Tone }> = {
  present: { words: "on this machine", tone: "plain" },
  partial: { words: "partly downloaded", tone: "warn" },
  absent: { words: "not downloaded", tone: "plain" },
  damaged: { words: "damaged: the file is not the one that was published", tone: "bad" },
};

const PHASES: Record<FetchEvent["phase"], string> = {
  checking: "Checking what is here",
  downloading: "Downloading",
  joining: "Joining the parts",
  converting: "Converting",
  verifying: "Verifying",
  done: "Done",
  failed: "Failed",
};

export function ModelCard({ model, onChange }: { readonly model: ModelState; readonly onChange: () => void }) {
  const { client } = useStores();
  const download = useModels((state) => state.downloads[model.id]);
  const fetch = useModels((state) => state.fetch);
  const stop = useModels((state) => state.stop);
  const status = useHost((state) => state.status?.model);
  const isThis = model.inUse && model.role === "chat" && status?.id === model.id;
  const smaller = isThis ? smallerContextWords({ size: status.contextSize, asked: status.contextAsked }) : null;
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const [verified, setVerified] = useState<{ readonly ok: boolean; readonly message: string } | null>(null);
  const isLoading = download !== undefined && download.problem === null && !download.isStopped;
  const isHere = model.state === "present";
  const isOff = !isConnected || attempt.isBusy;
  return (
    <li className={styles.model} data-used={model.inUse}>
      <div className={styles.head}>
        <h3>{model.name}</h3>
        {model.inUse ? <Badge tone="accent">in use</Badge> : null}
        {model.recommended ? <Badge tone="good">recommended</Badge> : null}
        <Badge tone={FITS[model.fit].tone}>{FITS[model.fit].words}</Badge>
        {isHere || isLoading ? null : <Badge tone={STATES[model.state].tone}>{STATES[model.state].words}</Badge>}
      </div>
      <p className={styles.quiet}>
        {formatBytes(model.bytes)} · needs {model.minimumMemoryGb} GB of memory · {formatCount(model.contextTokens, "token")} of context · licence{" "}
        {model.licence}
        {isHere ? " · on this machine" : ""}
      </p>
      {smaller === null ? null : (
        <Notice tone="warn" title="A smaller context than usual">
          {smaller}
        </Notice>
      )}
      {isLoading ? <DownloadProgress download={download} of={model.bytes} /> : null}
      {download?.isStopped === true && !isHere ? <p className={styles.quiet}>Stopped. What arrived is kept; downloading goes on from there.</p> : null}
      {download?.problem === null || download === undefined ? null : (
        <Notice tone="bad" title="The download failed">
          {download.problem}
        </Notice>
      )}
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      {verified === null ? null : <Notice tone={verified.ok ? "good" : "bad"}>{verified.message}</Notice>}
      <ButtonRow>
        {isLoading ? (
          <Button icon={Square} label={`Stop downloading ${model.name}`} onPress={() => stop(model.id)}>
            Stop
          </Button>
        ) : isHere ? null : (
          <Button
            icon={Download}
            tone={model.recommended ? "primary" : "plain"}
            label={`${downloadWord(model.state)} ${model.name}`}
            isDisabled={isOff}
            onPress={() => void fetch(model.id)}
          >
            {downloadWord(model.state)}
          </Button>
        )}
        {isHere && !model.inUse ? (
          <Button
            icon={Check}
            label={`Use ${model.name}`}
            isDisabled={isOff}
            onPress={() =>
              void attempt.run(async () => {
                await client.models.use({ id: model.id });
                onChange();
              })
            }
          >
            Use
          </Button>
        ) : null}
        {isHere ? (
          <Button
            icon={FileCheck}
            tone="quiet"
            label={`Verify ${model.name}`}
            isDisabled={isOff}
            onPress={() =>
              void attempt.run(async () => {
                setVerified(await client.models.verify({ id: model.id }));
                onChange();
              })
            }
          >
            {attempt.isBusy ? "Working …" : "Verify"}
          </Button>
        ) : null}
      </ButtonRow>
    </li>
  );
}

function downloadWord(state: ModelState["state"]): string {
  if (state === "partial") return "Go on downloading";
  return state === "damaged" ? "Download again" : "Download";
}

function DownloadProgress({ download: { event, speed }, of }: { readonly download: DownloadState; readonly of: number }) {
  if (event === null) return <Progress label="Starting" detail="" share={null} />;
  const total = event.of > 0 ? event.of : of;
  const left = speed === null || speed <= 0 ? null : ((total - event.bytes) / speed) * 1000;
  const parts = [
    `${formatBytes(event.bytes)} of ${formatBytes(total)}`,
    ...(speed === null ? [] : [`${formatBytes(speed)}/s`]),
    ...(left === null ? [] : [`${formatDuration(Math.max(1000, left))} left`]),
  ];
  return (
    <div>
      <Progress label={PHASES[event.phase]} detail={parts.join(" · ")} share={total > 0 ? Math.min(1, event.bytes / total) : null} />
      <p className={styles.quiet}>
        {event.source === "" ? "" : `From ${event.source}. `}
        {event.message}
      </p>
    </div>
  );
}
