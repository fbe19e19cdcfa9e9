import { ArrowLeft } from "lucide-react";
import { provisionalMeans, recordWords } from "#contract/skills/record-words.ts";
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
import { formatActor } from "../../format/actor.ts";
import { formatAuthor } from "../../format/author.ts";
import { formatPercent } from "../../format/percent.ts";
import { formatPrecondition } from "../../format/precondition.ts";
import { routeHash } from "../../store/route.ts";
import { acceptedBy } from "../../store/skill-parts.ts";
import { useStores } from "../../store/stores.ts";
import { useResource } from "../../store/use-resource.ts";
import { AuthorBadge } from "./author-badge.tsx";
import { SkillActions } from "./skill-actions.tsx";
import { SkillFileCard } from "./skill-file-card.tsx";
import { SkillHistory } from "./skill-history.tsx";
import { SkillLift } from "./skill-lift.tsx";
import { SkillOrigin } from "./skill-origin.tsx";
import { SkillProposals } from "./skill-proposals.tsx";
import { SkillReach } from "./skill-reach.tsx";
import { SkillRun } from "./skill-run.tsx";
import { SkillStatusBadge } from "./skill-status-badge.tsx";
import { SkillVersions } from "./skill-versions.tsx";
import styles from "./skills.module.css";

/** One skill: what it is, how to run it, what would change it, and everything that happened to it. `name` may be its id. */
export function SkillDetailView({ name, soughtId }: { readonly name: string; readonly soughtId: string | null }) {
  const { client } = useStores();
  const detail = useResource(`skill ${name}`, (signal) => client.skills.get({ name }, { signal }));
  return (
    <Page
      title={detail.value?.skill.name ?? name}
      lead={detail.value?.skill.summary}
      actions={detail.value === null ? null : <SkillActions detail={detail.value} onChange={detail.replace} />}
    >
      <a className={styles.back} href={routeHash("skills")}>
        <ArrowLeft aria-hidden size={16} /> All skills
      </a>
      <ResourceView resource={detail} noun="this skill">
        {(value) => <Content detail={value} soughtId={soughtId} onChange={detail.replace} />}
      </ResourceView>
    </Page>
  );
}

interface ContentProps {
  readonly detail: SkillDetail;
  readonly soughtId: string | null;
  readonly onChange: (detail: SkillDetail) => void;
}

function Content({ detail, soughtId, onChange }: ContentProps) {
  const { skill, revision } = detail;
  const { trust } = skill;
  const accepted = acceptedBy(revision, detail.ledger);
  const rules = [...revision.preconditions.map(formatPrecondition), ...revision.antiPreconditions.map((condition) => `Not if: ${condition}`)];
  return (
    <>
      {trust.caveat === null ? null : <Notice tone="warn">{trust.caveat}</Notice>}
      <SkillProposals detail={detail} soughtId={soughtId} onChange={onChange} />
      <Card title="About">
        <Facts
          items={[
            [
              "Status",
              <span key="status">
                <SkillStatusBadge status={skill.status} />
                {skill.status === "provisional" ? ` ${provisionalMeans}` : ""}
              </span>,
            ],
            [
              "Who made it",
              <span key="author">
                <AuthorBadge author={revision.author} /> {formatAuthor(revision.author)}
                {accepted === null ? "" : `, accepted by ${formatActor(accepted)}`}
              </span>,
            ],
            ["Revision", `${revision.number} of ${skill.revisions}`],
            ["Trust", trust.runs === 0 ? recordWords(trust) : `${formatPercent(trust.trust)}: ${recordWords(trust)}`],
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
      <SkillRun detail={detail} onChange={onChange} />
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
      </Card>
      {rules.length === 0 ? null : (
        <Card title="Rules">
          <ul className={styles.bullets}>
            {rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </Card>
      )}
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
      <SkillReach capabilities={revision.capabilities} />
      <SkillOrigin detail={detail} />
      <SkillLift name={skill.id} />
      {detail.file === null ? null : <SkillFileCard file={detail.file} />}
      <SkillVersions detail={detail} onChange={onChange} />
      <SkillHistory detail={detail} onChange={onChange} />
    </>
  );
}
