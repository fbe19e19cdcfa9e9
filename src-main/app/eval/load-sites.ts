import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunningSite, SiteModule } from "#adapters/sites/index.ts";
import { badInput } from "#contract/errors.ts";

/** What a goal is judged by once its turn is over. */
export interface GoalEvidence {
  readonly log: unknown[];
  readonly downloads: readonly string[];
  readonly reply: string;
}

export interface SiteGoal {
  readonly id: string;
  readonly text: string;
  readonly hint?: string;
  readonly show?: readonly (readonly string[])[];
  done(evidence: GoalEvidence): boolean | Promise<boolean>;
}

export interface EvalSite extends SiteModule {
  readonly name: string;
  readonly goals: readonly SiteGoal[];
  /** Of a site behind a login: how it is called in a vault, and values by field that its showings are written with. */
  readonly account?: { readonly entry: string; readonly example: Readonly<Record<string, string>> };
  /** With the values its login takes, where it has one. */
  start(login?: Readonly<Record<string, string>>): RunningSite;
}

/** Every site module directly in a folder. Rejects with bad-input naming the file and what it lacks. */
export async function loadSites(folder: string): Promise<EvalSite[]> {
  let files: string[];
  try {
    files = readdirSync(folder)
      .filter((name) => name.endsWith(".mjs"))
      .sort();
  } catch {
    throw badInput(`There is no folder ${folder} with site modules`);
  }
  if (files.length === 0) throw badInput(`${folder} holds no site modules (*.mjs)`);
  const sites: EvalSite[] = [];
  for (const file of files) {
    const module = (await import(pathToFileURL(resolve(join(folder, file))).href)) as { default?: EvalSite };
    const site = module.default;
    const lacks = !site
      ? "a default export"
      : typeof site.host !== "string"
        ? "host"
        : typeof site.start !== "function"
          ? "start()"
          : !Array.isArray(site.goals)
            ? "goals"
            : null;
    if (lacks !== null || !site) throw badInput(`${file} has no ${lacks ?? "default export"}`);
    sites.push({ ...site, name: site.name ?? file.replace(/\.mjs$/u, ""), start: (login) => site.start(login) });
  }
  return sites;
}

/** Goals of one kind share the part of their id before the last "-". */
export function kindsOf(site: EvalSite): Map<string, SiteGoal[]> {
  return Map.groupBy(site.goals, (goal) => goal.id.replace(/-[^-]*$/u, ""));
}
