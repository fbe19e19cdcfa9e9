import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Leak, sweep, sweepFolders, sweepProcesses } from "#adapters/leak-sweep/index.ts";
import { type ServedSites, serveSites } from "#adapters/sites/index.ts";
import type { Send, TurnEvent } from "#contract/chat/schema.ts";
import { badInput } from "#contract/errors.ts";
import { type Mode, modeSchema } from "#contract/skills/schema.ts";
import { createAgent, type HostedAgent } from "../create-agent.ts";
import { fillVault, type LeakReport, type LoginValues, lookedFor, makeAccounts, shownWith, withAccounts } from "./accounts.ts";
import { type Gain, gainOf } from "./gains.ts";
import { type EvalSite, kindsOf, loadSites, type SiteGoal } from "./load-sites.ts";

export type Teaching = "none" | "show" | "chat";
export type EvalMode = "baseline" | `show-${Mode}` | "chat-hint" | "chat";

export interface GoalReport {
  readonly site: string;
  readonly goal: string;
  readonly mode: EvalMode;
  readonly done: boolean;
  readonly steps: number;
  readonly seconds: number;
  readonly tokens: { readonly evaluated: number; readonly reused: number; readonly generated: number };
  readonly skill: string | null;
  /** What recall decided and why, and what was said at the end. */
  readonly why: string;
  readonly reply: string;
  readonly trace: readonly string[];
}

export interface Total {
  readonly goals: number;
  readonly done: number;
  /** Of the goals that were done. */
  readonly steps: number;
  readonly seconds: number;
}

export interface RoutinesReport {
  readonly model: string;
  readonly embedder: string | null;
  readonly goals: readonly GoalReport[];
  readonly notes: readonly string[];
  /** What was found of the logins' values in the data folder, in the arguments and environments of processes and in this report; null where no site has a login. */
  readonly sweep: LeakReport | null;
  readonly totals: {
    readonly baseline: Total | null;
    readonly show: Readonly<Record<Mode, Total>> | null;
    /** How many times as fast as advisory the other modes are: the median over goals that were done in both. Null where none was. */
    readonly faster: { readonly assisted: number | null; readonly strict: number | null } | null;
    readonly chat: (Total & { readonly learned: number; readonly kinds: number }) | null;
    /** By mode: skills made, wrong recalls, and what they saved. */
    readonly gains: Readonly<Partial<Record<EvalMode, Gain>>>;
  };
}

export interface RoutinesOptions {
  readonly sitesFolder: string;
  readonly teach: readonly Teaching[];
  readonly cacheFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly model?: string;
  /** Only sites whose name, or goals whose id, begins with this. */
  readonly only?: string;
  /** Goals done of each kind once it was taught, or without teaching, for a quick look; default all. */
  readonly mostPerKind?: number;
  readonly modes?: readonly Mode[];
  readonly onGoal?: (report: GoalReport) => void;
  readonly onNote?: (note: string) => void;
}

