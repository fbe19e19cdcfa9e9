import type { Capabilities } from "#contract/skills/schema.ts";
import { type Envelope, mayNavigate } from "./envelope.ts";
import { type Origin, originMatches, parseDeclaredOrigin } from "./origin.ts";

/** `missing` names what is declared and not granted, for a person: "destination https://portal.example". */
export type Coverage = { readonly covered: true } | { readonly covered: false; readonly missing: readonly string[] };

/** declared ⊆ granted. Anything missing refuses the whole use; there is no partial reach (SPEC 3.4). */
export function covers(declared: Capabilities, granted: Envelope): Coverage {
  const missing = [
    ...declared.primitives.filter((primitive) => !(granted.primitives as ReadonlySet<string>).has(primitive)).map((primitive) => `primitive ${primitive}`),
    ...declared.vault.filter((entry) => !granted.vault.has(entry)).map((entry) => `vault entry ${entry}`),
    ...declared.destinations.filter((destination) => !isGranted(destination, granted)).map((destination) => `destination ${destination}`),
  ];
  return missing.length === 0 ? { covered: true } : { covered: false, missing };
}

/** Is this origin among the declared ones? */
export function declaresOrigin(declared: Capabilities, origin: Origin): boolean {
  return declared.destinations.some((text) => {
    const pattern = parseDeclaredOrigin(text);
    return pattern !== null && originMatches(pattern, origin);
  });
}

/** A skill inside a skill may do what both declare. */
export function intersect(outer: Capabilities, inner: Capabilities): Capabilities {
  return {
    primitives: inner.primitives.filter((primitive) => outer.primitives.includes(primitive)),
    vault: inner.vault.filter((entry) => outer.vault.includes(entry)),
    destinations: inner.destinations.filter((destination) => {
      const origin = parseDeclaredOrigin(destination);
      return origin !== null && declaresOrigin(outer, origin);
    }),
  };
}

function isGranted(destination: string, granted: Envelope): boolean {
  const origin = parseDeclaredOrigin(destination);
  return origin !== null && mayNavigate(granted, origin);
}
