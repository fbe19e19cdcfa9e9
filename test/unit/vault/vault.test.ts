import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { exclusiveLock } from "#adapters/sqlite/index.ts";
import type { HostedAgent } from "#app/create-agent.ts";
import { KnackError } from "#contract/errors.ts";
import { sweep, sweepFolders } from "../../fixtures/leak-sweep.ts";
import { canaries, fakeKeychain, mask, passphrase, siteLogin, vaultAgent, vaultFolder } from "../../fixtures/makers/vault.ts";

const codeOfSync = (work: () => unknown): string => {
  try {
    work();
    return "ok";
  } catch (error) {
    return error instanceof KnackError ? error.code : String(error);
  }
};

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return "ok";
  } catch (error) {
    return error instanceof KnackError ? error.code : String(error);
  }
};

async function withEntry(folder = vaultFolder(), change: Parameters<typeof vaultAgent>[1] = {}): Promise<{ agent: HostedAgent; folder: string }> {
  const agent = await vaultAgent(folder, change);
  await agent.vault.create(passphrase);
  agent.vault.add(siteLogin);
  return { agent, folder };
}

/** What a page is given; nothing that a boundary returns would hold it. */
async function login(agent: HostedAgent, change: Partial<{ entry: string; origin: string; fields: readonly string[] }> = {}): Promise<string[]> {
  const typed: string[] = [];
  const request = { entry: "site-login", origin: "https://app.test", fields: ["username", "password"], ...change };
  await agent.credentials.withCredential(request, async (values) => {
    for (const field of request.fields) typed.push(values.take(field));
  });
  return typed;
}

const said = (agent: HostedAgent): string[] =>
  agent.vault
    .audit(100)
    .reverse()
    .map(({ action, entry, origin, decision }) => [action, entry, origin, decision].filter((part) => part !== "").join(" "));

describe("the vault of an agent", () => {
  it("tells names, origins and fields, and keeps entries for the next process", async () => {
    const { agent, folder } = await withEntry();
    const [entry] = agent.vault.entries();
    expect(entry).toMatchObject({ name: "site-login", origins: ["https://app.test"], fields: ["username", "password", "totp"], unmasked: [] });
    expect(
      sweep(
        { ...canaries, seed: "JBSWY3DPEHPK3PXPJBSWY3DP" },
        { entries: JSON.stringify(agent.vault.entries()), status: JSON.stringify(await agent.vault.status()) },
      ),
    ).toEqual([]);
    await agent.close();
    const next = await vaultAgent(folder);
    expect(await next.vault.status()).toMatchObject({ state: "locked", entries: null });
    expect(await codeOf(() => next.vault.entries())).toBe("vault.locked");
    await next.vault.unlock(passphrase);
    expect(next.vault.entry("site-login").fields).toEqual(["username", "password", "totp"]);
  });

  it.each([
    ["a name with a space", { name: "site login" }, "name"],
    ["a site without https", { origins: ["http://app.test"] }, "https"],
    ["a site on this machine without https, unasked", { origins: ["http://127.0.0.1:8080"] }, "--allow-http"],
    ["a pattern", { origins: ["https://*.app.test"] }, "origins"],
    ["an address with a password in it", { origins: ["https://a:b@app.test"] }, "origins"],
    ["no site", { origins: [] }, "site"],
    ["no field", { values: {} }, "field"],
    ["an empty value", { values: { password: "" } }, "empty"],
    ["a field of another form", { values: { "Pass word": "x" } }, "field"],
    ["a seed that is none", { values: { totp: "not base32 !" } }, "totp"],
    ["a counter for a clock", { values: { totp: "otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP&counter=1" } }, "HOTP"],
    ["an unknown key", { note: "x" }, "note"],
  ])("takes no entry with %s, and says why", async (_what, change, why) => {
    const agent = await vaultAgent(vaultFolder());
    await agent.vault.create(passphrase);
    expect(() => agent.vault.add({ ...siteLogin, ...change } as typeof siteLogin)).toThrow(
      expect.objectContaining({ code: "bad-input", message: expect.stringContaining(why) as unknown }),
    );
    expect(agent.vault.entries()).toEqual([]);
  });

  it("brings origins into one form, and takes one of this machine where the user insists", async () => {
    const agent = await vaultAgent(vaultFolder());
    await agent.vault.create(passphrase);
    const entry = agent.vault.add({
      ...siteLogin,
      origins: ["HTTPS://APP.Test:443/login?x=1", "app.test", "https://app.test:8443", "http://localhost:3000"],
      allowHttp: true,
    });
    expect(entry.origins).toEqual(["https://app.test", "https://app.test:8443", "http://localhost:3000"]);
  });

  it("renames, changes and removes entries, and what was granted goes with them", async () => {
    const { agent } = await withEntry();
    const grant = { id: "g", kind: "vault" as const, entry: "site-login", createdAt: 1, by: "user" };
    agent.world.stores.grants.add(grant);
    const changed = agent.vault.edit("site-login", { name: "work", values: { password: null, pin: "9182736" } });
    expect(changed).toMatchObject({ name: "work", fields: ["username", "totp", "pin"] });
    expect(agent.grants().filter(({ kind }) => kind === "vault")).toEqual([{ ...grant, entry: "work" }]);
    expect(() => agent.vault.add({ ...siteLogin, name: "WORK" })).toThrow(/"work" already/u);
    expect(() => agent.vault.edit("work", { values: { username: null, totp: null, pin: null } })).toThrow(/without a field/u);
    agent.vault.remove("work");
    expect([agent.vault.entries(), agent.grants().filter(({ kind }) => kind === "vault")]).toEqual([[], []]);
    expect(() => agent.vault.remove("work")).toThrow(/no entry "work"/u);
  });

  it("SEC-13: marks what is too short or too common to be masked, and nothing else turns into a mask", async () => {
    const agent = await vaultAgent(vaultFolder());
    await agent.vault.create(passphrase);
    const entry = agent.vault.add({ ...siteLogin, values: { username: canaries.user, password: "abc", pin: "true", code: "12345", good: "correct-horse" } });
    expect(entry.unmasked).toEqual(["password", "pin", "code"]);
    agent.addFact("true: every abc stays 12345, correct-horse does not");
    expect(agent.facts()[0]?.text).toBe(`true: every abc stays 12345, ${mask} does not`);
  });
});

