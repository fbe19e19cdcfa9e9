import { randomBytes } from "node:crypto";
import type { Leak } from "#adapters/leak-sweep/index.ts";
import type { HostedAgent } from "../create-agent.ts";
import type { EvalSite, SiteGoal } from "./load-sites.ts";

/** Values of a login by field. */
export type LoginValues = Readonly<Record<string, string>>;

export interface LeakReport {
  /** Logins whose values were looked for. */
  readonly logins: number;
  readonly leaks: readonly Leak[];
}

/** Values made for one evaluation, of each site behind a login, by the site's name: nobody else has them, so that wherever they are found they leaked. */
export function makeAccounts(sites: readonly EvalSite[]): Map<string, LoginValues> {
  return new Map(
    sites.flatMap(({ name, account }): [string, LoginValues][] => {
      if (account === undefined) return [];
      const values = Object.keys(account.example).map((field): [string, string] => [field, field === "username" ? madeName() : madeSecret()]);
      return [[name, Object.fromEntries(values)]];
    }),
  );
}

function madeName(): string {
  return `helper.${randomBytes(6).toString("hex")}@people.test`;
}

/** With what changes in each encoding. */
function madeSecret(): string {
  return `Kn!"<${randomBytes(9).toString("base64url")}&é +/=`.trim();
}

/** The sites with these logins. */
export function withAccounts(sites: readonly EvalSite[], accounts: ReadonlyMap<string, LoginValues>): EvalSite[] {
  return sites.map((site) => ({ ...site, start: () => site.start(accounts.get(site.name)) }));
}

/** What a person does to show a goal, with the values of this evaluation in the place of those it is written with. */
export function shownWith({ show = [] }: SiteGoal, { account }: EvalSite, values: LoginValues | undefined): readonly (readonly string[])[] {
  if (account === undefined || values === undefined) return show;
  const real = new Map(Object.entries(account.example).map(([field, example]) => [example, values[field] ?? example]));
  return show.map((line) => line.map((text) => real.get(text) ?? text));
}

/** A vault of its own with the logins of the sites, open and granted. */
export async function fillVault(agent: HostedAgent, sites: readonly EvalSite[], accounts: ReadonlyMap<string, LoginValues>): Promise<void> {
  const own = sites.flatMap(({ name, host, account }) => {
    const values = accounts.get(name);
    return account === undefined || values === undefined ? [] : [{ name: account.entry, origins: [`https://${host}`], values: { ...values } }];
  });
  if (own.length === 0) return;
  await agent.vault.create(randomBytes(24).toString("base64"));
  for (const entry of own) {
    agent.vault.add(entry);
    agent.addGrant(`login:${entry.name}`, "evaluation");
  }
}

/** Every value under the name it is reported by. */
export function lookedFor(accounts: ReadonlyMap<string, LoginValues>): Record<string, string> {
  return Object.fromEntries([...accounts].flatMap(([site, values]) => Object.entries(values).map(([field, value]) => [`${site} ${field}`, value])));
}
