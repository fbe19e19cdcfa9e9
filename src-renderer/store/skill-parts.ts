import type { Grant } from "#contract/grants/schema.ts";
import type { Capabilities, LedgerEntry, Revision } from "#contract/skills/schema.ts";
import { formatGoal } from "../format/goal.ts";

/** Who had a revision taken over, where that is not who made it. */
export function acceptedBy({ number, contentHash, author }: Revision, ledger: readonly LedgerEntry[]): string | null {
  const isIt = ({ action, after, afterRevision = number }: LedgerEntry) => action === "modify" && after === contentHash && afterRevision === number;
  const actor = ledger.find(isIt)?.actor;
  const person = (who: string) => who.replace(/^human:/u, "");
  return actor === undefined || person(actor) === person(author) ? null : actor;
}

export interface Reach {
  readonly name: string;
  readonly isGranted: boolean;
}

/**
 * What a revision declares, beside whether it is granted now. For the eye only: the host compares for itself each time a skill is used, and
 * what it cannot find is refused there whatever was shown here.
 */
export function reachOf({ primitives, destinations, vault }: Capabilities, grants: readonly Grant[]): Readonly<Record<keyof Capabilities, readonly Reach[]>> {
  const mark = (names: readonly string[], isGranted: (name: string) => boolean) => names.map((name) => ({ name, isGranted: isGranted(name) }));
  return {
    primitives: mark(primitives, (name) => grants.some((grant) => grant.kind === "primitive" && grant.primitive === name)),
    destinations: mark(destinations, (name) => grants.some((grant) => grant.kind === "destination" && reaches(grant.destination, name))),
    vault: mark(vault, (name) => grants.some((grant) => grant.kind === "vault" && grant.entry === name)),
  };
}

const USUAL_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443, "ws:": 80, "wss:": 443 };

/** A declared "https://*.name" is reached by the same or a wider wildcard only. */
function reaches(granted: Extract<Grant, { kind: "destination" }>["destination"], declared: string): boolean {
  const address = declared.replace("://*.", "://");
  if (granted.use !== "navigate" || !URL.canParse(address)) return false;
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== `${granted.scheme}:` || (port === "" ? USUAL_PORTS[protocol] : Number(port)) !== granted.port) return false;
  const host = address === declared ? hostname : `*.${hostname}`;
  if (host === granted.host) return true;
  return granted.host.startsWith("*.") && `.${hostname}`.endsWith(granted.host.slice(1)) && hostname !== granted.host.slice(2);
}

/** The goal of a skill as somebody would ask for it: one it was asked for before, else its own with example values. */
export function exampleGoal({ goal, bindings, inputs }: Pick<Revision, "goal" | "bindings" | "inputs">): string {
  const examples = Object.entries(inputs.properties).flatMap(([name, input]) => {
    const example = input.examples[0] ?? input.default;
    return example === undefined ? [] : [[name, example] as const];
  });
  return bindings.at(-1)?.goal ?? formatGoal(goal, Object.fromEntries(examples));
}
