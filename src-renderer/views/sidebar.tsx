import { Bell, Brain, Cpu, Globe, KeyRound, type LucideIcon, MessageSquare, Plus, Settings, ShieldCheck, Sparkles } from "lucide-react";
import { ACTIONS } from "../actions/actions.ts";
import { Button } from "../components/button.tsx";
import { routeHash, type View } from "../store/route.ts";
import { useStores } from "../store/stores.ts";
import { useHost, usePage } from "../store/use-page.ts";
import { ConversationList } from "./conversations/conversation-list.tsx";
import styles from "./sidebar.module.css";

const PLACES: readonly { readonly view: View; readonly name: string; readonly icon: LucideIcon }[] = [
  { view: "chat", name: "Chat", icon: MessageSquare },
  { view: "skills", name: "Skills", icon: Sparkles },
  { view: "alerts", name: "Alerts", icon: Bell },
  { view: "models", name: "Models", icon: Cpu },
  { view: "memory", name: "Memory", icon: Brain },
  { view: "permissions", name: "Permissions", icon: ShieldCheck },
  { view: "activity", name: "Activity", icon: Globe },
  { view: "vault", name: "Vault", icon: KeyRound },
  { view: "settings", name: "Settings", icon: Settings },
];

export function Sidebar() {
  const stores = useStores();
  const current = usePage((state) => state.route.view);
  const counts: Partial<Record<View, { readonly count: number; readonly words: string }>> = {
    skills: { count: useHost((state) => state.openProposals.length), words: "to review" },
    alerts: { count: useHost((state) => state.openAlerts.length), words: "open" },
  };
  return (
    <div className={styles.sidebar}>
      <Button icon={Plus} tone="primary" onPress={() => ACTIONS.find(({ id }) => id === "new-conversation")?.run(stores)}>
        New conversation
      </Button>
      <nav aria-label="Views">
        <ul className={styles.places}>
          {PLACES.map(({ view, name, icon: Icon }) => (
            <li key={view}>
              <a
                className={styles.place}
                href={routeHash(view)}
                aria-current={current === view ? "page" : undefined}
                onClick={() => stores.page.getState().show(null)}
              >
                <Icon aria-hidden size={17} />
                <span>{name}</span>
                <Count {...(counts[view] ?? { count: 0, words: "" })} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ConversationList />
    </div>
  );
}

function Count({ count, words }: { readonly count: number; readonly words: string }) {
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {count}
      <span className="unseen"> {words}</span>
    </span>
  );
}
