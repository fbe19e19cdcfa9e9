import { afterEach, describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import type { Screen } from "#shells/cli/screen.ts";
import type { Session } from "#shells/cli/session.ts";
import { unlockerAt } from "#shells/cli/unlocked.ts";

const said: string[] = [];
const screen = { status: () => undefined, note: (line: string) => void said.push(line) } as unknown as Screen;
const session = { signal: new AbortController().signal, stop: () => undefined } as unknown as Session;
const terminals = { in: process.stdin.isTTY, err: process.stderr.isTTY };
const withPerson = (isThere: boolean): void => {
  Object.assign(process.stdin, { isTTY: isThere });
  Object.assign(process.stderr, { isTTY: isThere });
};
afterEach(() => {
  Object.assign(process.stdin, { isTTY: terminals.in });
  Object.assign(process.stderr, { isTTY: terminals.err });
  said.splice(0);
});

/** A vault that opens to one passphrase. */
function vault(right: string) {
  const tried: string[] = [];
  let state = "locked";
  return {
    tried,
    status: async () => ({ state, keychain: { state: "off" } }),
    async unlock(given: string) {
      tried.push(given);
      if (given !== right) throw new KnackError("vault.not-opened", "The vault did not open.");
      state = "unlocked";
    },
  };
}

describe("a login that needs a locked vault", () => {
  it("CRED-21: asks nobody where no person sits at a terminal", () => {
    withPerson(false);
    expect(unlockerAt(screen, session)).toEqual({});
  });

  it("asks at a terminal, says which login it is for, and lets a wrong passphrase be typed again", async () => {
    withPerson(true);
    const answers = ["wrong", "right"];
    const made = vault("right");
    await unlockerAt(screen, session, async () => answers.shift() ?? "").unlock?.(made as never, "bank", session.signal);
    expect([made.tried, said]).toEqual([
      ["wrong", "right"],
      ['Knack wants to sign in with the login "bank", and the vault is locked.', "The vault did not open."],
    ]);
  });

  it("gives up after three", async () => {
    withPerson(true);
    const made = vault("right");
    await expect(unlockerAt(screen, session, async () => "wrong").unlock?.(made as never, "bank", session.signal)).rejects.toThrow("The vault did not open.");
    expect(made.tried.length).toBe(3);
  });
});
