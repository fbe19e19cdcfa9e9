import { ShieldAlert } from "lucide-react";
import type { Capabilities } from "#contract/skills/schema.ts";
import { Badge } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { Notice } from "../../components/notice.tsx";
import { routeHash } from "../../store/route.ts";
import { type Reach, reachOf } from "../../store/skill-parts.ts";
import { useStores } from "../../store/stores.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "./skills.module.css";

/** What a skill declares to reach; what of it is not granted is marked, for then the whole skill is refused. */
export function SkillReach({ capabilities }: { readonly capabilities: Capabilities }) {
  const { client } = useStores();
  const grants = useResource("grants", (signal) => client.grants.list(undefined, { signal }));
  const reach = reachOf(capabilities, grants.value ?? []);
  const isKnown = grants.value !== null;
  const isMissing = isKnown && Object.values(reach).some((some) => some.some(({ isGranted }) => !isGranted));
  const draw = (some: readonly Reach[]) =>
    some.length === 0 ? (
      "none"
    ) : (
      <ul>
        {some.map(({ name, isGranted }) => (
          <li key={name} className={styles.reach}>
            {name} {!isKnown || isGranted ? null : <Badge tone="warn">not granted</Badge>}
          </li>
        ))}
      </ul>
    );
  return (
    <Card title="What it may reach">
      <Facts
        items={[
          ["Kinds of action", draw(reach.primitives)],
          ["Sites", draw(reach.destinations)],
          ["Credentials", draw(reach.vault)],
        ]}
      />
      {isMissing ? (
        <Notice tone="warn" actions={<a href={routeHash("permissions")}>Open Permissions</a>}>
          Without all of this the skill is not used at all.
        </Notice>
      ) : null}
      {grants.problem === null ? null : (
        <p className={styles.problem}>
          <ShieldAlert aria-hidden size={15} /> What is granted could not be read: {grants.problem}
        </p>
      )}
    </Card>
  );
}
