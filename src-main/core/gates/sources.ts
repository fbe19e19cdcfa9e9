import type { Call } from "#contract/skills/schema.ts";
import { hostsIn } from "../skills/index.ts";

/** Where the words of a call can have come from. */
export interface Sources {
  /** What the user wrote in this conversation, oldest first. */
  readonly user: readonly string[];
  /** The goal of the episode, in the user's words. */
  readonly goal: string;
  /** Addresses that pages of this episode led to, link to or write down. */
  readonly addresses: readonly string[];
  /** Addresses of pages that were open in this episode. */
  readonly visited: readonly string[];
  /** What pages, files and tools said in this episode: words of others. */
  readonly told: readonly string[];
  /** The call that the routine in charge has next, with its values filled in. */
  readonly due: Call | null;
  /** Whether the newest message of the user speaks of skills, and of what is to be remembered. */
  readonly speaksOf: { readonly skills: boolean; readonly memory: boolean };
}

/** Nothing is known: what needs a source has none. */
export const noSources: Sources = { user: [], goal: "", addresses: [], visited: [], told: [], due: null, speaksOf: { skills: false, memory: false } };

/** Addresses written out in a text. */
export function addressesIn(text: string): string[] {
  return [...text.matchAll(/\bhttps?:\/\/[^\s"'<>()[\]]+/giu)].map(([found]) => found.replace(/[.,;:!?]+$/u, ""));
}

/** Hosts that any of these texts names. */
export function hostsNamed(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap(hostsIn));
}

/** The host of an address, "" where it has none. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : "";
}