describe("a credential", () => {
  it("CRED-25: reaches a login on its origin byte for byte; of a seed only the code of the moment does (SEC-34)", async () => {
    const now = Date.UTC(2027, 1, 14, 9, 30, 5);
    const { agent } = await withEntry(vaultFolder(), { clock: () => now });
    expect(await login(agent)).toEqual([canaries.user, canaries.password]);
    const [code] = await login(agent, { fields: ["totp"] });
    expect(code).toMatch(/^\d{6}$/u);
    expect(agent.credentials.released).toBe(3);
    expect(agent.credentials.bindings()).toEqual(new Map([["site-login", ["https://app.test"]]]));
  });

  it.each([
    ["CRED-01: a look-alike", { origin: "https://app.test.evil.test" }],
    ["CRED-02: another port", { origin: "https://app.test:8443" }],
    ["CRED-02: no https", { origin: "http://app.test" }],
    ["an origin that is none", { origin: "null" }],
    ["CRED-22: an entry that is not there", { entry: "bank" }],
    ["CRED-22: a name that is none", { entry: "bank\n[vault]" }],
    ["a field it has not", { fields: ["pin"] }],
    ["no field at all", { fields: [] }],
  ])("%s gets nothing, reads nothing, and is written down", async (_what, change) => {
    const { agent } = await withEntry();
    let isUsed = false;
    const asked = { entry: "site-login", origin: "https://app.test", fields: ["password"], ...change };
    const code = await codeOf(() =>
      agent.credentials.withCredential(asked, async () => {
        isUsed = true;
      }),
    );
    expect({ code, isUsed, released: agent.credentials.released }).toEqual({ code: "cred.origin", isUsed: false, released: 0 });
    expect(agent.vault.audit(1)[0]).toMatchObject({ action: "release", decision: "cred.origin", origin: asked.origin });
  });

  it("CRED-22: says the same of an entry that is bound elsewhere and of one that is not there", async () => {
    const { agent } = await withEntry();
    const errorOf = (entry: string): Promise<Error> =>
      login(agent, { entry, origin: "https://evil.test" }).then(
        () => new Error("none"),
        (error: Error) => error,
      );
    const [there, not] = [await errorOf("site-login"), await errorOf("bank-login")];
    expect(there.message.replace("site-login", "X")).toBe(not.message.replace("bank-login", "X"));
  });

  it("CRED-21: gets nothing while the vault is locked, and VLT-11: what is under way when it is locked fails", async () => {
    const { agent } = await withEntry();
    const under = agent.credentials.withCredential(
      { entry: "site-login", origin: "https://app.test", fields: ["username", "password"] },
      async (values, signal) => {
        const user = values.take("username");
        agent.vault.lock();
        expect(signal.aborted).toBe(true);
        return [user, values.take("password")];
      },
    );
    expect(await codeOf(() => under)).toBe("vault.locked");
    expect(agent.credentials.released).toBe(1);
    expect(await codeOf(() => login(agent))).toBe("vault.locked");
    expect(agent.credentials.bindings().size).toBe(0);
    await agent.vault.unlock(passphrase);
    expect(await login(agent)).toEqual([canaries.user, canaries.password]);
  });

  it("is gone when its use has ended", async () => {
    const { agent } = await withEntry();
    const kept = await agent.credentials.withCredential({ entry: "site-login", origin: "https://app.test", fields: ["password"] }, async (values) => values);
    expect(await codeOf(() => kept.take("password"))).toBe("vault.over");
  });

  it("SEC-21: what goes wrong with it says nothing of it, and has no cause that would", async () => {
    const { agent } = await withEntry();
    const failing = (error: unknown) =>
      agent.credentials
        .withCredential({ entry: "site-login", origin: "https://app.test", fields: ["password"] }, async (values) => {
          values.take("password");
          throw error;
        })
        .then(
          () => null,
          (thrown: Error) => thrown,
        );
    const library = await failing(new Error(`fill("${canaries.password}") timed out\nCall log: locator.fill`));
    const own = await failing(
      new KnackError("browser.gone", `lost "${canaries.password}"`, { fields: { typed: canaries.password }, cause: new Error(canaries.password) }),
    );
    for (const error of [library, own]) {
      expect(sweep(canaries, { error: `${error?.message} ${error?.stack} ${JSON.stringify(error)}` })).toEqual([]);
      expect(error?.cause).toBeUndefined();
    }
    expect([library, own]).toMatchObject([{ code: "cred.fill" }, { code: "browser.gone", fields: { typed: mask } }]);
    expect(said(agent).slice(-4)).toEqual([
      "release site-login https://app.test released",
      "release site-login https://app.test cred.fill",
      "release site-login https://app.test released",
      "release site-login https://app.test browser.gone",
    ]);
  });

  it("SEC-33: leaves entry, origin, time and decision in the audit log, and no value, length or hash of one", async () => {
    let now = Date.UTC(2027, 1, 14);
    const { agent, folder } = await withEntry(vaultFolder(), { clock: () => (now += 1) });
    await login(agent);
    agent.addFact(`it is ${canaries.password}`);
    agent.vault.lock();
    const rows = agent.vault.audit(100).reverse();
    expect(rows.map(({ action, entry, origin, decision, masks }) => ({ action, entry, origin, decision, masks }))).toEqual([
      { action: "create", entry: "", origin: "", decision: "ok", masks: 0 },
      { action: "add", entry: "site-login", origin: "", decision: "ok", masks: 0 },
      { action: "release", entry: "site-login", origin: "https://app.test", decision: "released", masks: 0 },
      { action: "release", entry: "site-login", origin: "https://app.test", decision: "ok", masks: 0 },
      { action: "lock", entry: "", origin: "", decision: "asked", masks: expect.any(Number) as unknown },
    ]);
    expect(rows[4]?.masks).toBeGreaterThan(0);
    expect(Object.keys(rows[2] as object).sort()).toEqual(["action", "at", "decision", "entry", "masks", "origin", "seq"]);
    expect(sweepFolders({ ...canaries, passphrase, seed: "JBSWY3DPEHPK3PXPJBSWY3DP" }, folder)).toEqual([]);
  });
});