/** Serves the sites on this machine and has their goals done, with the real model and the real browser. */
export async function evalRoutines(options: RoutinesOptions, signal: AbortSignal): Promise<RoutinesReport> {
  const [siteOnly, kindOnly] = (options.only ?? "").split("/");
  const all = await loadSites(options.sitesFolder);
  const sites = all.filter((site) => !siteOnly || site.name.startsWith(siteOnly));
  if (!sites.some((site) => [...kindsOf(site).keys()].some((kind) => !kindOnly || kind.startsWith(kindOnly))))
    throw badInput(
      `--only "${options.only}" names no goal; there are: ${all.flatMap((site) => [...kindsOf(site).keys()].map((kind) => `${site.name}/${kind}`)).join(", ")}`,
    );
  const accounts = makeAccounts(sites);
  const leaks: Leak[] = [];
  const served = await serveSites(withAccounts(sites, accounts));
  const goals: GoalReport[] = [];
  const notes: string[] = [];
  const report = (goal: GoalReport): void => {
    goals.push(goal);
    options.onGoal?.(goal);
  };
  const note = (text: string): void => {
    notes.push(text);
    options.onNote?.(text);
  };
  const totals: { -readonly [Part in keyof RoutinesReport["totals"]]: RoutinesReport["totals"][Part] } = {
    baseline: null,
    show: null,
    faster: null,
    chat: null,
    gains: {},
  };
  const learnedBy = new Map<EvalMode, Map<string, Set<string>>>();
  let model = "";
  let embedder: string | null = null;
  try {
    for (const teach of options.teach) {
      const bench = await openBench(served, sites, options, accounts);
      try {
        const kinds = sites.flatMap((site) =>
          [...kindsOf(site)].filter(([kind]) => !kindOnly || kind.startsWith(kindOnly)).map(([kind, ofKind]) => ({ site, kind, goals: ofKind })),
        );
        if (teach === "none") {
          for (const { site, goals: ofKind } of kinds)
            for (const goal of ofKind.slice(1, 1 + (options.mostPerKind ?? ofKind.length)))
              report(await doGoal(bench, site, goal, { text: goal.text, noSkills: true, maxSteps: 14 }, "baseline", signal));
          totals.baseline = totalOf(goals, "baseline");
        } else if (teach === "show") {
          const taught = new Map<string, Set<string>>();
          for (const { site, kind, goals: ofKind } of kinds) {
            const name = await showKind(bench, site, kind, ofKind, accounts.get(site.name), note, signal);
            if (name !== null) taught.set(`${site.name}/${kind}`, new Set([name]));
          }
          for (const { site, goals: ofKind } of kinds) {
            for (const goal of ofKind.slice(1, 1 + (options.mostPerKind ?? ofKind.length))) {
              for (const mode of options.modes ?? modeSchema.options) await shownGoal(bench, site, goal, mode, report, note, signal);
            }
          }
          totals.show = {
            advisory: totalOf(goals, "show-advisory"),
            assisted: totalOf(goals, "show-assisted"),
            strict: totalOf(goals, "show-strict"),
          };
          for (const mode of options.modes ?? modeSchema.options) learnedBy.set(`show-${mode}`, taught);
          totals.faster = { assisted: fasterThanAdvisory(goals, "assisted"), strict: fasterThanAdvisory(goals, "strict") };
        } else {
          let learned = 0;
          const taught = new Map<string, Set<string>>();
          for (const { site, kind, goals: ofKind } of kinds) {
            const names = await chatKind(bench, site, kind, ofKind, options.mostPerKind ?? ofKind.length, report, note, signal);
            taught.set(`${site.name}/${kind}`, new Set(names));
            if (names.length > 0) learned++;
          }
          learnedBy.set("chat", taught);
          totals.chat = { ...totalOf(goals, "chat"), learned, kinds: kinds.filter(({ goals: ofKind }) => ofKind.length > 3).length };
        }
        const status = await bench.agent.status();
        model = status.model.id ?? "";
        embedder = status.embedder.id;
      } finally {
        leaks.push(...(await bench.close()));
      }
    }
  } finally {
    await served.close();
  }
  // At the end: what was done with a hint later is a measure for what was shown before.
  totals.gains = Object.fromEntries([...learnedBy].map(([mode, taught]) => [mode, gainOf(goals, mode, taught)]));
  const found = [...leaks, ...(accounts.size === 0 ? [] : sweep(lookedFor(accounts), { "the report": JSON.stringify([goals, notes]) }))];
  return { model, embedder, goals, notes, sweep: accounts.size === 0 ? null : { logins: accounts.size, leaks: found }, totals };
}

export interface Bench {
  readonly agent: HostedAgent;
  readonly served: ServedSites;
  /** Sites and folder of downloads as they were: what one goal left must not be in the way of the next. */
  restart(): void;
  /** Returns what was left of the logins' values, before all of it is removed. */
  close(): Promise<Leak[]>;
}

