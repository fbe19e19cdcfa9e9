import type { TurnView } from "#contract/chat/reducer.ts";
import { Notice } from "../../components/notice.tsx";
import { routeHash } from "../../store/route.ts";
import { useHost } from "../../store/use-page.ts";

/** Changes to a skill that were proposed because of this turn's task and still wait for a yes. */
export function ProposalLinks({ turn: { turn } }: { readonly turn: TurnView }) {
  const proposals = useHost((state) => state.openProposals);
  return proposals
    .filter(({ evidence }) => evidence.includes(turn.episodeId))
    .map(({ id, skillId, reason }) => (
      <Notice key={id} tone="info" title="A change to the skill is proposed" actions={<a href={routeHash("skills", skillId, id)}>Review the proposal</a>}>
        {reason}
      </Notice>
    ));
}
