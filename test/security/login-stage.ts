import type { BrowserSession, CredentialValues, LoginFields, LoginOutcome, LoginRequest } from "#core/ports/index.ts";
import { never } from "../browser/stage.ts";
import { canaries } from "../fixtures/makers/vault.ts";

/** A vault of one entry without the vault: what it was asked, and what it gave. */
export interface OpenHand {
  readonly asked: { readonly origin: string; readonly parts: readonly string[] }[];
  /** Values that left it. */
  readonly taken: string[];
  request(change?: Partial<LoginRequest>): LoginRequest;
}

const values: Readonly<Record<string, string>> = { username: canaries.user, password: canaries.password, totp: canaries.otp };

export function openHand(origins: readonly string[] = ["https://app.test"]): OpenHand {
  const asked: OpenHand["asked"] = [];
  const taken: string[] = [];
  const hand: CredentialValues = {
    take(field) {
      taken.push(field);
      return values[field] ?? "";
    },
  };
  return {
    asked,
    taken,
    request: (change = {}) => ({
      fields: {},
      has: ["username", "password", "totp"],
      origins,
      async release(origin, parts, use) {
        asked.push({ origin, parts });
        return use(hand, never);
      },
      holdsValue: (text) =>
        [canaries.password, encodeURIComponent(canaries.password), new URLSearchParams({ v: canaries.password }).toString().slice(2)].some((value) =>
          text.includes(value),
        ),
      ...change,
    }),
  };
}

export function signIn(session: BrowserSession, hand: OpenHand, fields: LoginFields = {}, change: Partial<LoginRequest> = {}): Promise<LoginOutcome> {
  return session.login(hand.request({ fields, ...change }), never);
}