/** An agent with an empty store, whose grants are the sites and whose person says yes. */
export async function openBench(
  served: ServedSites,
  sites: readonly EvalSite[],
  options: Pick<RoutinesOptions, "cacheFolder" | "env" | "model">,
  accounts: ReadonlyMap<string, LoginValues> = new Map(),
): Promise<Bench> {
  const dataFolder = mkdtempSync(join(tmpdir(), "knack-eval-"));
  const agent = await createAgent({
    dataFolder,
    cacheFolder: options.cacheFolder,
    env: { ...options.env, KNACK_HEADLESS: "1" },
    approve: async () => "allow",
    maintenance: false,
    maxDistillations: 10,
    ...(options.model === undefined ? {} : { chatModel: options.model }),
    sites: { hosts: served.hosts, spki: served.spki },
  });
  for (const site of sites) agent.addGrant(`https://${site.host}`, "evaluation");
  await fillVault(agent, sites, accounts);
  const values = lookedFor(accounts);
  return {
    agent,
    served,
    restart() {
      served.restart();
      rmSync(join(dataFolder, "downloads"), { recursive: true, force: true });
      mkdirSync(join(dataFolder, "downloads"), { mode: 0o700 });
    },
    async close() {
      const inProcesses = sweepProcesses(values, process.pid);
      await agent.close();
      const leaks = [...inProcesses, ...sweepFolders(values, dataFolder)];
      rmSync(dataFolder, { recursive: true, force: true });
      return leaks;
    },
  };
}

async function showKind(
  bench: Bench,
  site: EvalSite,
  kind: string,
  goals: readonly SiteGoal[],
  login: LoginValues | undefined,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const [first] = goals;
  if (!first?.show) {
    note(`${site.name}/${kind}: nothing to show`);
    return null;
  }
  bench.restart();
  const show = shownWith(first, site, login);
  const [open] = show;
  const url = open?.[0] === "open" ? (open[1] ?? `https://${site.host}`) : `https://${site.host}`;
  let begun: string | null = null;
  try {
    const showing = await bench.agent.startShowing(first.text, url);
    begun = showing.id;
    await bench.agent.showing.perform(showing.id, open?.[0] === "open" ? show.slice(1) : show, signal);
    const draft = await bench.agent.finishShowing(showing.id);
    const detail = await bench.agent.confirmShowing(showing.id, "evaluation");
    note(
      `${site.name}/${kind}: shown, "${detail.skill.name}", ${draft.content.steps.length} steps, inputs ${Object.keys(draft.content.inputs.properties).join(", ") || "none"}${detail.skill.fullyMechanical ? "" : ", ends with judgement"}`,
    );
    return detail.skill.name;
  } catch (error) {
    note(`${site.name}/${kind}: could not be shown: ${error instanceof Error ? error.message : String(error)}`);
    // One that is left open would keep the next kind from being shown.
    if (begun !== null) await bench.agent.dropShowing(begun).catch(() => undefined);
    return null;
  }
}

async function shownGoal(
  bench: Bench,
  site: EvalSite,
  goal: SiteGoal,
  mode: Mode,
  report: (goal: GoalReport) => void,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (mode === "strict") {
    const recall = await bench.agent.matchSkill(goal.text, signal);
    const skill = recall.skillName === null ? null : bench.agent.skill(recall.skillName).skill;
    if (skill && !skill.fullyMechanical) return;
    if (!skill) note(`${site.name}/${goal.id}: nothing recalled for strict: ${recall.why}`);
  }
  report(await doGoal(bench, site, goal, { text: goal.text, mode, takeSuggestion: true }, `show-${mode}`, signal));
}

