import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { badInput } from "#contract/errors.ts";
import type { VaultChange } from "#contract/vault/routes.ts";
import type { VaultEntry, VaultStatus } from "#contract/vault/schema.ts";
import { isAgreed } from "../ask-person.ts";
import { type Call, collect, group, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import { pathFrom } from "../place.ts";
import { descriptorNumber, type SecretInput, secretInput } from "../secret-input.ts";
import type { Session } from "../session.ts";
import { plural, timeText } from "../units.ts";
import { unlock } from "../unlocked.ts";
import { withAgent } from "../with-agent.ts";

interface Opening {
  readonly passphraseFd?: number;
}

interface Fields extends Opening {
  readonly origin?: readonly string[];
  readonly field?: readonly string[];
  readonly allowHttp?: boolean;
}

const usualFields = ["username", "password", "totp"];
const passphraseHelp = "read the passphrase from this file descriptor, a line each";
const ownProcess = "Each process unlocks for itself: a page or another command asks for the passphrase of its own.";

export function addVault(program: Command, session: Session): void {
  const vault = group(program, "vault", "your logins, encrypted; Knack sees their names");
  const opening = (command: Command): Command => command.option("--passphrase-fd <n>", passphraseHelp, descriptorNumber);

  opening(
    leaf<Opening>(vault, session, "init", "make the vault, with a passphrase that nobody can recover", (call) =>
      withAgent(async (agent) => {
        const { state } = await agent.vault.status();
        if (state !== "none") throw badInput("There is a vault already. See: knack vault status");
        await agent.vault.create(await inputOf(call).newPassphrase("A passphrase for the vault: "));
        call.screen.show(await agent.vault.status(), () => ["the vault is made. Add a login with: knack vault add NAME --origin https://portal.example"]);
      }),
    ),
  );

  opening(
    leaf<Opening>(vault, session, "unlock", "try the passphrase", (call) =>
      withVault(call, async (agent) => call.screen.show(await agent.vault.status(), () => [`it opens. ${ownProcess}`])),
    ),
  );

  leaf(vault, session, "lock", "lock it in everything that runs on this data", ({ screen }) =>
    withAgent(async (agent) => {
      agent.vault.lock();
      screen.show(await agent.vault.status(), () => ["locked"]);
    }),
  );

  leaf(vault, session, "status", "whether there is one, and what it needs", ({ screen }) =>
    withAgent(async (agent) => {
      const status = await agent.vault.status();
      screen.show(status, () => statusLines(status));
    }),
  );

  opening(
    leaf<Opening>(vault, session, "list", "the logins by name", (call) =>
      withVault(call, (agent) => {
        const all = agent.vault.entries();
        if (call.screen.json) return call.screen.show(all, () => []);
        if (all.length === 0) return call.screen.say("The vault is empty. Add a login with: knack vault add NAME --origin https://portal.example");
        call.screen.table(
          [{ head: "NAME" }, { head: "CHANGED" }, { head: "FIELDS" }, { head: "SITES" }],
          all.map((entry) => [entry.name, timeText(entry.updatedAt), entry.fields.join(", "), entry.origins.join(" ")]),
        );
      }),
    ),
  );

  opening(
    leaf<Opening>(vault, session, "show <name>", "what is known of a login; values are never shown", (call) =>
      withVault(call, (agent) => {
        const entry = agent.vault.entry(call.args[0] ?? "");
        call.screen.show(entry, () => entryLines(entry));
      }),
    ),
  );

  opening(
    leaf<Fields>(vault, session, "add <name>", "a login; its values are typed unseen, or come as JSON on stdin", (call) =>
      withVault(call, async (agent, input) => {
        const { origin = [], field = [], allowHttp } = call.options;
        if (origin.length === 0) throw badInput("Say which site it is for: --origin https://portal.example");
        const values = await input.values([...new Set([...usualFields, ...field])]);
        const entry = agent.vault.add({ name: call.args[0] ?? "", origins: [...origin], values, ...(allowHttp ? { allowHttp } : {}) });
        call.screen.show(entry, () => [`added ${entry.name}`, ...entryLines(entry)]);
      }),
    ),
  )
    .option("--origin <url>", "the site it is for (repeat for more)", collect)
    .option("--field <name>", "ask for this field too (repeat for more)", collect)
    .option("--allow-http", "take a site of this machine without https");

  opening(
    leaf<Fields & { rename?: string; set?: readonly string[]; unset?: readonly string[] }>(
      vault,
      session,
      "edit <name>",
      "another name, other sites, new values",
      (call) =>
        withVault(call, async (agent, input) => {
          const { rename, origin, set = [], unset = [], allowHttp } = call.options;
          const name = call.args[0] ?? "";
          if (rename === undefined && origin === undefined && set.length + unset.length === 0)
            throw badInput("Say what to change: --rename NAME, --origin URL, --set FIELD or --unset FIELD");
          agent.vault.entry(name);
          const given = set.length === 0 ? {} : await input.values(set);
          const change: VaultChange = {
            ...(rename === undefined ? {} : { name: rename }),
            ...(origin === undefined ? {} : { origins: [...origin] }),
            ...(set.length + unset.length === 0 ? {} : { values: { ...given, ...Object.fromEntries(unset.map((field) => [field, null])) } }),
            ...(allowHttp ? { allowHttp } : {}),
          };
          const entry = agent.vault.edit(name, change);
          call.screen.show(entry, () => [`changed ${entry.name}`, ...entryLines(entry)]);
        }),
    ),
  )
    .option("--rename <name>", "another name")
    .option("--origin <url>", "the sites it is for, in place of those so far (repeat for more)", collect)
    .option("--set <field>", "a new value for this field (repeat for more)", collect)
    .option("--unset <field>", "take this field out (repeat for more)", collect)
    .option("--allow-http", "take a site of this machine without https");

  opening(
    leaf<Opening & { yes?: boolean }>(vault, session, "remove <name>", "take a login out for good", (call) =>
      withVault(call, async (agent) => {
        const { name } = agent.vault.entry(call.args[0] ?? "");
        if (!call.options.yes && !(await isAgreed(`Take ${name} out of the vault for good?`, session))) return call.screen.note("Left as it is.");
        agent.vault.remove(name);
        call.screen.show({ removed: name }, () => [`removed ${name}`]);
      }),
    ),
  ).option("--yes", "do not ask");

  opening(
    leaf<Opening>(vault, session, "passphrase", "another passphrase; the first line or answer is the one so far", (call) =>
      withPassphrase(call, async (agent, input, current) => {
        await agent.vault.changePassphrase(current, await input.newPassphrase("The new passphrase: "));
        call.screen.show({ changed: true }, () => ["the passphrase is changed; the old one opens nothing any more"]);
      }),
    ),
  );

  opening(
    leaf<Opening>(vault, session, "rotate", "a new key, with every login sealed anew", (call) =>
      withPassphrase(call, async (agent, _input, current) => {
        await agent.vault.rotate(current);
        call.screen.show({ rotated: true }, () => ["every login is sealed by a new key"]);
      }),
    ),
  );

  leaf<{ limit?: number }>(vault, session, "audit", "who got what, where and when; newest first", ({ screen, options }) =>
    withAgent(async (agent) => {
      const { auditProblem } = await agent.vault.status();
      const lines = agent.vault.audit(options.limit ?? 50);
      if (auditProblem !== null) screen.warn(`knack: ${auditProblem}`);
      if (screen.json) return screen.show({ problem: auditProblem, lines }, () => []);
      if (lines.length === 0) return screen.say("Nothing was done with the vault yet.");
      screen.table(
        [
          { head: "LINE", right: true },
          { head: "WHEN" },
          { head: "WHAT" },
          { head: "DECISION" },
          { head: "MASKED", right: true },
          { head: "LOGIN" },
          { head: "SITE" },
        ],
        lines.map(({ seq, at, action, decision, masks, entry, origin }) => [String(seq), timeText(at), action, decision, String(masks), entry, origin]),
      );
    }),
  ).option("--limit <n>", "at most so many", wholeNumber(1, 1000));

  opening(
    leaf<Opening>(vault, session, "export <file>", "an age file with every login, under a passphrase of its own; the second line or answer", (call) =>
      withPassphrase(call, async (agent, input, current) => {
        const file = pathFrom(call.args[0] ?? "");
        const { text, entries } = await agent.vault.export(current, await input.newPassphrase("A passphrase for the file: "));
        await writeFile(file, text, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
          throw badInput(error.code === "EEXIST" ? `There is a file ${file} already; name another one` : `${file} could not be written (${error.code})`);
        });
        call.screen.show({ file, entries }, () => [`${plural(entries, "login")} in ${file}. Any tool for age opens it: age -d ${file}`]);
      }),
    ),
  );

  opening(
    leaf<Opening>(vault, session, "import <file>", "take the logins out of such a file; its passphrase is the second line or answer", (call) =>
      withVault(call, async (agent, input) => {
        const path = pathFrom(call.args[0] ?? "");
        const text = await readFile(path, "latin1").catch(() => {
          throw badInput(`There is no file ${path}`);
        });
        const { added, skipped } = await agent.vault.import(text, await input.passphrase("Passphrase of the file: "));
        call.screen.show({ added, skipped }, () => [
          `added ${plural(added.length, "login")}`,
          ...skipped.map(({ name, reason }) => `left out ${name}: ${reason}`),
        ]);
      }),
    ),
  );

  const keychain = group(vault, "keychain", "whether the operating system keeps the key");
  opening(
    leaf<Opening>(keychain, session, "on", "unlock by the operating system's keychain from now on", (call) =>
      withVault(call, async (agent) => {
        const status = await agent.vault.setKeychain(true);
        call.screen.show(status, () => [status.keychain.message]);
      }),
    ),
  );
  leaf(keychain, session, "off", "take the key out of the keychain", ({ screen }) =>
    withAgent(async (agent) => {
      const status = await agent.vault.setKeychain(false);
      screen.show(status, () => ["the key is no longer in the keychain; the passphrase opens the vault"]);
    }),
  );
}

