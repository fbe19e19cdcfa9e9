import type { Contact } from "#contract/activity/schema.ts";
import { Badge } from "../../components/badge.tsx";
import { Expander } from "../../components/expander.tsx";
import { Facts } from "../../components/facts.tsx";
import { Moment } from "../../components/moment.tsx";
import { formatBytes } from "../../format/bytes.ts";
import { formatAddress, formatMeans, formatReason } from "../../format/contact.ts";
import { routeHash } from "../../store/route.ts";
import styles from "./activity.module.css";

/** One address with who talked to it, when, how much, and why it was allowed or not. */
export function ContactRow({ contact }: { readonly contact: Contact }) {
  const { allowed, code, times, conversationId, resolved, address, sent, received } = contact;
  return (
    <li className={styles.row}>
      <p className={styles.head}>
        <Badge tone={allowed ? (code === "ok" ? "good" : "warn") : "bad"}>{allowed ? (code === "ok" ? "allowed" : "not reached") : "refused"}</Badge>
        <span className={styles.address}>{formatAddress(contact)}</span>
        {times > 1 ? <span className={styles.quiet}>{times} times</span> : null}
      </p>
      <p className={styles.quiet}>
        {formatMeans(contact)}, <Moment at={contact.at} />: {formatReason(contact)}
        {conversationId === null ? null : (
          <>
            {" · "}
            <a href={routeHash("chat", conversationId)}>the conversation</a>
          </>
        )}
      </p>
      {address === "" ? null : (
        <Expander
          summary={
            <>
              Details<span className="unseen"> of {formatAddress(contact)}</span>
            </>
          }
        >
          <Facts
            items={[
              ["Dialled", address],
              ["The name led to", resolved.join(", ") || "not looked up"],
              ["Sent", formatBytes(sent)],
              ["Received", formatBytes(received)],
            ]}
          />
        </Expander>
      )}
    </li>
  );
}
