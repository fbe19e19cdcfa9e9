import type { Brand } from "#base/brand.ts";
import { fail, ok, type Result } from "#base/result.ts";
import { entryNameSchema } from "#contract/vault/schema.ts";
import { originText, parseOrigin } from "../envelope/index.ts";

/** A vault entry as everything but `vault/fill` knows it: a name without a value. */
export type EntryName = Brand<string, "EntryName">;

/** A name that is safe to print anywhere: letters, digits, dot, hyphen, underscore; 1–64 characters. undefined for any other. */
export function entryName(text: string): EntryName | undefined {
  return entryNameSchema.safeParse(text).success ? (text as EntryName) : undefined;
}

/**
 * The origin an entry can be bound to, in its one form: https, or http on this machine alone where the user insists. An address with a path is taken as
 * its origin; a pattern is none.
 */
export function boundOrigin(text: string, mayBeHttp: boolean): Result<string> {
  const given = text.trim();
  const origin = parseOrigin(/^[a-z][a-z0-9+.-]*:\/\//iu.test(given) ? given : `https://${given}`);
  if (origin === null) return fail("expected the address of a site, like https://portal.example");
  if (origin.scheme === "https") return ok(originText(origin));
  if (origin.scheme !== "http") return fail(`expected an https address, not ${origin.scheme}`);
  if (!isLoopback(origin.host)) return fail("a site without https would send the values readable to everyone on the way; expected an https address");
  return mayBeHttp ? ok(originText(origin)) : fail("this address has no https; for a site on this machine add --allow-http");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host);
}

/** Whether a document's origin, as the browser tells it, is one of those an entry is bound to: scheme, host and port, nothing less. */
export function isBoundTo(origins: readonly string[], documentOrigin: string): boolean {
  const origin = parseOrigin(documentOrigin);
  return origin !== null && origins.includes(originText(origin));
}