/** Up to five goals with advice until three succeeded, a learning pass, then the rest. Returns the names of the skills learned. */
async function chatKind(
  bench: Bench,
  site: EvalSite,
  kind: string,
  goals: readonly SiteGoal[],
  most: number,
  report: (goal: GoalReport) => void,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<string[]> {
  let successes = 0;
  let used = 0;
  for (const goal of goals.slice(0, 5)) {
    if (successes >= 3) break;
    used++;
    const result = await doGoal(
      bench,
      site,
      goal,
      { text: goal.text, noSkills: true, ...(goal.hint === undefined ? {} : { hint: goal.hint }) },
      "chat-hint",
      signal,
      true,
    );
    report(result);
    if (result.done) successes++;
  }
  const pass = await bench.agent.induce(true, signal);
  const made = pass.entries.filter((entry) => entry.decision === "added" || entry.decision === "updated");
  for (const entry of pass.entries) note(`${site.name}/${kind}: ${entry.decision}: ${entry.reason}${entry.skillName ? ` (${entry.skillName})` : ""}`);
  for (const goal of goals.slice(used, used + most)) report(await doGoal(bench, site, goal, { text: goal.text, takeSuggestion: true }, "chat", signal));
  return made.flatMap(({ skillName }) => skillName ?? []);
}

async function doGoal(bench: Bench, site: EvalSite, goal: SiteGoal, input: Send, mode: EvalMode, signal: AbortSignal, judge = false): Promise<GoalReport> {
  bench.restart();
  const started = performance.now();
  let tokens = { evaluated: 0, reused: 0, generated: 0 };
  let steps = 0;
  let skill: string | null = null;
  let why = "";
  let reply = "";
  let episodeId: string | null = null;
  const downloads: string[] = [];
  const trace: string[] = [];
  try {
    for await (const event of bench.agent.send(input, AbortSignal.any([signal, AbortSignal.timeout(300_000)]))) take(event);
  } catch (error) {
    why = `error: ${error instanceof Error ? error.message : String(error)}`;
  }
  function take(event: TurnEvent): void {
    if (event.type === "recall-decided") why = `${event.recall.verdict}: ${event.recall.why}`;
    if (event.type === "skill-taken") {
      skill = `${event.name}@${event.revision}`;
      trace.push(`inputs ${JSON.stringify(event.inputs)}`);
    }
    if (event.type === "step-finished") {
      const { step } = event;
      if (step.tool !== "reply" && step.tool !== "ask_user") steps++;
      trace.push(`${step.tool} ${JSON.stringify(step.args)} → ${step.status}: ${step.text.slice(0, 200)}`);
      for (const file of (step.details.downloads as string[] | undefined) ?? []) downloads.push(file);
    }
    if (event.type === "turn-finished") {
      reply = event.message?.text ?? "";
      tokens = event.turn.tokens;
      episodeId = event.episode.id;
      if (event.problem) why = `${why} problem: ${event.problem}`;
      trace.push(`ended: ${event.episode.outcome ?? "open"} (${event.episode.reason ?? ""})`);
    }
  }
  const done = Boolean(await goal.done({ log: bench.served.logs.get(site.host) ?? [], downloads, reply }));
  if (judge && episodeId !== null) bench.agent.judge(episodeId, done, "evaluation");
  return {
    site: site.name,
    goal: goal.id,
    mode,
    done,
    steps,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    tokens,
    skill,
    why,
    reply: reply.slice(0, 400),
    trace,
  };
}

function fasterThanAdvisory(goals: readonly GoalReport[], mode: "assisted" | "strict"): number | null {
  const ratios = goals.flatMap((one) => {
    if (one.mode !== `show-${mode}` || !one.done) return [];
    const other = goals.find((goal) => goal.mode === "show-advisory" && goal.done && goal.site === one.site && goal.goal === one.goal);
    return other === undefined || one.seconds === 0 ? [] : [other.seconds / one.seconds];
  });
  const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
  return median === undefined ? null : Math.round(median * 10) / 10;
}

function totalOf(goals: readonly GoalReport[], mode: EvalMode): Total {
  const own = goals.filter((goal) => goal.mode === mode);
  const done = own.filter((goal) => goal.done);
  const sum = (values: readonly number[]): number => Math.round(values.reduce((total, value) => total + value, 0) * 10) / 10;
  return { goals: own.length, done: done.length, steps: sum(done.map((goal) => goal.steps)), seconds: sum(own.map((goal) => goal.seconds)) };
}
