import { useRef } from "react";
import type { SkillDetail } from "#contract/skills/routes.ts";
import type { Proposal } from "#contract/skills/schema.ts";
import { Card } from "../../components/card.tsx";
import { Expander } from "../../components/expander.tsx";
import { Notice } from "../../components/notice.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { useStores } from "../../store/stores.ts";
import { useHost, usePage } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { ProposalCard } from "./proposal-card.tsx";
import styles from "./proposals.module.css";

export interface SkillProposalsProps {
  readonly detail: SkillDetail;
  /** The proposal somebody came here for. */
  readonly soughtId: string | null;
  readonly onChange: (detail: SkillDetail) => void;
}

/** Changes to one skill that wait for a yes, and those that have been decided. Nothing is drawn where there are none. */
export function SkillProposals({ detail: { skill }, soughtId, onChange }: SkillProposalsProps) {
  const { client } = useStores();
  const list = useRef<HTMLDivElement>(null);
  const proposals = useResource(`proposals ${skill.id}`, (signal) => client.skills.proposals({ all: true, name: skill.name }, { signal }));
  const refresh = useHost((state) => state.refresh);
  const say = usePage((state) => state.say);
  if (proposals.value !== null && proposals.problem === null && proposals.value.length === 0 && soughtId === null) return null;

  function decided(changed: SkillDetail | null) {
    if (changed !== null) onChange(changed);
    say(changed === null ? "Declined; the skill stays as it is." : `Accepted; revision ${changed.skill.activeRevision} is active.`);
    proposals.reload();
    void refresh();
    list.current?.focus();
  }

  const draw = (some: readonly Proposal[]) => (
    <ul className={styles.list}>
      {some.map((proposal) => (
        <ProposalCard key={proposal.id} proposal={proposal} activeRevision={skill.activeRevision} isSought={proposal.id === soughtId} onDecided={decided} />
      ))}
    </ul>
  );

  return (
    <Card title="Proposals">
      {/* The focus stays near when the card that had it is gone. */}
      <div ref={list} tabIndex={-1} className={styles.list}>
        <ResourceView resource={proposals} noun="proposals" rows={1}>
          {(all) => {
            const open = all.filter(({ status }) => status === "open");
            const closed = all.filter(({ status }) => status !== "open");
            return (
              <>
                {soughtId === null || all.some(({ id }) => id === soughtId) ? null : (
                  <Notice tone="info">The proposal you came for is not here any more.</Notice>
                )}
                {open.length === 0 ? <p className={styles.quiet}>None is open.</p> : draw(open)}
                {closed.length === 0 ? null : (
                  <Expander summary={`Decided (${closed.length})`} isOpenAtFirst={closed.some(({ id }) => id === soughtId)}>
                    {draw(closed)}
                  </Expander>
                )}
              </>
            );
          }}
        </ResourceView>
      </div>
    </Card>
  );
}
