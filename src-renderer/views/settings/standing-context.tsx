import type { StandingContext as Context, EditableBlock } from "#contract/blocks/schema.ts";
import type { ProfileField } from "#contract/memory/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { formatBytes } from "../../format/bytes.ts";
import { formatTokens } from "../../format/tokens.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { BlockEntry } from "./block-entry.tsx";
import { EditableText } from "./editable-text.tsx";
import styles from "./settings.module.css";

const EDITABLE: readonly { readonly name: EditableBlock; readonly label: string; readonly help: string }[] = [
  { name: "IDENTITY", label: "Who Knack is to you", help: "Its name and manner, for instance." },
  { name: "RULES", label: "Rules of yours", help: "What holds in every conversation." },
];

const FIELDS: readonly { readonly field: ProfileField; readonly name: string }[] = [
  { field: "name", name: "Your name" },
  { field: "location", name: "Where you live" },
  { field: "role", name: "What you do" },
];

const STATES = {
  known: "known; it stands in Memory",
  declined: "you would rather not say",
  unknown: "not known; Knack may ask you once you just talk",
} as const;

/** What stands ahead of every conversation: two texts to edit, the others to read. */
export function StandingContext() {
  const { client } = useStores();
  const context = useResource("blocks", (signal) => client.blocks.list(undefined, { signal }));
  return (
    <Card title="Standing context">
      <small className={styles.note}>What Knack has before it in every conversation. A change holds from your next message on.</small>
      <ResourceView resource={context} noun="standing context" rows={2}>
        {(now) => (
          <>
            {EDITABLE.map(({ name, label, help }) => {
              const block = now.blocks.find((one) => one.name === name);
              return block === undefined ? null : <EditableText key={name} name={name} label={label} help={help} block={block} onChanged={context.replace} />;
            })}
            <ProfileFields profile={now.profile} onChanged={context.replace} />
            <ul className={styles.blocks} aria-label="Blocks">
              {now.blocks.map((block) => (
                <BlockEntry key={block.name} block={block} />
              ))}
            </ul>
            <small className={styles.note}>{sizeOf(now)}</small>
          </>
        )}
      </ResourceView>
    </Card>
  );
}

function ProfileFields({ profile, onChanged }: { readonly profile: Context["profile"]; readonly onChanged: (now: Context) => void }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  return (
    <>
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      {FIELDS.map(({ field, name }) => (
        <ButtonRow key={field}>
          <span>
            {name}: {STATES[profile[field]]}
          </span>
          {profile[field] === "known" ? null : (
            <Button
              tone="quiet"
              isDisabled={!isConnected || attempt.isBusy}
              label={`${name}: ${profile[field] === "declined" ? "ask me again" : "do not ask"}`}
              onPress={() =>
                void attempt.run(async () =>
                  onChanged(await (profile[field] === "declined" ? client.blocks.askAgain({ field }) : client.blocks.decline({ field }))),
                )
              }
            >
              {profile[field] === "declined" ? "Ask me again" : "Do not ask"}
            </Button>
          )}
        </ButtonRow>
      ))}
    </>
  );
}

function sizeOf({ prefix }: Context): string {
  return `Ahead of every conversation, with the tools: ${formatBytes(prefix.bytes)}, ${formatTokens(prefix.tokens)}.`;
}
