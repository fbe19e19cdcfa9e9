import { Pin } from "lucide-react";
import { provisionalMeans, recordWords } from "#contract/skills/record-words.ts";
import type { SkillSummary } from "#contract/skills/schema.ts";
import { Badge } from "../../components/badge.tsx";
import { Moment } from "../../components/moment.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { formatAuthor } from "../../format/author.ts";
import { formatCount } from "../../format/count.ts";
import { formatPercent } from "../../format/percent.ts";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import { AuthorBadge } from "./author-badge.tsx";
import { SkillStatusBadge } from "./skill-status-badge.tsx";
import styles from "./skills.module.css";

export function SkillRow({ skill, onChange }: { readonly skill: SkillSummary; readonly onChange: () => void }) {
  const { client } = useStores();
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const { name, status, trust } = skill;
  const isOn = status === "active" || status === "provisional";
  return (
    <li className={styles.row}>
      <div className={styles.rowText}>
        <p className={styles.rowTitle}>
          <a href={routeHash("skills", name)}>{name}</a> <SkillStatusBadge status={status} />
          <AuthorBadge author={skill.author} />
          {skill.pinned ? (
            <Badge>
              <Pin aria-hidden size={12} /> pinned
            </Badge>
          ) : null}
        </p>
        <p>{skill.summary}</p>
        <p className={styles.rowNote}>
          {formatAuthor(skill.author)} · {status === "provisional" ? `provisional: ${provisionalMeans} · ` : ""}
          {trust.runs === 0 ? recordWords(trust) : `${recordWords(trust)}, trust ${formatPercent(trust.trust)}`}
          {skill.lastUsedAt === null ? null : (
            <>
              {" "}
              · last used <Moment at={skill.lastUsedAt} />
            </>
          )}{" "}
          · {formatCount(skill.revisions, "revision")}
          {skill.fullyMechanical ? " · can run without the model" : ""}
        </p>
        {trust.caveat === null ? null : <p className={styles.caveat}>{trust.caveat}</p>}
        {attempt.problem === null ? null : (
          <p className={styles.problem} role="alert">
            {attempt.problem}
          </p>
        )}
      </div>
      <Toggle
        label={`Use ${name}`}
        isOn={isOn}
        isDisabled={!isConnected || attempt.isBusy || status === "retired"}
        onChange={(wish) =>
          void attempt.run(async () => {
            await client.skills.setStatus({
              name,
              status: wish ? "active" : "disabled",
              reason: wish ? "switched on by the user" : "switched off by the user",
            });
            onChange();
          })
        }
      />
    </li>
  );
}
