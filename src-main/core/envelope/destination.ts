import { fail, ok, type Result } from "#base/result.ts";
import type { Destination, GrantLimits } from "#contract/grants/schema.ts";

/** Longest address that is read at all. */
const LONGEST_URL = 32_768;
const LONGEST_HOST = 253;
const LONGEST_LABEL = 63;
const DEFAULT_PORT = { http: 80, ws: 80, https: 443, wss: 443 } as const;

export type Scheme = Destination["scheme"];
export type Use = Destination["use"];

/** Where an IP address lies: `public` unicast; `private` (reachable only by an explicit grant); `never`, under no grant (metadata services). */
export type AddressKind = "public" | "private" | "never";

export type PlaceRefusal = "url.length" | "url.parse" | "url.scheme" | "url.userinfo" | "url.host";
export type DestinationRefusal = PlaceRefusal | "policy.invalid" | "dest.host" | "dest.scheme" | "dest.port" | "dest.kind" | "dest.ip" | "query";

export interface RefusedPlace<Code extends string = DestinationRefusal> {
  readonly code: Code;
  /** Canonical host, "" when the text has none that may be repeated. */
  readonly host: string;
  /** One sentence for people; never holds user info or a query. */
  readonly message: string;
}

/** A URL in its one canonical form (security rule 5): lower-case ASCII host, explicit port. */
export interface Place {
  readonly scheme: Scheme;
  readonly host: string;
  readonly port: number;
  readonly href: string;
}

function refuse<Code extends string>(code: Code, host: string, message: string): { readonly ok: false; readonly error: RefusedPlace<Code> } {
  return fail({ code, host, message });
}

function isScheme(text: string): text is Scheme {
  return Object.hasOwn(DEFAULT_PORT, text);
}

/** True for a host in URL form that is an IP literal: dotted quad, or IPv6 in brackets. */
export function isAddressLiteral(host: string): boolean {
  return host.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/u.test(host);
}

function isHostName(host: string): boolean {
  return host.split(".").every((label) => /^[a-z0-9-]+$/u.test(label));
}

/** Longer than the name service can carry (RFC 1035 2.3.4). */
function isTooLong(host: string): boolean {
  return host.length > LONGEST_HOST || host.split(".").some((label) => label.length > LONGEST_LABEL);
}

/** Names by which machines of a cloud hand credentials to whoever asks; no grant reaches them, whatever they resolve to. */
const METADATA_NAMES = new Set(["metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"]);

/** Parses once, by the WHATWG rules, and refuses every shape that two readers could understand differently. */
export function parsePlace(text: string): Result<Place, RefusedPlace<PlaceRefusal>> {
  if (text.length > LONGEST_URL) return refuse("url.length", "", `The address is longer than ${LONGEST_URL} characters.`);
  if (!URL.canParse(text)) return refuse("url.parse", "", "That is not an address a browser can open. Expected something like https://example.org.");
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (!isScheme(scheme)) return refuse("url.scheme", "", `Addresses that begin with "${scheme}:" are not opened, only http and https.`);
  if (url.username !== "" || url.password !== "")
    return refuse("url.userinfo", url.hostname, `The address carries a user name or password before "@${url.hostname}"; that is not opened.`);
  const host = url.hostname;
  if (isTooLong(host))
    return refuse("url.length", "", `The host's name is too long: at most ${LONGEST_HOST} characters, and ${LONGEST_LABEL} between two dots.`);
  if (host === "" || !(isAddressLiteral(host) || isHostName(host))) return refuse("url.host", host, `"${host}" is not a well-formed host name.`);
  if (url.port === "0") return refuse("url.parse", host, "Nothing can be reached on port 0.");
  return ok({ scheme, host, port: url.port === "" ? DEFAULT_PORT[scheme] : Number(url.port), href: url.href });
}

export interface GrantReading extends GrantLimits {
  /** The user said that this host may lie in a private network. */
  readonly allowPrivate?: boolean;
  /** True for a name under which anybody may register ("uk", "co.uk", "github.io"). */
  readonly isPublicSuffix: (host: string) => boolean;
  readonly classify: (address: string) => AddressKind;
}

/** Reads what a user wrote as a grant: an address, or a host for https. `*.name` means sub-domains of name, not name itself. */
export function parseDestination(text: string, reading: GrantReading): Result<Destination, RefusedPlace<PlaceRefusal | "dest.ip" | "grant.too-wide">> {
  const written = text.trim();
  const parts = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?(.*)$/iu.exec(written);
  const rest = parts?.[3] ?? "";
  if (rest === "" || rest.startsWith("/")) return refuse("url.parse", "", "A grant names a site, like https://example.org.");
  const isWild = parts?.[2] !== undefined;
  const parsed = parsePlace(`${parts?.[1] ?? "https"}://${rest}`);
  if (!parsed.ok) return rest.includes("*") ? refuse("grant.too-wide", "", `"${clean(written)}" is wider than a grant may be: name one site.`) : parsed;
  const { scheme, host, port } = parsed.value;
  const isLiteral = isAddressLiteral(host);
  if (isWild && (isLiteral || !host.includes("."))) return refuse("grant.too-wide", host, `"*.${host}" is wider than a grant may be.`);
  if (!isLiteral && !isLocalName(host) && reading.isPublicSuffix(host))
    return refuse("grant.too-wide", host, `"${host}" is a suffix that many sites share; name one site under it.`);
  const kind = kindOf(host, reading.classify);
  if (kind === "never") return refuse("dest.ip", host, neverText(host));
  const allowPrivate = reading.allowPrivate === true || kind === "private" || isLocalName(host);
  return ok({
    scheme,
    host: isWild ? `*.${host}` : host,
    port,
    use: reading.use ?? "navigate",
    allowPrivate,
    ...(reading.noQuery === true ? { noQuery: true } : {}),
    ...(reading.mostSent === undefined ? {} : { mostSent: reading.mostSent }),
  });
}

