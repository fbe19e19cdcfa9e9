import type { VaultAudit } from "#contract/vault/schema.ts";
import { Moment } from "../../components/moment.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { useStores } from "../../store/stores.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "../list-view.module.css";

const ACTIONS: Record<VaultAudit["action"], string> = {
  create: "The vault was made",
  unlock: "Unlocked",
  lock: "Locked",
  add: "Added",
  edit: "Changed",
  remove: "Removed",
  release: "Login",
  passphrase: "Another passphrase",
  rotate: "Another key",
  export: "An encrypted copy",
  import: "Logins taken in",
  "keychain-on": "Keychain switched on",
  "keychain-off": "Keychain switched off",
};

/** Who got what, where and when; newest first. */
export function AuditList() {
  const { client } = useStores();
  const audit = useResource("vault-audit", (signal) => client.vault.audit({ limit: 50 }, { signal }));
  return (
    <section className={styles.group} aria-label="What was done with it">
      <h2>What was done with it</h2>
      <ResourceView resource={audit} noun="audit log">
        {(lines) =>
          lines.length === 0 ? (
            <p className={styles.quiet}>Nothing yet.</p>
          ) : (
            <ul className={styles.rows}>
              {lines.map(({ seq, at, action, entry, origin, decision, masks }) => (
                <li key={seq} className={styles.row}>
                  <div className={styles.text}>
                    <p>{[ACTIONS[action], entry, origin === "" ? "" : `on ${origin}`].filter((part) => part !== "").join(" ")}</p>
                    <p className={styles.quiet}>
                      <Moment at={at} />; {decision}
                      {masks === 0 ? "" : `; ${masks} masked before it`}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
    </section>
  );
}
