import type { Destination, Grant, Primitive, ProgramFamily } from "#contract/grants/schema.ts";
import { type Origin, originMatches } from "./origin.ts";

/** Everything the user granted, in the form the gates read. */
export interface Envelope {
  readonly primitives: ReadonlySet<Primitive>;
  readonly destinations: readonly Destination[];
  readonly vault: ReadonlySet<string>;
  readonly folders: readonly string[];
  /** Commands that are not asked about, each in its folder. */
  readonly programs: readonly { readonly family: ProgramFamily; readonly folder: string }[];
}

export function envelopeOf(grants: readonly Grant[]): Envelope {
  return {
    primitives: new Set(grants.flatMap((grant) => (grant.kind === "primitive" ? [grant.primitive] : []))),
    destinations: grants.flatMap((grant) => (grant.kind === "destination" ? [grant.destination] : [])),
    vault: new Set(grants.flatMap((grant) => (grant.kind === "vault" ? [grant.entry] : []))),
    folders: grants.flatMap((grant) => (grant.kind === "workspace" ? [grant.folder] : [])),
    programs: grants.flatMap((grant) => (grant.kind === "program" ? [{ family: grant.family, folder: grant.folder }] : [])),
  };
}

/** May a page be opened there? A destination granted for sub-resources only does not count. */
export function mayNavigate(envelope: Envelope, origin: Origin): boolean {
  return envelope.destinations.some((granted) => granted.use === "navigate" && originMatches(granted, origin));
}
