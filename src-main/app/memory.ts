import { stripInvisible } from "#base/invisible.ts";
import { fold, squash } from "#base/text.ts";
import type { Erasure } from "#contract/conversations/erasure.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Fact, FactChange, FactDetail, ImportedFact, KeptFact } from "#contract/memory/schema.ts";
import { factKeys, factLabel, factsNamed, whyNotKept } from "#core/learning/index.ts";
import type { Log, MemoryKeeper, Stores } from "#core/ports/index.ts";
import type { TurnWorld } from "#core/turn/index.ts";
import { forgetFact } from "./forget-fact.ts";
import { keepFact } from "./keep-fact.ts";
import { memoryFile, readMemoryFile } from "./memory-file.ts";
import { memoryKeeper } from "./memory-keeper.ts";

export interface MemoryWorld {
  readonly stores: Pick<Stores, "facts" | "conversations" | "trace" | "alerts" | "learning" | "skills" | "vectors" | "transaction">;
  readonly clock: () => number;
  readonly makeId: () => string;
  readonly isOn: () => boolean;
  readonly log: Log;
  /** The end of every erasing, see `endErasing`. */
  readonly endErasing: (backups: boolean) => Promise<Erasure>;
  /** Told where something was let go of or taken back: prompts are put together anew. */
  readonly onLetGo?: () => void;
  /** Milliseconds in which what was let go of can be taken back. */
  readonly undoMs: number;
}

export interface Memory extends AsyncDisposable {
  list(): Fact[];
  /** `which` is an id, the beginning or end of one, or what it says. Throws bad-input where none, or more than one, is meant. */
  show(which: string): FactDetail;
  /** What the user writes down; under the label it belongs to unless they say another. Throws bad-input for what may not be kept, "memory.off". */
  add(text: string, label?: Fact["label"]): KeptFact;
  /** The user words it anew or puts it elsewhere. */
  edit(which: string, change: FactChange): Fact;
  /** From now on it is as forgotten; erased at `erasedAt`, until then it can be taken back. */
  letGo(which: string): { readonly fact: Fact; readonly erasedAt: number };
  /** Throws "memory.erased" where it is too late. */
  takeBack(id: string): Fact;
  /** Erases it at once. */
  forget(which: string, backups: boolean): Promise<Erasure>;
  exportAll(): string;
  /** Each line or entry has its own result; none stops the others. */
  importAll(text: string): ImportedFact[];
  keeper: TurnWorld["keepMemory"];
}