describe("locking", () => {
  it("VLT-11: it locks by itself when nobody used it for the time that is set", async () => {
    let now = 1_000_000;
    const { agent } = await withEntry(vaultFolder(), { clock: () => now });
    agent.changeSettings({ vaultIdleMinutes: 5 });
    now += 4 * 60_000;
    expect(agent.vault.entries().length).toBe(1);
    now += 5 * 60_000 - 1;
    expect((await agent.vault.status()).state).toBe("unlocked");
    now += 1;
    expect(await codeOf(() => login(agent))).toBe("vault.locked");
    expect(agent.credentials.released).toBe(0);
    expect(said(agent)).toContain("lock idle");
  });

  it("VLT-11: it locks in every process of the data folder, when the machine sleeps, and when the program ends", async () => {
    let now = 1_000_000;
    const { agent, folder } = await withEntry(vaultFolder(), { clock: () => (now += 1) });
    const other = await vaultAgent(folder, { clock: () => (now += 1) });
    await other.vault.unlock(passphrase);
    agent.vault.lock();
    expect((await other.vault.status()).state).toBe("locked");
    await other.vault.unlock(passphrase);
    other.vault.lock("suspended");
    await other.vault.unlock(passphrase);
    await other.close();
    expect(said(agent).filter((line) => line.startsWith("lock"))).toEqual(["lock asked", "lock asked elsewhere", "lock suspended", "lock closing"]);
  });

  it("VLT-18: wrong passphrases cost more and more time, in every process, and are counted in the audit log", async () => {
    let now = 1_000_000;
    const { agent, folder } = await withEntry(vaultFolder(), { clock: () => now });
    agent.vault.lock();
    now += 1;
    const other = await vaultAgent(folder, { clock: () => now });
    const waits: number[] = [];
    let tried = 0;
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const by = attempt % 2 === 0 ? agent : other;
      const code = await codeOf(() => by.vault.unlock(`guess number ${attempt}`));
      if (code === "vault.not-opened") tried += 1;
      const { waitMs } = await by.vault.status();
      waits.push(waitMs);
      expect(code).toBe("vault.not-opened");
      if (waitMs > 0) {
        expect(await codeOf(() => other.vault.unlock(passphrase))).toBe("vault.wait");
        now += waitMs;
      }
    }
    expect(tried).toBe(20);
    expect(waits.slice(0, 6)).toEqual([0, 0, 1000, 2000, 4000, 8000]);
    expect(waits).toEqual([...waits].sort((one, two) => one - two));
    expect(waits.at(-1)).toBe(300_000);
    expect(said(agent).filter((line) => line === "unlock vault.not-opened").length).toBe(20);
    await agent.vault.unlock(passphrase);
    expect(await agent.vault.status()).toMatchObject({ failures: 0, waitMs: 0 });
  });

  it("VLT-18: a clock that is put back shortens no wait, and many at once are no way around it", async () => {
    let now = 1_000_000_000;
    const { agent } = await withEntry(vaultFolder(), { clock: () => now });
    agent.vault.lock();
    const codes = await Promise.all([1, 2, 3, 4, 5, 6].map((guess) => codeOf(() => agent.vault.unlock(`guess ${guess}`))));
    expect(codes.filter((code) => code === "vault.wait").length).toBe(3);
    now -= 500_000_000;
    expect(await codeOf(() => agent.vault.unlock(passphrase))).toBe("vault.wait");
    now += 1000;
    expect(await codeOf(() => agent.vault.unlock(passphrase))).toBe("ok");
  });
});

