import { hostMatches, parsePlace } from "./destination.ts";

/** Where a request goes: what a grant is compared with. */
export interface Origin {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
}

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443 };

/** Scheme, host and port of an absolute address; null for what no grant can name. */
export function parseOrigin(address: string): Origin | null {
  const place = parsePlace(address);
  return place.ok ? { scheme: place.value.scheme, host: place.value.host, port: place.value.port } : null;
}

/** Reads a declared destination: an origin whose host may be `*.name`. */
export function parseDeclaredOrigin(declared: string): Origin | null {
  const wildcard = /^([a-z]+:\/\/)\*\.(.+)$/u.exec(declared);
  if (wildcard === null) return parseOrigin(declared);
  const apex = parseOrigin(`${wildcard[1]}${wildcard[2]}`);
  return apex === null ? null : { ...apex, host: `*.${apex.host}` };
}

/** Scheme and port equal; host equal, or below a `*.name` pattern, never its apex. A wildcard itself is matched by the same or a wider one. */
export function originMatches(pattern: Origin, origin: Origin): boolean {
  if (pattern.scheme !== origin.scheme || pattern.port !== origin.port) return false;
  return pattern.host === origin.host || hostMatches(pattern.host, origin.host.startsWith("*.") ? origin.host.slice(2) : origin.host);
}

/** "https://portal.example", the port only where it is not the scheme's own. */
export function originText(origin: Origin): string {
  return `${origin.scheme}://${origin.host}${defaultPorts[origin.scheme] === origin.port ? "" : `:${origin.port}`}`;
}
