import { act, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

const type = async (label: string, value: string): Promise<HTMLInputElement> => {
  const field = (await screen.findByLabelText(label)) as HTMLInputElement;
  await act(async () => {
    fireEvent.change(field, { target: { value } });
  });
  return field;
};
const open = (overrides: Parameters<typeof scriptedClient>[0] = {}) => {
  const made = scriptedClient(overrides);
  const stores = renderPage(scriptedLink(made.client), "#/vault");
  return { ...made, stores, asked: (path: string) => made.calls.filter((call) => call.path === `vault.${path}`).map(({ input }) => input) };
};
const button = (name: string): HTMLElement => screen.getByRole("button", { name });
const status = (change: Partial<typeof sample.vaultStatus>) => ({ vault: { status: () => ({ ...sample.vaultStatus, ...change }) } });

describe("the Vault view", () => {
  it("makes a vault once the passphrase was typed twice alike, and empties both fields as it is sent", async () => {
    const { asked } = open(status({ state: "none", entries: null }));
    const one = await type("Passphrase", "correct horse");
    const other = await type("Passphrase, once more", "correct hors");
    expect([one.type, screen.getByText("The two are not the same.") !== null, button("Make the vault").hasAttribute("disabled")]).toEqual([
      "password",
      true,
      true,
    ]);
    await type("Passphrase, once more", "correct horse");
    await press(button("Make the vault"));
    expect(asked("create")).toEqual([{ passphrase: "correct horse" }]);
    expect([one.value, other.value]).toEqual(["", ""]);
    expect(await screen.findByText("portal")).toBeTruthy();
  });

  it("says what was wrong with a passphrase, empties it, and waits as long as the host says", async () => {
    let failures = 0;
    const locked = () => ({ ...sample.vaultStatus, state: "locked", entries: null, failures, waitMs: failures === 0 ? 0 : 60_000 });
    const unlock = () => {
      failures = 3;
      throw new KnackError("vault.not-opened", "The vault did not open.");
    };
    open({ vault: { status: locked, unlock } });
    const field = await type("Passphrase", "wrong one");
    await press(button("Unlock"));
    expect(await screen.findByText("The vault did not open.")).toBeTruthy();
    expect(field.value).toBe("");
    expect(await screen.findByText(/3 wrong passphrases in a row\. The next can be tried in (?:59|60) s\./u)).toBeTruthy();
    await type("Passphrase", "right one");
    expect(button("Unlock").hasAttribute("disabled")).toBe(true);
  });

  it("lets Knack sign in with a login, and keeps it from it again, by its name alone", async () => {
    const granted: { id: string; kind: "vault"; entry: string; createdAt: number; by: string }[] = [];
    const { calls } = open({
      grants: {
        list: () => [...granted],
        add() {
          granted.push({ id: "g1", kind: "vault", entry: "portal", createdAt: 1, by: "user" });
          return granted[0];
        },
        revoke: () => void granted.splice(0),
      },
    });
    expect((await screen.findAllByText("Knack may not sign in with it")).length).toBeGreaterThan(0);
    await press(button("Let Knack sign in with portal"));
    expect(await screen.findByText("Knack may sign in with it")).toBeTruthy();
    await press(button("Keep Knack from signing in with portal"));
    expect(screen.queryByText("Knack may sign in with it")).toBeNull();
    expect(calls.filter(({ path }) => path === "grants.add" || path === "grants.revoke").map(({ path, input }) => [path, input])).toEqual([
      ["grants.add", { what: "login:portal" }],
      ["grants.revoke", { id: "g1" }],
    ]);
  });

  it("adds a login, sends its values once, and holds nothing of them afterwards, in the page or in its store", async () => {
    const { asked, stores } = open({ vault: { entries: () => [] } });
    expect(await screen.findByText("No login yet")).toBeTruthy();
    await press(button("Add a login"));
    await type("Name", "bank");
    await type("Sites", "https://bank.test\nhttps://idp.test");
    await type("User name", "mira");
    const secret = await type("Password", "Zq7!kept-nowhere");
    expect(secret.type).toBe("password");
    await press(button("Add"));
    expect(asked("add")).toEqual([
      { name: "bank", origins: ["https://bank.test", "https://idp.test"], values: { username: "mira", password: "Zq7!kept-nowhere" } },
    ]);
    expect(screen.queryByLabelText("Password")).toBeNull();
    const kept = JSON.stringify([stores.page.getState(), stores.host.getState(), stores.chat.getState(), { ...localStorage }]);
    expect(`${kept}${document.documentElement.outerHTML}`).not.toContain("kept-nowhere");
  });

  it("changes, removes and locks, and shows names, sites and what was done, never a value", async () => {
    const { asked } = open();
    expect(await screen.findByText(/https:\/\/portal\.example; username, password/u)).toBeTruthy();
    expect(await screen.findByText("Login portal on https://portal.example")).toBeTruthy();
    await press(button("Change portal"));
    expect((screen.getByLabelText("Password") as HTMLInputElement).value).toBe("");
    await type("Name", "work");
    await press(button("Save"));
    expect(asked("edit")).toEqual([{ name: "portal", change: { name: "work", origins: ["https://portal.example"], values: {} } }]);
    await press(button("Remove portal"));
    await press(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Remove" }));
    expect(asked("remove")).toEqual([{ name: "portal" }]);
    await press(button("Lock now"));
    expect(await screen.findByText("Locked")).toBeTruthy();
  });

  it("asks for the passphrase once more before it is changed, and empties the form where it was wrong", async () => {
    const { asked } = open({
      vault: {
        changePassphrase: () => {
          throw new KnackError("vault.not-opened", "The vault did not open.");
        },
      },
    });
    await press(await screen.findByRole("button", { name: "Change the passphrase" }));
    const current = await type("Passphrase of the vault", "wrong one");
    await type("New passphrase", "a new passphrase");
    await type("New passphrase, once more", "a new passphrase");
    await press(button("Change"));
    expect(asked("changePassphrase")).toEqual([{ current: "wrong one", next: "a new passphrase" }]);
    expect(await screen.findByText("The vault did not open.")).toBeTruthy();
    expect(current.value).toBe("");
  });

  it("says where the audit log was changed, and where there is no keychain to rely on", async () => {
    open(
      status({
        auditProblem: "The audit log was changed: line 2 is missing.",
        keychain: { state: "unavailable", message: "Kept readable (basic_text). Use a passphrase." },
      }),
    );
    expect(await screen.findByText("The audit log was changed: line 2 is missing.")).toBeTruthy();
    expect(screen.getByText("Kept readable (basic_text). Use a passphrase.")).toBeTruthy();
    expect((screen.getByRole("switch", { name: /keychain/u }) as HTMLInputElement).disabled).toBe(true);
  });
});