describe("passphrase, key and keychain", () => {
  it("VLT-12: a new passphrase and a new key hold in the next process, and the keychain follows the key", async () => {
    const keychain = fakeKeychain();
    const { agent, folder } = await withEntry(vaultFolder(), { keychain });
    await agent.vault.setKeychain(true);
    const [before] = keychain.kept.values();
    await agent.vault.changePassphrase(passphrase, "a new passphrase");
    expect([...keychain.kept.values()]).toEqual([before]);
    await agent.vault.rotate("a new passphrase");
    expect([...keychain.kept.values()]).not.toEqual([before]);
    await agent.close();
    const next = await vaultAgent(folder, { keychain });
    expect(await codeOf(() => next.vault.unlock(passphrase))).toBe("vault.not-opened");
    await next.vault.unlockByKeychain();
    expect(await login(next)).toEqual([canaries.user, canaries.password]);
    await next.vault.setKeychain(false);
    next.vault.lock();
    expect([keychain.kept.size, await codeOf(() => next.vault.unlockByKeychain())]).toEqual([0, "vault.keychain"]);
    expect(await codeOf(() => next.vault.changePassphrase("a new passphrase", "short"))).toBe("vault.locked");
  });

  it("VLT-09: a keychain that does not protect keeps no key: a passphrase is needed, and that is said", async () => {
    const keychain = fakeKeychain();
    const { agent } = await withEntry(vaultFolder(), { keychain });
    keychain.fail("This keychain keeps things readable (basic_text). Use a passphrase.");
    expect(await codeOf(() => agent.vault.setKeychain(true))).toBe("vault.keychain");
    expect(keychain.kept.size).toBe(0);
    expect((await agent.vault.status()).keychain).toEqual({
      state: "unavailable",
      message: "This keychain keeps things readable (basic_text). Use a passphrase.",
    });
    agent.vault.lock();
    expect(await codeOf(() => agent.vault.unlockByKeychain())).toBe("vault.keychain");
    await agent.vault.unlock(passphrase);
  });

  it.each(["short", "        ", "x".repeat(1025)])("takes no passphrase that protects nothing: %j", async (given) => {
    const agent = await vaultAgent(vaultFolder());
    expect(await codeOf(() => agent.vault.create(given))).toBe("bad-input");
    expect((await agent.vault.status()).state).toBe("none");
  });
});

