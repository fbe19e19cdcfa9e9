import { app, Menu, Notification, Tray } from "electron";
import type { News } from "#contract/news.ts";
import { trayIcon } from "./tray-icon.ts";

export interface DeskWorld {
  /** Shows the window, and in it this place; null where it is. */
  show(route: string | null): void;
  /** Whether the user looks at the window. */
  isLookedAt(): boolean;
  line(line: string): void;
}

export interface DesktopDesk {
  news(news: News): void;
  /** Whether the app goes on when its window is closed: only where there is a tray to bring it back from. */
  staysInTray(): boolean;
}

/**
 * Knack around its window: notifications of what happens while nobody looks, and a place in the tray where the user wants the app to stay there, or while
 * there are alerts to be seen.
 */
export function makeDesk({ show, isLookedAt, line }: DeskWorld): DesktopDesk {
  let tray: Tray | null = null;
  let now: News = { alerts: 0, staysInTray: false, notice: null };
  // Held, for a notification that is collected is never clicked.
  const shown = new Set<Notification>();

  function draw(): void {
    if (!now.staysInTray && now.alerts === 0) {
      tray?.destroy();
      tray = null;
      return;
    }
    try {
      if (tray === null) {
        tray = new Tray(trayIcon());
        tray.on("click", () => show(null));
      }
      const alerts = now.alerts === 0 ? null : now.alerts === 1 ? "1 alert" : `${now.alerts} alerts`;
      tray.setToolTip(alerts === null ? "Knack" : `Knack: ${alerts}`);
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: "Open Knack", click: () => show(null) },
          { label: "New conversation", click: () => show("#/chat") },
          { label: alerts === null ? "No alerts" : `Show ${alerts}`, enabled: alerts !== null, click: () => show("#/alerts") },
          { type: "separator" },
          { label: "Quit", click: () => app.quit() },
        ]),
      );
    } catch (error) {
      // A desktop without a tray; Knack works all the same.
      tray = null;
      line(`There is no tray: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return {
    news(news) {
      const isOther = news.alerts !== now.alerts || news.staysInTray !== now.staysInTray;
      now = news;
      if (isOther) {
        draw();
        app.setBadgeCount(news.alerts);
      }
      const { notice } = news;
      if (notice === null || isLookedAt() || !Notification.isSupported()) return;
      const notification = new Notification({ title: notice.title, body: notice.text, silent: notice.kind === "answer" });
      shown.add(notification);
      notification.on("click", () => show(notice.route));
      for (const end of ["click", "close"] as const) notification.on(end as "close", () => shown.delete(notification));
      notification.show();
    },
    staysInTray: () => now.staysInTray && tray !== null,
  };
}
