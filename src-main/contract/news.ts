/** Something a person who looks elsewhere should hear of. */
export interface Notice {
  readonly kind: "answer" | "question" | "alert";
  readonly title: string;
  readonly text: string;
  /** Where in the page it stands, as the page's own fragment: "#/alerts". */
  readonly route: string;
}

/** What the desktop around the page shows of the agent. */
export interface News {
  /** Open ones. */
  readonly alerts: number;
  /** Whether the app stays in the tray when its window is closed. */
  readonly staysInTray: boolean;
  /** Null where only a count or a switch changed. */
  readonly notice: Notice | null;
}