function kindOf(host: string, classify: (address: string) => AddressKind): AddressKind {
  if (METADATA_NAMES.has(host)) return "never";
  return isAddressLiteral(host) ? classify(bare(host)) : "public";
}

function neverText(host: string): string {
  return `${host} is never opened: it is an address for machine credentials.`;
}

function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function clean(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, "").slice(0, 80);
}

/** The address inside a URL host: brackets of IPv6 removed. */
export function bare(host: string): string {
  return host.startsWith("[") ? host.slice(1, -1) : host;
}

/** True where a granted host (exact, or `*.name`) covers a host. Equality of whole labels, nothing else. */
export function hostMatches(granted: string, host: string): boolean {
  if (!granted.startsWith("*.")) return granted === host;
  const suffix = granted.slice(1);
  return host.length > suffix.length && host.endsWith(suffix) && !isAddressLiteral(host);
}

function isDestination(value: unknown): value is Destination {
  if (value === null || typeof value !== "object") return false;
  const { scheme, host, port, use, allowPrivate, noQuery, mostSent } = value as Record<string, unknown>;
  return (
    typeof scheme === "string" &&
    isScheme(scheme) &&
    typeof host === "string" &&
    host !== "" &&
    host !== "*" &&
    Number.isInteger(port) &&
    (port as number) >= 1 &&
    (port as number) <= 65_535 &&
    (noQuery === undefined || typeof noQuery === "boolean") &&
    (mostSent === undefined || (Number.isInteger(mostSent) && (mostSent as number) > 0)) &&
    (use === "navigate" || use === "subresource") &&
    typeof allowPrivate === "boolean"
  );
}

export type Cover =
  | { readonly allowed: true; readonly place: Place; readonly destination: Destination }
  | { readonly allowed: false; readonly refusal: RefusedPlace };

function no(code: DestinationRefusal, host: string, message: string): Cover {
  return { allowed: false, refusal: { code, host, message } };
}

/**
 * May this address be reached under these grants? A grant to navigate covers sub-resources too.
 * Fails closed: a policy that is not a list of whole destinations refuses everything.
 */
export function covers(destinations: readonly Destination[], url: string, use: Use, classify: (address: string) => AddressKind): Cover {
  const parsed = parsePlace(url);
  if (!parsed.ok) return { allowed: false, refusal: parsed.error };
  return coversPlace(destinations, parsed.value, use, classify);
}

/** The same for an address already in canonical form. */
export function coversPlace(destinations: readonly Destination[], place: Place, use: Use, classify: (address: string) => AddressKind): Cover {
  const { scheme, host, port } = place;
  if (!Array.isArray(destinations) || !destinations.every(isDestination))
    return no("policy.invalid", host, "The list of granted sites cannot be read, so nothing may be opened.");
  const kind = kindOf(host, classify);
  if (kind === "never") return no("dest.ip", host, neverText(host));
  const sameHost = destinations.filter((each) => hostMatches(each.host, host));
  if (kind === "private" && !sameHost.some((each) => each.allowPrivate))
    return no("dest.ip", host, `${host} is not an address on the public internet, and you have not granted it.`);
  if (sameHost.length === 0) {
    // Under an empty list nothing can be compared at all (security rule 10).
    return no(destinations.length === 0 ? "policy.invalid" : "dest.host", host, `You have not granted ${host}, so it was not contacted.`);
  }
  const sameScheme = sameHost.filter((each) => each.scheme === scheme);
  if (sameScheme.length === 0) return no("dest.scheme", host, `${host} is granted for ${sameHost.map((each) => each.scheme).join(", ")}, not for ${scheme}.`);
  const samePort = sameScheme.filter((each) => each.port === port);
  if (samePort.length === 0) return no("dest.port", host, `${host} is granted on port ${sameScheme.map((each) => each.port).join(", ")}, not on port ${port}.`);
  const destination = samePort.find((each) => each.use === "navigate") ?? samePort.find((each) => each.use === use);
  if (destination === undefined) return no("dest.kind", host, `${host} is granted for parts of pages only, not as a page of its own.`);
  if (destination.noQuery === true && hasQuery(place)) return no("query", host, `${host} is granted without queries, and this address carries one.`);
  return { allowed: true, place, destination };
}

/** The part after "?", which carries whatever a page puts there. */
function hasQuery({ href }: Place): boolean {
  return /^[^?#]*\?[^#]/u.test(href);
}
