import type { Block } from "#contract/blocks/schema.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Expander } from "../../components/expander.tsx";
import { Facts } from "../../components/facts.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import { formatTokens } from "../../format/tokens.ts";
import styles from "./settings.module.css";

const STATES: Record<Block["state"], { readonly word: string; readonly tone: Tone }> = {
  rendered: { word: "in the prompt", tone: "good" },
  empty: { word: "nothing to say", tone: "plain" },
  gated: { word: "not now", tone: "plain" },
  omitted: { word: "left out", tone: "warn" },
  failed: { word: "cannot be read", tone: "bad" },
};

const TIERS: Record<Block["tier"], string> = {
  platform: "platform: authored, as it is written",
  operating: "operating: authored, as it is written",
  profile: "profile: learned, as untrusted data",
  session: "session: learned, as untrusted data",
};

const SOURCES: Record<Block["source"], string> = {
  static: "comes with Knack",
  file: "a file of yours",
  computed: "read from this computer",
  memory: "facts in Memory",
};

/** One block to read, with what it is made of. */
export function BlockEntry({ block }: { readonly block: Block }) {
  const { name, tier, layer, source, file, state, problem, revision, bytes, tokens, dropped, text } = block;
  const { word, tone } = STATES[state];
  const left = dropped.tooMany + dropped.tooLong;
  return (
    <li>
      <Expander
        summary={
          <>
            {name} <Badge tone={tone}>{word}</Badge>
          </>
        }
      >
        {problem === null ? null : <Notice tone={state === "failed" ? "bad" : "warn"}>{problem}</Notice>}
        <Facts
          items={[
            ["Tier", TIERS[tier]],
            ["Source", SOURCES[source]],
            ...(file === null ? [] : [["File", <code key="file">{file}</code>] as const]),
            ["Stands", layer === "L1" ? "ahead of the conversation" : "in your newest message"],
            ["Size", `${formatBytes(bytes)}, ${formatTokens(tokens)}`],
            ["Revision", <code key="revision">{revision === null ? "not read" : revision.slice(0, 24)}</code>],
            ...(left === 0 ? [] : [["Left out", `${formatCount(left, "fact")}: over 200, or over 500 characters`] as const]),
          ]}
        />
        {text === "" ? null : <pre className={styles.text}>{text}</pre>}
      </Expander>
    </li>
  );
}