function inputOf({ session, options }: Pick<Call<Opening>, "session" | "options">): SecretInput {
  return secretInput(session, options.passphraseFd);
}

function withVault<Options extends Opening>(call: Call<Options>, work: (agent: HostedAgent, input: SecretInput) => unknown): Promise<unknown> {
  return withAgent(async (agent) => {
    const input = inputOf(call);
    await unlock(agent, input);
    return work(agent, input);
  });
}

/** For what asks for the passphrase itself, also where the keychain would open the vault. */
function withPassphrase(call: Call<Opening>, work: (agent: HostedAgent, input: SecretInput, current: string) => unknown): Promise<unknown> {
  return withAgent(async (agent) => {
    const input = inputOf(call);
    const current = await input.passphrase("Passphrase of the vault: ");
    await agent.vault.unlock(current);
    return work(agent, input, current);
  });
}

function entryLines({ origins, fields, unmasked, createdAt, updatedAt }: VaultEntry): string[] {
  return [
    `for      ${origins.join(" ")}`,
    `fields   ${fields.join(", ")}`,
    `made     ${timeText(createdAt)}, changed ${timeText(updatedAt)}`,
    ...(unmasked.length === 0 ? [] : [`note: too short or too common to be masked should a page repeat it: ${unmasked.join(", ")}`]),
  ];
}

function statusLines({ state, entries, failures, waitMs, keychain, auditProblem }: VaultStatus): string[] {
  return [
    state === "none" ? "no vault yet; make one with: knack vault init" : state === "locked" ? "locked" : `unlocked, ${plural(entries ?? 0, "login")}`,
    ...(failures === 0
      ? []
      : [`${plural(failures, "wrong passphrase")} in a row${waitMs === 0 ? "" : `; wait ${Math.ceil(waitMs / 1000)} s before the next`}`]),
    `keychain ${keychain.state}: ${keychain.message}`,
    ...(auditProblem === null ? [] : [auditProblem]),
  ];
}
