import { expect } from "vitest";
import type { BrowserSession, CredentialValues, LoginFields, LoginOutcome, LoginRequest } from "#core/ports/index.ts";
import { html, never } from "../browser/stage.ts";
import { canaries } from "../fixtures/makers/vault.ts";

/** A vault of one entry as a login sees it: what it was asked for, and what left it. */
export interface OpenHand {
  readonly asked: { readonly origin: string; readonly parts: readonly string[] }[];
  readonly taken: string[];
  request(change?: Partial<LoginRequest>): LoginRequest;
}

const values: Readonly<Record<string, string>> = { username: canaries.user, password: canaries.password, totp: canaries.otp };
const written = [canaries.password, encodeURIComponent(canaries.password), new URLSearchParams({ v: canaries.password }).toString().slice(2)];

/** @param before runs when the values are asked for, after everything was looked at and before anything is filled in */
export function openHand(origins: readonly string[] = ["https://app.test"], before: () => Promise<void> | void = () => undefined): OpenHand {
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
      has: ["username", "password"],
      origins,
      async release(origin, parts, use) {
        asked.push({ origin, parts });
        await before();
        return use(hand, never);
      },
      holdsValue: (text) => written.some((value) => text.includes(value)),
      ...change,
    }),
  };
}

export function signIn(session: BrowserSession, hand: OpenHand, fields: LoginFields = {}, change: Partial<LoginRequest> = {}): Promise<LoginOutcome> {
  return session.login(hand.request({ fields, ...change }), never);
}

/** The refusal a login ends with, and that the vault was not asked for anything before it. */
export async function refusedBefore(login: Promise<unknown>, hand: OpenHand): Promise<string> {
  const code = await login.then(
    () => "none",
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
  expect([hand.asked, hand.taken]).toEqual([[], []]);
  return code;
}

/** A page with one plain form. */
export function loginPage(change: { readonly action?: string; readonly more?: string; readonly head?: string; readonly attributes?: string } = {}): string {
  const { action = "/in", more = "", head = "", attributes = "" } = change;
  return html(
    `${head}<h1>Sign in</h1><form id="f" method="post" action="${action}" ${attributes}><label>User <input name="user" autocomplete="username"></label>
    <label>Password <input type="password" name="pass" autocomplete="current-password"></label>${more}<button>Sign in</button></form>`,
  );
}
