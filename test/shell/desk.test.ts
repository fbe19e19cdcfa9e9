import { beforeEach, describe, expect, it, vi } from "vitest";
import type { News } from "#contract/news.ts";

const made = vi.hoisted(() => ({
  trays: [] as string[],
  menu: [] as { label?: string; click?: () => void }[],
  badge: -1,
  notices: [] as { said: string; click(): void }[],
}));
vi.mock("electron", () => ({
  app: { setBadgeCount: (count: number) => (made.badge = count), quit: () => made.trays.push("quit") },
  Menu: { buildFromTemplate: (items: typeof made.menu) => (made.menu = items) },
  nativeImage: { createFromDataURL: () => ({}) },
  Tray: class {
    on() {}
    setToolTip = (text: string) => made.trays.push(text);
    setContextMenu() {}
    destroy = () => made.trays.push("gone");
  },
  Notification: class {
    static isSupported = () => true;
    readonly #said: string;
    readonly #heard = new Map<string, () => void>();
    constructor({ title, body }: { title: string; body: string }) {
      this.#said = `${title}: ${body}`;
    }
    on(event: string, hears: () => void) {
      this.#heard.set(`${event}${this.#heard.has(event) ? " of ours" : ""}`, hears);
    }
    show = () => made.notices.push({ said: this.#said, click: () => this.#heard.get("click")?.() });
  },
}));
const { makeDesk } = await import("#shells/electron/desk.ts");

const standing: News = { alerts: 0, staysInTray: false, notice: null };
const notice: News["notice"] = { kind: "alert", title: "Step 3 failed", text: "twice", route: "#/alerts" };
let shown: (string | null)[];
let isLookedAt: boolean;
const desk = () => makeDesk({ show: (route) => shown.push(route), isLookedAt: () => isLookedAt, line: () => undefined });

beforeEach(() => {
  Object.assign(made, { trays: [], menu: [], badge: -1, notices: [] });
  [shown, isLookedAt] = [[], false];
});

describe("the app around its window", () => {
  it("tells of what happens while nobody looks, and shows it when that is clicked", () => {
    desk().news({ ...standing, notice });
    expect(made.notices.map(({ said }) => said)).toEqual(["Step 3 failed: twice"]);
    made.notices[0]?.click();
    expect(shown).toEqual(["#/alerts"]);
  });

  it("says nothing to somebody who looks at it", () => {
    isLookedAt = true;
    desk().news({ ...standing, notice });
    expect(made.notices).toEqual([]);
  });

  it("stands in the tray while there are alerts, with their number, and leads there", () => {
    const on = desk();
    on.news(standing);
    expect(made.trays).toEqual([]);
    on.news({ ...standing, alerts: 2 });
    expect([made.trays, made.badge]).toEqual([["Knack: 2 alerts"], 2]);
    made.menu.find(({ label }) => label === "Show 2 alerts")?.click?.();
    expect(shown).toEqual(["#/alerts"]);
    on.news(standing);
    expect([made.trays.at(-1), made.badge]).toEqual(["gone", 0]);
  });

  it("outlives its window only where the user wants it to, and says how to end it", () => {
    const on = desk();
    on.news({ ...standing, alerts: 1 });
    expect(on.staysInTray()).toBe(false);
    on.news({ ...standing, staysInTray: true });
    expect(on.staysInTray()).toBe(true);
    made.menu.find(({ label }) => label === "Quit")?.click?.();
    expect(made.trays.at(-1)).toBe("quit");
  });
});