describe("VLT-07: two processes at once", () => {
  it("the second waits, is refused while the first still writes, and loses nothing when it does it again", async () => {
    const { agent, folder } = await withEntry();
    const other = await vaultAgent(folder);
    await other.vault.unlock(passphrase);
    // The lock is a process's, whichever holds it.
    const held = exclusiveLock(join(folder, "home", "vault.lock"), 0, () => new KnackError("vault.busy", "busy"));
    expect(held(() => codeOfSync(() => other.vault.add({ ...siteLogin, name: "second" })))).toBe("vault.busy");
    expect(agent.vault.entries().map(({ name }) => name)).toEqual(["site-login"]);
    other.vault.add({ ...siteLogin, name: "second" });
    agent.vault.add({ ...siteLogin, name: "third" });
    for (const one of [agent, other]) expect(one.vault.entries().map(({ name }) => name)).toEqual(["second", "site-login", "third"]);
  });
});

describe("the audit log", () => {
  it.each([
    ["changed", "UPDATE vault_log SET decision = 'x' WHERE seq = 2", "line 2"],
    ["taken out", "DELETE FROM vault_log WHERE seq = 2", "line 2"],
    ["cut off at its end", "DELETE FROM vault_log WHERE seq >= 2", "line 2"],
  ])("notices, and says, that a line was %s", async (_what, sql, says) => {
    const { agent, folder } = await withEntry();
    agent.vault.edit("site-login", { values: { pin: "918273" } });
    agent.vault.edit("site-login", { values: { pin: "918274" } });
    expect((await agent.vault.status()).auditProblem).toBeNull();
    const database = new Database(join(folder, "home", "knack.db"));
    expect(() => database.exec(sql)).toThrow(/never/u);
    database.exec("DROP TRIGGER vault_log_stays; DROP TRIGGER vault_log_kept");
    database.exec(sql);
    database.close();
    expect((await agent.vault.status()).auditProblem).toContain(says);
  });
});

describe("an export", () => {
  it("is an age file that another passphrase opens, with everything in it, and comes back whole", async () => {
    const { agent } = await withEntry();
    const { text, entries } = await agent.vault.export(passphrase, "for the journey");
    expect(entries).toBe(1);
    expect(text).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/u);
    expect(sweep(canaries, { text })).toEqual([]);
    expect(await codeOf(() => agent.vault.export("not the passphrase", "for the journey"))).toBe("vault.not-opened");
    const next = await vaultAgent(vaultFolder());
    await next.vault.create(passphrase);
    expect(await codeOf(() => next.vault.import(text, "not this one"))).toBe("vault.not-opened");
    expect(await next.vault.import(text, "for the journey")).toEqual({ added: ["site-login"], skipped: [] });
    expect(await login(next)).toEqual([canaries.user, canaries.password]);
    expect(await next.vault.import(text, "for the journey")).toEqual({
      added: [],
      skipped: [{ name: "site-login", reason: expect.stringContaining("already") as unknown }],
    });
  });

  it("reads what another tool of the format has encrypted, and refuses what is none", async () => {
    const agent = await vaultAgent(vaultFolder());
    await agent.vault.create(passphrase);
    const file = (name: string): string => readFileSync(join(import.meta.dirname, "fixtures", name)).toString("latin1");
    // Written by rage, the format's implementation in Rust.
    expect(await agent.vault.import(file("by-rage.age"), "other pass")).toEqual({
      added: ["from-rage"],
      skipped: [
        { name: "bad name", reason: expect.stringContaining("name") as unknown },
        { name: "entry 3", reason: expect.stringContaining("expected") as unknown },
      ].reverse(),
    });
    expect(await codeOf(() => agent.vault.import("nonsense", "x"))).toBe("bad-input");
    expect(await codeOf(() => agent.vault.import("age-encryption.org/v1\n-> scrypt AAAA 40\n", "x"))).toBe("bad-input");
    expect(await codeOf(() => agent.vault.import("age-encryption.org/v1\n-> X25519 AAAA\n", "x"))).toBe("bad-input");
  });
});
