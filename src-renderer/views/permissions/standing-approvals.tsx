import { Trash2 } from "lucide-react";
import type { StandingApproval } from "#contract/approvals/schema.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "../list-view.module.css";

/** Questions that were answered for longer than once: what each covers, when it last did, and the way back to being asked. */
export function StandingApprovals() {
  const { client } = useStores();
  const approvals = useResource("approvals", (signal) => client.approvals.list(undefined, { signal }));
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  if (approvals.problem !== null) return <Notice tone="bad">{approvals.problem}</Notice>;
  if (approvals.value === null || approvals.value.length === 0) return null;
  return (
    <section className={styles.group} aria-label="Not asked again">
      <h2>Not asked again</h2>
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      <ul className={styles.rows}>
        {approvals.value.map((approval) => (
          <li key={approval.id} className={styles.row}>
            <div className={styles.text}>
              <p>{approval.words}</p>
              <p className={styles.quiet}>
                <Where approval={approval} />, by {approval.by}, <Moment at={approval.createdAt} />
                {approval.lastUsedAt === null ? "" : "; last used "}
                {approval.lastUsedAt === null ? null : <Moment at={approval.lastUsedAt} />}
              </p>
            </div>
            <IconButton
              icon={Trash2}
              label={`Ask again before: ${approval.words}`}
              isDisabled={!isConnected || attempt.isBusy}
              onPress={() =>
                void attempt.run(async () => {
                  await client.approvals.revoke({ id: approval.id });
                  approvals.reload();
                })
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Where({ approval: { conversationId } }: { readonly approval: StandingApproval }) {
  const title = useChat((state) => state.conversations?.find(({ id }) => id === conversationId)?.title);
  if (conversationId === null) return "always";
  return (
    <>
      in <a href={routeHash("chat", conversationId)}>{title === undefined ? "one conversation" : `“${title}”`}</a>
    </>
  );
}
