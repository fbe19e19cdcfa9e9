import type { Contact } from "#contract/activity/schema.ts";

const MEANS: Record<Contact["means"], string> = {
  browser: "Browser",
  showing: "Showing",
  web_fetch: "Page read as text",
  models: "Knack, for a model",
};

/** Who talked. */
export function formatMeans({ means }: Contact): string {
  return MEANS[means];
}

/** "https://portal.example", the port only where it is not the scheme's own; a name alone where no address is known. */
export function formatAddress({ scheme, host, port }: Contact): string {
  if (host === "") return "An address that could not be read";
  if (scheme === "") return host;
  const usual = { http: 80, https: 443, ws: 80, wss: 443 }[scheme];
  return `${scheme}://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}${port === usual ? "" : `:${port}`}`;
}

const REASONS: Readonly<Record<string, string>> = {
  "dest.host": "not granted",
  "dest.scheme": "granted, but not by this scheme",
  "dest.port": "granted, but not on this port",
  "dest.kind": "granted for parts of pages only",
  "dest.ip": "not on the public internet",
  "dest.self": "belongs to Knack itself",
  "dest.protocol": "what was sent was not what was granted",
  "dns.error": "the name could not be found",
  "grant.revoked": "the permission was taken back",
  "policy.invalid": "nothing is granted",
  query: "granted without queries",
  "proxy.credential": "another program knocked at Knack's own gate",
};

/** Why it was allowed or refused, in a few words. */
export function formatReason({ allowed, code, grant }: Contact): string {
  if (allowed) return code === "ok" ? (grant === null ? "asked for by you" : `you granted ${grant}`) : "allowed, but it could not be reached";
  if (code.startsWith("url.")) return "the address is not one that is opened";
  if (code.startsWith("hop.")) return "a site led there, and it is not granted";
  if (code.startsWith("stop.")) return "it took more than one task may take";
  return REASONS[code] ?? code;
}
