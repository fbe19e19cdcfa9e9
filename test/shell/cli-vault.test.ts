import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sweep, sweepFolders } from "../fixtures/leak-sweep.ts";
import { canaries, passphrase, vaultFolder } from "../fixtures/makers/vault.ts";
import { type Ended, expectOneLine, knackIn } from "./cli-process.ts";

const fields = { username: canaries.user, password: canaries.password };
/** The command with these lines on its standard input, passphrases first. */
const vault = (folder: string, args: readonly string[], ...lines: readonly string[]): Promise<Ended> =>
  knackIn(folder, ["vault", ...args, ...(lines.length > 0 ? ["--passphrase-fd", "0"] : [])], { stdin: lines.join("\n") });

describe("knack vault", () => {
  it("makes, fills, shows, changes and empties a vault, and no value comes back or stays behind readable", async () => {
    const folder = vaultFolder();
    const told: Ended[] = [];
    const done = async (args: readonly string[], ...lines: readonly string[]): Promise<string> => {
      const ended = await vault(folder, args, ...lines);
      told.push(ended);
      expect(ended, args.join(" ")).toMatchObject({ code: 0, err: expect.not.stringContaining("knack:") as unknown });
      return ended.out;
    };
    await done(["init"], passphrase);
    expect(await done(["add", "site-login", "--origin", "https://app.test", "--origin", "https://idp.test"], passphrase, JSON.stringify(fields))).toContain(
      "added site-login",
    );
    expect(JSON.parse(await done(["show", "site-login", "--json"], passphrase))).toMatchObject({
      origins: ["https://app.test", "https://idp.test"],
      fields: ["username", "password"],
    });
    expect(await done(["edit", "site-login", "--rename", "work", "--unset", "username"], passphrase)).toContain("changed work");
    expect(await done(["list"], passphrase)).toMatch(/^NAME {2}.*\nwork /u);
    await done(["passphrase"], passphrase, "another passphrase");
    await done(["rotate"], "another passphrase");
    await done(["export", "out.age"], "another passphrase", "for the journey");
    await done(["remove", "work", "--yes"], "another passphrase");
    expect(await done(["import", "out.age"], "another passphrase", "for the journey")).toContain("added 1 login");
    expect(await done(["lock"])).toContain("locked");
    const audit = JSON.parse(await done(["audit", "--json"])) as { problem: null; lines: { action: string; decision: string }[] };
    expect(audit.problem).toBeNull();
    expect(audit.lines.filter(({ action }) => action !== "lock" && action !== "unlock").map(({ action }) => action)).toEqual([
      "import",
      "remove",
      "export",
      "rotate",
      "passphrase",
      "edit",
      "add",
      "create",
    ]);
    expect(readFileSync(join(folder, "out.age"), "utf8")).toContain("BEGIN AGE ENCRYPTED FILE");
    expect(sweep({ ...canaries, passphrase }, Object.fromEntries(told.map(({ out, err }, at) => [`command ${at}`, out + err])))).toEqual([]);
    expect(sweepFolders({ ...canaries, passphrase, other: "another passphrase" }, folder)).toEqual([]);
  }, 400_000);

  it("says in one line what is wrong, with the code of it", async () => {
    const folder = vaultFolder();
    expectOneLine(await vault(folder, ["list"]), 3, "no vault", "knack vault init");
    expect(await vault(folder, ["init"], passphrase)).toMatchObject({ code: 0 });
    expectOneLine(await vault(folder, ["init"], passphrase), 2, "already");
    expectOneLine(await vault(folder, ["list"], "not the passphrase"), 3, "did not open");
    expectOneLine(await knackIn(folder, ["vault", "list"]), 3, "locked", "--passphrase-fd");
    expectOneLine(await vault(folder, ["add", "bank"], passphrase, "{}"), 2, "--origin");
    const noJson = await vault(folder, ["add", "bank", "--origin", "https://app.test"], passphrase, canaries.password);
    expectOneLine(noJson, 2, "as JSON");
    expect(sweep(canaries, { error: noJson.err })).toEqual([]);
    expectOneLine(await knackIn(folder, ["vault", "list", "--passphrase-fd", "x"]), 2, "file descriptor");
    writeFileSync(join(folder, "x.age"), "nonsense");
    expectOneLine(await vault(folder, ["export", "x.age"], passphrase, "for the journey"), 2, "already");
  }, 400_000);
});
