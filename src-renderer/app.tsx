import { Menu as MenuIcon } from "lucide-react";
import { useEffect } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useStore } from "zustand";
import { useActionKeys } from "./actions/use-action-keys.ts";
import styles from "./app.module.css";
import { classNames } from "./components/class-names.ts";
import { IconButton } from "./components/icon-button.tsx";
import { SayRegion } from "./components/say-region.tsx";
import type { View } from "./store/route.ts";
import { useStores } from "./store/stores.ts";
import { useHost, usePage } from "./store/use-page.ts";
import { ActivityView } from "./views/activity/activity-view.tsx";
import { AlertsView } from "./views/alerts/alerts-view.tsx";
import { ChatView } from "./views/chat/chat-view.tsx";
import { ConnectionBanner } from "./views/connection-banner.tsx";
import { KeysDialog } from "./views/keys-dialog.tsx";
import { MemoryView } from "./views/memory/memory-view.tsx";
import { ModelsView } from "./views/models/models-view.tsx";
import { Palette } from "./views/palette.tsx";
import { PermissionsView } from "./views/permissions/permissions-view.tsx";
import { SettingsView } from "./views/settings/settings-view.tsx";
import { Sidebar } from "./views/sidebar.tsx";
import { SkillsView } from "./views/skills/skills-view.tsx";
import { StatusBar } from "./views/status-bar.tsx";
import { TeachDialog } from "./views/teach/teach-dialog.tsx";
import { ToldDialog } from "./views/told-dialog.tsx";
import { VaultView } from "./views/vault/vault-view.tsx";

const TITLES: Record<View, string> = {
  chat: "Chat",
  skills: "Skills",
  alerts: "Alerts",
  models: "Models",
  memory: "Memory",
  permissions: "Permissions",
  activity: "Activity",
  vault: "Vault",
  settings: "Settings",
};
const VIEWS: Record<View, () => React.JSX.Element> = {
  chat: ChatView,
  skills: SkillsView,
  alerts: AlertsView,
  models: ModelsView,
  memory: MemoryView,
  permissions: PermissionsView,
  activity: ActivityView,
  vault: VaultView,
  settings: SettingsView,
};

const STATUS_PERIOD = 20_000;
const THEME_KEY = "theme";

export function App() {
  const { view } = usePage((state) => state.route);
  const overlay = usePage((state) => state.overlay);
  const reteaching = usePage((state) => state.reteaching);
  const learnedFrom = usePage((state) => state.learnedFrom);
  const show = usePage((state) => state.show);
  const Current = VIEWS[view];
  useActionKeys();
  useFreshHost();
  useTheme();
  useEffect(() => {
    document.title = view === "chat" ? "Knack" : `${TITLES[view]} · Knack`;
  }, [view]);
  return (
    <div className={styles.app}>
      <button type="button" className={styles.skip} onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header className={styles.top} data-opens="menu">
        <IconButton icon={MenuIcon} label="Menu and conversations" onPress={() => show("menu")} />
        <strong>{TITLES[view]}</strong>
      </header>
      <aside className={styles.side} aria-label="Menu and conversations">
        <Sidebar />
      </aside>
      <main id="main" className={styles.main} tabIndex={-1}>
        <ConnectionBanner />
        <div className={styles.view}>
          <Current />
        </div>
      </main>
      <StatusBar />
      <SayRegion />
      {overlay === "menu" ? (
        <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && show(null)} className={classNames(styles.veil)}>
          <Modal className={classNames(styles.drawer)}>
            <Dialog aria-label="Menu and conversations" className={classNames(styles.drawerInner)}>
              <Sidebar />
            </Dialog>
          </Modal>
        </ModalOverlay>
      ) : null}
      <ToldDialog />
      {overlay === "palette" ? <Palette /> : null}
      {overlay === "keys" ? <KeysDialog /> : null}
      {overlay === "teach" ? <TeachDialog reteaching={reteaching} learnedFrom={learnedFrom} onClose={() => show(null)} /> : null}
    </div>
  );
}

/** Status, alerts and conversations, read when the connection opens and looked at again now and then. */
function useFreshHost() {
  const { connection, host, chat } = useStores();
  const life = useStore(connection, (state) => (state.phase === "open" ? state.life : 0));
  const isRunning = useStore(chat, (state) => state.running.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a turn is a reason to look again
  useEffect(() => {
    if (life === 0) return;
    void host.getState().refresh();
    void chat.getState().refreshConversations();
    const timer = setInterval(() => void host.getState().refresh(), STATUS_PERIOD);
    return () => clearInterval(timer);
  }, [life, host, chat, isRunning]);
}

function useTheme() {
  const theme = useHost((state) => state.settings?.theme) ?? localStorage.getItem(THEME_KEY) ?? "system";
  useEffect(() => {
    // Remembered here too, so that the page does not flash before the host has answered.
    localStorage.setItem(THEME_KEY, theme);
    const wish = window.matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      document.documentElement.dataset.theme = theme === "system" ? (wish.matches ? "dark" : "light") : theme;
    };
    apply();
    wish.addEventListener("change", apply);
    return () => wish.removeEventListener("change", apply);
  }, [theme]);
}
