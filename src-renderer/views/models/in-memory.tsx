import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import { formatExactly } from "../../format/moment.ts";
import { useStores } from "../../store/stores.ts";
import { useModels } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";

/** What the models take of this machine just now; nothing while it is not known. */
export function InMemory() {
  const { client } = useStores();
  const changes = useModels((state) => state.changes);
  const { value: use } = useResource(`model use ${changes}`, (signal) => client.models.status(undefined, { signal }));
  if (use === null) return null;
  const { chat, memory, unloadsAt, states } = use;
  const isLoaded = chat.state === "ready";
  return (
    <Card title="Just now">
      <Facts
        items={[
          ["Chat model", chat.message],
          [
            "Memory",
            `${formatBytes(memory.process)} in all${isLoaded ? `: ${formatBytes(memory.model)} the model, ${formatBytes(memory.context)} its context` : ""}`,
          ],
          ...(isLoaded && unloadsAt !== null ? ([["Leaves the memory", `${formatExactly(unloadsAt)}, unless it is used`]] as const) : []),
          [
            "Conversations kept as read",
            states.limitBytes === 0
              ? "none, by the settings"
              : `${formatCount(states.files, "state")}, ${formatBytes(states.bytes)} of at most ${formatBytes(states.limitBytes)}`,
          ],
        ]}
      />
    </Card>
  );
}
