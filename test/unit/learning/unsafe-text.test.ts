import { describe, expect, it } from "vitest";
import { isSecretLike } from "#core/learning/unsafe-text.ts";

describe("what looks like a secret (UNT-03)", () => {
  it.each([
    "password hunter22",
    "my password is correcthorse",
    "Passwort: geheim123",
    "pass: a b c",
    "PIN 4821",
    "CVV 123",
    "4111.1111.1111.1111",
    "4111 1111 1111 1111",
    `0x${"a1".repeat(32)}`,
    "GB82 WEST 1234 5698 7654 32",
    "DE89370400440532013000",
  ])("%s", (text) => expect(isSecretLike(text)).toBe(true));

  it.each([
    "KX27 ABC",
    "Reset your password",
    "The password is required",
    "Passport 12 office",
    "Order 4111",
    "AB12 3456 7890 1234",
    "Pinewood 4821",
    "01632 960455",
    "Week of 10 May 2027",
  ])("%s does not", (text) => expect(isSecretLike(text)).toBe(false));
});