/** Memory as a person uses it, and as a turn does. What was let go of and is due by now, of this process or an earlier one, is erased. */
export function makeMemory(world: MemoryWorld): Memory {
  const { stores, clock } = world;
  const { facts } = stores;
  /** Of what this process let go of: erased when it ends at the latest, for nobody can take it back then. */
  const waiting = new Map<string, NodeJS.Timeout>();
  let erasing: Promise<unknown> = Promise.resolve();

  function eraseNow(due: readonly Fact[], backups: boolean): Promise<Erasure> {
    for (const fact of due) {
      clearTimeout(waiting.get(fact.id));
      waiting.delete(fact.id);
      forgetFact(world, fact, clock());
    }
    return world.endErasing(backups);
  }

  function eraseDue(due: readonly Fact[]): void {
    if (due.length === 0) return;
    erasing = erasing
      .then(() => eraseNow(due, false))
      .catch((error: unknown) => {
        // It stays let go of, and the next start erases it.
        world.log.error("forget-failed", { error });
      });
  }

  function letGo(fact: Fact): number {
    const at = clock();
    facts.letGo(fact.id, at);
    const timer = setTimeout(() => eraseDue(facts.letGoUntil(at).filter(({ id }) => id === fact.id)), world.undoMs);
    timer.unref();
    waiting.set(fact.id, timer);
    world.onLetGo?.();
    return at + world.undoMs;
  }

  function takeBack(id: string): void {
    facts.takeBack(id);
    clearTimeout(waiting.get(id));
    waiting.delete(id);
    world.onLetGo?.();
  }

  eraseDue(facts.letGoUntil(clock() - world.undoMs));

  return {
    list: () => facts.list(),
    show(which) {
      const fact = named(facts.list(), which);
      const message = fact.provenance && stores.conversations.message(fact.provenance.messageId);
      const conversation = fact.provenance && stores.conversations.get(fact.provenance.conversationId);
      return { fact, history: facts.history(fact.id), conversation: conversation?.title ?? null, saidAt: message?.createdAt ?? null };
    },
    add(text, label) {
      requireOn(world);
      const fact = writtenFact(world, text, label ?? null, "user");
      return stores.transaction(() => {
        // What was let go of a moment ago is taken back, not kept a second time.
        const keys = factKeys(fact.text);
        const back = facts.letGoUntil(Number.MAX_SAFE_INTEGER).find((other) => factKeys(other.text).some((key) => keys.includes(key)));
        if (back) takeBack(back.id);
        const kept = keepFact(stores, fact, fact.createdAt);
        if (kept.became === "left") throw new KnackError("memory.left", `You wrote down something else about this: ${kept.fact.text}`);
        facts.unforget(factKeys(kept.fact.text));
        return { ...kept.fact, became: kept.became, before: kept.before };
      });
    },
    edit(which, change) {
      requireOn(world);
      return stores.transaction(() => {
        const fact = named(facts.list(), which);
        const now = clock();
        if (change.text !== undefined) {
          const text = writtenText(change.text);
          const same = facts.list().find((other) => other.id !== fact.id && fold(other.text) === fold(text));
          if (same) throw badInput(`That is kept already (${same.id}). Forget one of the two, or word it otherwise.`, { field: "text" });
          if (text !== fact.text) {
            facts.update(fact.id, text, now);
            facts.unforget(factKeys(text));
          }
        }
        if (change.label !== undefined && change.label !== fact.label) facts.relabel(fact.id, change.label, now);
        return facts.list().find(({ id }) => id === fact.id) ?? fact;
      });
    },
    letGo(which) {
      const fact = named(facts.list(), which);
      return { fact, erasedAt: letGo(fact) };
    },
    takeBack(id) {
      if (!facts.letGoUntil(Number.MAX_SAFE_INTEGER).some((fact) => fact.id === id))
        throw new KnackError("memory.erased", "It is too late: this was erased for good. You can write it down again.");
      takeBack(id);
      return named(facts.list(), id);
    },
    forget(which, backups) {
      const letGoOf = facts.letGoUntil(Number.MAX_SAFE_INTEGER);
      return eraseNow([letGoOf.find(({ id }) => id === which) ?? named(facts.list(), which)], backups);
    },
    exportAll: () => memoryFile(facts.list(), clock()),
    importAll(text) {
      requireOn(world);
      const entries = readMemoryFile(text);
      return stores.transaction(() => entries.map((entry) => ("problem" in entry ? entry : importOne(entry))));
    },
    keeper: (turn): MemoryKeeper => memoryKeeper({ ...world, letGo: (fact) => void letGo(fact) }, turn),
    async [Symbol.asyncDispose]() {
      const due = new Set(waiting.keys());
      if (due.size > 0) eraseDue(facts.letGoUntil(Number.MAX_SAFE_INTEGER).filter(({ id }) => due.has(id)));
      await erasing;
    },
  };

  function importOne({ text, label }: { readonly text: string; readonly label: Fact["label"] | null }): ImportedFact {
    const unfit = whyNotKept(text);
    if (unfit !== null) return { text: unfit.includes("vault") ? "" : text, problem: unfit };
    const fact = writtenFact(world, text, label, "imported");
    const kept = keepFact(stores, fact, fact.createdAt);
    if (kept.became === "added" || kept.became === "known") return { text: fact.text, became: kept.became };
    return { text: fact.text, problem: `Something else is kept about this: ${kept.fact.text}. Change that one if this is right.` };
  }
}

function requireOn({ isOn }: MemoryWorld): void {
  if (!isOn())
    throw new KnackError("memory.off", "Memory is off, so nothing is added or changed. Turn it on in Settings, or with: knack settings set memory on", {
      exit: 3,
    });
}

function writtenText(text: string): string {
  const unfit = whyNotKept(text);
  if (unfit !== null) throw badInput(unfit, { field: "text" });
  // One line, and nothing in it that a terminal would obey.
  return squash(stripInvisible(text).replace(/\p{Cc}/gu, " "));
}

function writtenFact(world: MemoryWorld, written: string, label: Fact["label"] | null, source: "user" | "imported"): Fact {
  const text = writtenText(written);
  const now = world.clock();
  return { id: world.makeId(), label: label ?? factLabel(text), text, source, createdAt: now, updatedAt: now };
}

/** How many facts are named where more than one is meant. */
const mostNamed = 5;

function named(facts: readonly Fact[], which: string): Fact {
  const found = factsNamed(facts, which);
  const [fact] = found;
  if (!fact) throw badInput(`There is no fact ${which}; see: knack memory list`);
  if (found.length > 1)
    throw badInput(
      `${found.length} facts could be meant; name one by its id: ${found
        .slice(0, mostNamed)
        .map(({ id, text }) => `${id} (${text})`)
        .join("; ")}`,
    );
  return fact;
}
