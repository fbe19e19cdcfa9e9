import type { Token } from "node-llama-cpp";
import type { Keep, Log } from "#core/ports/index.ts";
import { type Seat, sharedLength } from "./seat.ts";
import type { StateFolder, StateOwner } from "./states/state-folder.ts";
import { hashOf, type StateKey } from "./states/state-key.ts";

/** Whose prompt the seat of the conversations holds, and what of it is saved. Every call but `rest` needs the seat for itself. */
export interface KeptPrompt {
  /** Whether a conversation, or what one begins with, would be lost by another use of the seat. */
  isKept(): boolean;
  /**
   * Makes the seat this conversation's: what another one has in it is saved first, and the longest beginning of the new prompt that is kept on disk is loaded
   * where that saves evaluating.
   * @param prefix the tokens every conversation begins with
   * @param promptFor the prompt in tokens, given those that are there already
   */
  take(keep: Keep, prefix: readonly Token[], promptFor: (held: readonly Token[]) => readonly Token[]): Promise<void>;
  /** Saves what every conversation begins with, when the seat holds exactly that and it is not saved yet. */
  savePrefix(prefix: readonly Token[]): Promise<void>;
  /** Saves what the seat holds of a conversation, unless that is saved. */
  save(): Promise<void>;
  /** Saves and lets another use have the seat. */
  giveUp(): Promise<void>;
  /** A turn ended; returns whether there is anything to save. */
  rest(conversation: string, note: string): boolean;
  /** Lets go of a conversation, or of all with null, and of what the seat holds of it. */
  forget(conversation: string | null): Promise<void>;
}

/** Tokens. What is shorter is evaluated about as fast as a state is read, checked and loaded. */
const fewest = 32;

export function makeKeptPrompt({ sequence }: Seat, states: Pick<StateFolder, "look" | "load" | "save">, key: StateKey, log: Log): KeptPrompt {
  /** Undefined while the seat is nobody's. */
  let holder: string | null | undefined;
  let saved: { readonly conversation: string; readonly tokens: readonly Token[]; readonly note: string } | null = null;
  const notes = new Map<string, string>();
  const prefixes = new Set<string>();

  const write = async (file: string): Promise<number> => (await sequence.saveStateToFile(file)).fileSize;

  function isSaved(conversation: string, tokens: readonly Token[], note: string): boolean {
    return (
      saved?.conversation === conversation &&
      saved.note === note &&
      saved.tokens.length === tokens.length &&
      sharedLength(saved.tokens, tokens) === tokens.length
    );
  }

  async function save(): Promise<void> {
    if (typeof holder !== "string") return;
    const conversation = holder;
    const note = notes.get(conversation) ?? "";
    const tokens = sequence.contextTokens;
    if (tokens.length < fewest || isSaved(conversation, tokens, note)) return;
    saved = { conversation, tokens, note };
    await states.save({ conversation }, { key, tokens, note }, write);
  }

  async function load(owner: StateOwner): Promise<void> {
    const started = performance.now();
    const header = states.look(owner, key);
    if (header === null) return;
    const isLoaded = await states.load(owner, key, async (file) => {
      await sequence.loadStateFromFile(file, { acceptRisk: true });
      const { contextTokens } = sequence;
      if (contextTokens.length !== header.tokens.length || sharedLength(contextTokens, header.tokens as Token[]) !== contextTokens.length) {
        throw new Error("the engine read other tokens than were saved");
      }
    });
    if (!isLoaded) return void (await sequence.clearHistory());
    if ("conversation" in owner) {
      notes.set(owner.conversation, notes.get(owner.conversation) ?? header.note);
      saved = { conversation: owner.conversation, tokens: header.tokens as Token[], note: header.note };
    }
    log.info("state-restored", {
      of: "conversation" in owner ? "conversation" : "prefix",
      tokens: header.tokens.length,
      ms: Math.round(performance.now() - started),
    });
  }

  return {
    isKept: () => holder !== undefined,
    async take(keep, prefix, promptFor) {
      if (keep.conversation === holder) return;
      await save();
      const now = sequence.contextTokens;
      const inMemory = sharedLength(now, promptFor(now));
      holder = keep.conversation;
      const owners: StateOwner[] = [
        ...(keep.conversation === null ? [] : [{ conversation: keep.conversation }]),
        ...(prefix.length < fewest ? [] : [{ prefix }]),
      ];
      const [best] = owners
        .map((owner) => {
          const tokens = (states.look(owner, key)?.tokens ?? []) as Token[];
          return { owner, shared: sharedLength(tokens, promptFor(tokens)) };
        })
        .sort((a, b) => b.shared - a.shared);
      if (best !== undefined && best.shared >= inMemory + fewest) await load(best.owner);
    },
    async savePrefix(prefix) {
      if (prefix.length < fewest || sequence.nextTokenIndex !== prefix.length) return;
      const name = hashOf(key, prefix);
      if (prefixes.has(name)) return;
      prefixes.add(name);
      if (states.look({ prefix }, key) === null) await states.save({ prefix }, { key, tokens: prefix, note: "" }, write);
    },
    save,
    async giveUp() {
      await save();
      holder = undefined;
    },
    rest(conversation, note) {
      notes.set(conversation, note);
      return conversation === holder;
    },
    async forget(conversation) {
      if (conversation === null) {
        notes.clear();
        prefixes.clear();
      } else notes.delete(conversation);
      if (saved !== null && (conversation === null || saved.conversation === conversation)) saved = null;
      if (holder === undefined || (conversation !== null && conversation !== holder)) return;
      await sequence.clearHistory();
      holder = undefined;
    },
  };
}
