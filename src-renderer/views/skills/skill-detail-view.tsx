import { ArrowLeft } from "lucide-react";
import type { SkillDetail } from "#contract/skills/routes.ts";
import { Badge } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Procedure } from "../../components/procedure.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { SkillInputsList } from "../../components/skill-inputs-list.tsx";
import { formatAuthor } from "../../format/author.ts";
import { formatPercent } from "../../format/percent.ts";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useResource } from "../../store/use-resource.ts";
import { SkillActions } from "./skill-actions.tsx";
import { SkillHistory } from "./skill-history.tsx";
import { SkillStatusBadge } from "./skill-status-badge.tsx";
import { SkillVersions } from "./skill-versions.tsx";
import styles from "./skills.module.css";

export function SkillDetailView({ name }: { readonly name: string }) {
  const { client } = useStores();
  const detail = useResource(`skill ${name}`, (signal) => client.skills.get({ name }, { signal }));
  return (
    <Page
      title={name}
      lead={detail.value?.skill.summary}
      actions={detail.value === null ? null : <SkillActions detail={detail.value} onChange={detail.replace} />}
    >
      <a className={styles.back} href={routeHash("skills")}>
        <ArrowLeft aria-hidden size={16} /> All skills
      </a>
      <ResourceView resource={detail} noun="this skill">
        {(value) => <Content detail={value} onChange={detail.replace} />}
      </ResourceView>
    </Page>
  );
}

function Content({ detail, onChange }: { readonly detail: SkillDetail; readonly onChange: (detail: SkillDetail) => void }) {
  const { skill, revision, evidence } = detail;
  const { trust } = skill;
  const conditions = [
    ...revision.preconditions.map((condition) =>
      typeof condition === "string" ? condition : `${condition.state.path} ${condition.state.op} ${JSON.stringify(condition.state.value)}`,
    ),
  ];
  return (
    <>
      {trust.caveat === null ? null : <Notice tone="warn">{trust.caveat}</Notice>}
      <Card title="About">
        <Facts
          items={[
            ["Status", <SkillStatusBadge key="status" status={skill.status} />],
            ["Who made it", formatAuthor(revision.author)],
            ["Revision", `${revision.number} of ${skill.revisions}`],
            ["Trust", trust.runs === 0 ? "not used yet" : `${formatPercent(trust.trust)}: worked ${trust.successes} of ${trust.runs} times`],
            ["Last used", skill.lastUsedAt === null ? "never" : <Moment key="used" at={skill.lastUsedAt} />],
            [
              "Runs",
              skill.fullyMechanical ? (
                <Badge key="runs" tone="good">
                  can run without the model
                </Badge>
              ) : (
                "with the model"
              ),
            ],
          ]}
        />
      </Card>
      <Card title="When to use">
        <p>{revision.whenToUse}</p>
        {revision.phrasings.length === 0 ? null : (
          <details>
            <summary className={styles.quiet}>Other ways to ask for it ({revision.phrasings.length})</summary>
            <ul className={styles.bullets}>
              {revision.phrasings.map((phrasing) => (
                <li key={phrasing}>{phrasing}</li>
              ))}
            </ul>
          </details>
        )}
        {conditions.length + revision.antiPreconditions.length === 0 ? null : (
          <ul className={styles.bullets}>
            {conditions.map((condition) => (
              <li key={condition}>Only if: {condition}</li>
            ))}
            {revision.antiPreconditions.map((condition) => (
              <li key={condition}>Not if: {condition}</li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Inputs">
        <SkillInputsList inputs={revision.inputs} />
      </Card>
      <Card title="Steps">
        <Procedure steps={revision.steps} />
        {revision.edgeCases.length === 0 ? null : (
          <>
            <h3>Take care</h3>
            <ul className={styles.bullets}>
              {revision.edgeCases.map((edge) => (
                <li key={edge}>{edge}</li>
              ))}
            </ul>
          </>
        )}
      </Card>
      <Card title="What it may reach">
        <Facts
          items={[
            ["Kinds of action", revision.capabilities.primitives.join(", ") || "none"],
            ["Sites", revision.capabilities.destinations.join(", ") || "none"],
            ["Credentials", revision.capabilities.vault.join(", ") || "none"],
          ]}
        />
      </Card>
      <Card title="Where it was learned">
        {evidence.length === 0 ? <p className={styles.quiet}>No conversation: it was written or imported.</p> : null}
        <ul className={styles.bullets}>
          {evidence.map(({ episodeId, goal, conversationId }) => (
            <li key={episodeId}>
              {conversationId === null ? (
                <span>{goal ?? "a task"} (that conversation is no longer here)</span>
              ) : (
                <a href={routeHash("chat", conversationId)}>{goal ?? "a task"}</a>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <SkillVersions detail={detail} onChange={onChange} />
      <SkillHistory detail={detail} />
    </>
  );
}
