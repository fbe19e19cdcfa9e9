import type { Stores } from "../store/stores.ts";

/** One thing a person can tell the page to do; keys, menu and palette read the same list. */
export interface Action {
  readonly id: string;
  readonly title: string;
  readonly section: "Conversation" | "Go to" | "Learning" | "Page";
  /** "Mod+N": Mod is Ctrl, or Cmd on a Mac. The first is the one that is shown. */
  readonly keys?: readonly string[];
  isAvailable?(stores: Stores): boolean;
  run(stores: Stores): void;
}
