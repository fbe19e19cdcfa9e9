import type { Contact, ContactMeans, ContactPage, ContactQuery } from "#contract/activity/schema.ts";
import { badInput } from "#contract/errors.ts";
import { destinationNotes, destinationText } from "#contract/grants/destination-text.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { EgressDecision, Log, OnDecision, Stores } from "#core/ports/index.ts";

/** Most contacts that are kept, whatever their age. */
const mostKept = 50_000;
/** Contacts are written together: a page makes hundreds, and each write is waited for. */
const writeEveryMs = 500;
const writeAt = 200;
/** A process that runs for weeks keeps to the bounds too. */
const pruneEvery = 2_000;
/** Equal refusals within this time are one contact. */
const sameWithinMs = 60_000;
const day = 86_400_000;

export interface ActivityWorld {
  readonly stores: Stores;
  readonly clock: () => number;
  readonly makeId: () => string;
  /** The turn a conversation is answering now. */
  readonly turnOf: (conversationId: string) => string | null;
  readonly keepDays: () => number;
  readonly log: Log;
}

/** What anything of this process talked to, on its way into the store. */
export interface Activity {
  /** Takes down the decisions of one boundary. */
  listen(means: ContactMeans, conversationId: string | null): OnDecision;
  /** Takes down that Knack itself asks an address, or what has a name only, for something; the function it returns says how that ended. */
  begin(means: ContactMeans, address: string): (received: number, reached: boolean) => void;
  page(query: ContactQuery): ContactPage;
  /** Throws bad-input where there is none. */
  get(id: string): Contact;
  /** Lets go of what is old; returns how many went. */
  prune(): number;
  /** Writes what is still on its way. */
  flush(): void;
}

export function makeActivity({ stores, clock, makeId, turnOf, keepDays, log }: ActivityWorld): Activity {
  const waiting = new Map<string, Contact>();
  let timer: NodeJS.Timeout | null = null;
  let written = 0;

  function put(contact: Contact): void {
    waiting.set(contact.id, contact);
    if (waiting.size >= writeAt) flush();
    else timer ??= setTimeout(flush, writeEveryMs).unref();
  }

  /** A log that cannot be written must not end what it tells of. */
  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const contacts = [...waiting.values()];
    waiting.clear();
    if (contacts.length === 0) return;
    try {
      stores.contacts.put(contacts);
      written += contacts.length;
      if (written >= pruneEvery) prune();
    } catch (error) {
      log.error("activity-lost", { contacts: contacts.length, error });
    }
  }

  function prune(): number {
    written = 0;
    return stores.contacts.prune(clock() - keepDays() * day, mostKept);
  }

  function grantIdOf(destination: Destination): string | null {
    const said = destinationKey(destination);
    return stores.grants.list().find((grant) => grant.kind === "destination" && destinationKey(grant.destination) === said)?.id ?? null;
  }

  return {
    listen(means, conversationId) {
      const open = new Map<number, Contact>();
      const refused = new Map<string, Contact>();
      return (decision) => {
        const earlier = open.get(decision.id);
        if (earlier !== undefined) {
          if (decision.endedAt !== null) open.delete(decision.id);
          return put({ ...earlier, code: decision.code, endedAt: decision.endedAt, sent: decision.sent, received: decision.received });
        }
        const turnId = conversationId === null ? null : turnOf(conversationId);
        const key = JSON.stringify([turnId, decision.code, decision.scheme, decision.host, decision.port]);
        const before = decision.allowed ? undefined : refused.get(key);
        if (before !== undefined && decision.at - before.at < sameWithinMs) {
          const again = { ...before, times: before.times + 1, endedAt: decision.endedAt };
          refused.set(key, again);
          return put(again);
        }
        const { destination } = decision;
        const contact: Contact = {
          ...told(decision),
          id: makeId(),
          means,
          grant: destination === null ? null : [destinationText(destination), ...destinationNotes(destination)].join(", "),
          grantId: destination === null ? null : grantIdOf(destination),
          conversationId,
          turnId,
          times: 1,
        };
        if (decision.allowed) open.set(decision.id, contact);
        else refused.set(key, contact);
        if (refused.size > 1_000) refused.clear();
        put(contact);
      };
    },
    begin(means, address) {
      const url = URL.parse(address);
      const scheme = url === null ? "" : url.protocol === "http:" ? "http" : "https";
      const contact: Contact = {
        id: makeId(),
        at: clock(),
        endedAt: null,
        means,
        allowed: true,
        code: "ok",
        scheme,
        host: url?.hostname ?? address,
        port: Number(url?.port || { http: 80, https: 443, "": 0 }[scheme]),
        resolved: [],
        address: "",
        grant: null,
        grantId: null,
        conversationId: null,
        turnId: null,
        sent: 0,
        received: 0,
        times: 1,
      };
      put(contact);
      return (received, reached) => put({ ...contact, endedAt: clock(), received, code: reached ? "ok" : "dial.failed" });
    },
    page(query) {
      flush();
      return stores.contacts.page(query);
    },
    get(id) {
      flush();
      const contact = stores.contacts.get(id);
      if (contact === undefined) throw badInput(`There is no contact ${id}; see: knack activity list`);
      return contact;
    },
    prune,
    flush,
  };
}

/** A decision without what only the boundary needs. Of what could not be read as a host nothing is kept. */
function told({
  at,
  endedAt,
  allowed,
  code,
  scheme,
  host,
  port,
  resolved,
  address,
  sent,
  received,
}: EgressDecision): Omit<Contact, "id" | "means" | "grant" | "grantId" | "conversationId" | "turnId" | "times"> {
  return { at, endedAt, allowed, code, scheme, host: host.slice(0, 253), port, resolved, address, sent, received };
}

function destinationKey({ scheme, host, port, use, allowPrivate, noQuery, mostSent }: Destination): string {
  return JSON.stringify([scheme, host, port, use, allowPrivate, noQuery === true, mostSent ?? null]);
}
