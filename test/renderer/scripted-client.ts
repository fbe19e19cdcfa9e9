import { createStore } from "zustand/vanilla";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { Client } from "#renderer/client/client.ts";
import type { ConnectionState } from "#renderer/client/connection.ts";
import type { Link } from "#renderer/store/stores.ts";
import * as sample from "./sample.ts";

/** A stream of events that a test pushes by hand. */
export interface Script<T> {
  push(event: T): void;
  end(): void;
  fail(error: Error): void;
  readonly events: AsyncIterable<T>;
}

export function script<T>(signal?: AbortSignal): Script<T> {
  const queue: T[] = [];
  let isOver = false;
  let failure: Error | null = null;
  let wake: () => void = () => undefined;
  signal?.addEventListener("abort", () => {
    failure = new DOMException("stopped", "AbortError");
    wake();
  });
  return {
    push(event) {
      queue.push(event);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    fail(error) {
      failure = error;
      wake();
    },
    events: (async function* () {
      for (;;) {
        const next = queue.shift();
        if (next !== undefined) yield next;
        else if (failure !== null) throw failure;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    })(),
  };
}

type Overrides = {
  readonly [Noun in keyof Client]?: Client[Noun] extends (...input: never[]) => unknown
    ? unknown
    : Partial<Record<keyof Client[Noun], (input: never, options?: { signal?: AbortSignal }) => unknown>>;
};

/** A client that answers from the sample; `calls` is what was asked, in order. Overrides answer instead, or throw. */
export function scriptedClient(overrides: Overrides = {}): { readonly client: Client; readonly calls: { readonly path: string; readonly input: unknown }[] } {
  const calls: { readonly path: string; readonly input: unknown }[] = [];
  const answers: Record<string, Record<string, (input: never, options?: { signal?: AbortSignal }) => unknown>> = {
    chat: {
      stop: () => true,
      judge: ({ episodeId, worked }: { episodeId: string; worked: boolean }) => ({
        ...sample.episode("t1", "c1"),
        id: episodeId,
        outcome: worked ? "success" : "failure",
        reason: "confirmed by the user",
      }),
      approve: () => true,
      attachment: ({ id }: { id: string }) => ({ id, name: "report.txt", characters: 12, read: 12, isSearched: false, text: "twelve chars" }),
      answerSuggestion: () => undefined,
      why: ({ turnId }: { turnId: string }) => ({ ...sample.explanation, turnId }),
      send: () => script<TurnEvent>().events,
    },
    conversations: {
      list: () => sample.conversations,
      get: ({ id }: { id: string }) => {
        const found = sample.details[id];
        if (found === undefined) throw new KnackError("not-found", `There is no conversation ${id}; it may have been deleted.`);
        return found;
      },
      delete: () => sample.erasure,
      eraseEpisode: () => sample.erasure,
      rename: () => undefined,
      compact: ({ id }: { id: string }) => ({ ...sample.compaction, conversationId: id }),
      undoCompaction: ({ id }: { id: string }) => ({ ...sample.compaction, conversationId: id, undoneAt: sample.NOW }),
      result: ({ id }: { id: string }) => ({ stepId: id, text: sample.longResult }),
      search: ({ query }: { query: string }) => sample.found(query),
      folders: () => sample.folders,
      addFolder: ({ name }: { name: string }) => ({ id: "f9", name, createdAt: sample.NOW }),
      renameFolder: ({ id, name }: { id: string; name: string }) => ({ id, name, createdAt: sample.NOW }),
      removeFolder: () => undefined,
      move: ({ id, folderId }: { id: string; folderId: string | null }) => ({ ...sample.conversations[0], id, ...(folderId === null ? {} : { folderId }) }),
      close: () => true,
      export: ({ form }: { form: string }) => ({ fileName: form === "json" ? "bills.json" : "bills.md", text: "# Bills" }),
      import: () => ({ ...sample.conversations[0], id: "c1" }),
    },
    skills: {
      list: () => sample.skills,
      get: () => sample.skillDetail,
      diff: () => sample.diff,
      revert: () => sample.skillDetail,
      setStatus: () => sample.skillDetail,
      setPinned: ({ pinned }: { pinned: boolean }) => ({ ...sample.skillDetail, skill: { ...sample.skillDetail.skill, pinned } }),
      setMode: ({ mode }: { mode: "advisory" | "assisted" }) => ({ ...sample.skillDetail, skill: { ...sample.skillDetail.skill, mode } }),
      undo: () => sample.skillDetail,
      proposals: ({ all }: { all: boolean }) => sample.proposals.filter(({ status }) => all || status === "open"),
      acceptProposal: () => sample.skillDetail,
      declineProposal: () => undefined,
      erase: () => sample.erasure,
      lift: () => sample.noLift,
      import: ({ files }: { files: { path: string }[] }) => files.map(({ path }) => ({ ...sample.imported, path })),
      export: () => ({ name: "portal-invoice", fileName: "SKILL.md", text: "---\nname: portal-invoice\n---\n" }),
      validate: () => [],
      packs: () => sample.packs,
      match: () => sample.recallMatched,
    },
    learning: {
      induce: () => sample.report,
      reports: () => [sample.dream, sample.report],
      startShowing: () => script().events,
      startRepair: () => script().events,
      finishShowing: () => sample.draft,
      editDraft: ({ edits }: { edits: readonly object[] }) => ({ ...sample.draft, edits }),
      confirmShowing: () => sample.skillDetail,
      dropShowing: () => undefined,
      showings: () => [],
      learnFrom: () => sample.draft,
    },
    models: {
      list: () => sample.models,
      fetch: () => script().events,
      verify: () => ({ ok: true, message: "The file is the published one." }),
      use: () => undefined,
      status: () => sample.modelUse,
      warm: () => sample.modelUse,
    },
    alerts: {
      list: ({ all }: { all: boolean }) => sample.alerts.filter(({ resolvedAt }) => all || resolvedAt === null),
      resolve: () => undefined,
      act: ({ id }: { id: string }) => sample.alerts.find((alert) => alert.id === id),
    },
    approvals: { list: () => [], revoke: () => undefined },
    grants: { list: () => sample.grants, add: () => sample.grants[0], revoke: () => undefined },
    memory: {
      list: () => sample.facts,
      show: () => ({ fact: sample.facts[0], history: [], conversation: null, saidAt: null }),
      add: () => ({ ...sample.facts[0], became: "added", before: null }),
      edit: () => sample.facts[0],
      letGo: ({ id }: { id: string }) => ({ fact: sample.facts.find((fact) => fact.id === id), erasedAt: Date.now() + 20_000 }),
      takeBack: () => sample.facts[0],
      forget: () => ({ skills: [], backups: 0, backupsErased: 0 }),
      export: () => "{}",
      import: () => [],
    },
    blocks: {
      list: () => sample.standingContext,
      set: () => sample.standingContext,
      reset: () => sample.standingContext,
      decline: () => sample.standingContext,
      askAgain: () => sample.standingContext,
    },
    activity: {
      list: ({ refused }: { refused?: boolean }) => ({ contacts: sample.contacts.filter(({ allowed }) => refused !== true || !allowed), next: null }),
      get: () => sample.contacts[0],
    },
    vault: {
      status: () => sample.vaultStatus,
      create: () => sample.vaultStatus,
      unlock: () => sample.vaultStatus,
      unlockByKeychain: () => sample.vaultStatus,
      lock: () => ({ ...sample.vaultStatus, state: "locked", entries: null }),
      entries: () => [sample.vaultEntry],
      add: () => sample.vaultEntry,
      edit: () => sample.vaultEntry,
      remove: () => undefined,
      changePassphrase: () => undefined,
      rotate: () => undefined,
      audit: () => sample.vaultAudit,
      export: () => ({ text: "-----BEGIN AGE ENCRYPTED FILE-----", entries: 1 }),
      import: () => ({ added: [], skipped: [] }),
      setKeychain: () => sample.vaultStatus,
    },
    settings: { get: () => sample.settings, change: (change: object) => ({ ...sample.settings, ...change }) },
  };
  const given = overrides as Record<string, Record<string, (input: never, options?: { signal?: AbortSignal }) => unknown> | (() => unknown)>;
  const answer = (noun: string, verb: string) => async (input: never, options?: { signal?: AbortSignal }) => {
    calls.push({ path: `${noun}.${verb}`, input });
    const own = given[noun];
    const made = (typeof own === "object" ? own[verb] : undefined) ?? answers[noun]?.[verb];
    if (made === undefined) throw new Error(`nothing scripted for ${noun}.${verb}`);
    return made(input, options);
  };
  const nouns = Object.fromEntries(
    Object.entries(answers).map(([noun, verbs]) => [noun, Object.fromEntries(Object.keys(verbs).map((verb) => [verb, answer(noun, verb)]))]),
  );
  const status = given["status"];
  const client = { ...nouns, version: async () => ({ protocol: 1 }), status: async () => (typeof status === "function" ? status() : sample.status) };
  return { client: client as unknown as Client, calls };
}

/** A link that is open from the start; a test changes its state. */
export function scriptedLink(client: Client, phase: ConnectionState = { phase: "open", life: 1 }): Link {
  return { client, state: createStore<ConnectionState>(() => phase), retryNow: () => undefined };
}
