import { fold } from "#base/text.ts";
import { envelopeOf, originMatches, parseOrigin } from "../envelope/index.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import type { TurnWorld } from "./world.ts";

/** Names of logins the user granted: all that a model ever reads of the vault (VLT-10). */
export function grantedLogins({ stores, credentials }: Pick<TurnWorld, "stores" | "credentials">): string[] {
  return credentials === undefined ? [] : [...envelopeOf(stores.grants.list()).vault].sort();
}

/** Those that may be filled into this page. While the vault is locked nobody knows which belong to it, so that all stay: whoever opens it decides. */
export function loginsFor(world: Pick<TurnWorld, "stores" | "credentials">, page: PageView): string[] {
  if (!asksForLogin(page)) return [];
  const granted = grantedLogins(world);
  const origin = parseOrigin(page.url);
  if (granted.length === 0 || origin === null || world.credentials === undefined) return [];
  if (world.credentials.isLocked()) return granted;
  const bindings = world.credentials.bindings();
  return granted.filter((name) =>
    (bindings.get(name) ?? []).some((text) => {
      const bound = parseOrigin(text);
      return bound !== null && originMatches(bound, origin);
    }),
  );
}

const account = /\b(?:user ?name|user|log ?in|e-?mail|account|customer|member|client|benutzer\w*|konto|kennung|kundennummer|utilisateur|usuario|utente)\b/iu;
const code = /\b(?:code|one.?time|verification|authenticat\w+|otp|2fa)\b/iu;
const signing = /\b(?:sign ?(?:in|on)|log ?(?:in|on)|anmeld\w*|einlogg\w*|connexion|iniciar sesión|accedi|inloggen)\b/iu;

/** A page with a field for a secret, or one for a name or a code on a page that speaks of signing in. */
function asksForLogin(page: PageView): boolean {
  const fields = page.elements.filter((element) => element.action === "fill" && !element.disabled);
  if (fields.some(({ secret }) => secret)) return true;
  const told = [page.heading, page.title, ...page.elements.filter(isButton).map(({ name }) => name)].map(fold);
  return fields.some(({ name }) => (account.test(name) || code.test(name)) && told.some((text) => signing.test(text)));
}

function isButton({ role }: PageElement): boolean {
  return role === "button";
}
