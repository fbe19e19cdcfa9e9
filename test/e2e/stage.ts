import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "#adapters/browser/index.ts";
import { type ServedSites, type SiteModule, serveSites } from "#adapters/sites/index.ts";
import type { AgentConfig } from "#app/config.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { type EvalSite, loadSites } from "#app/eval/load-sites.ts";
import { foldersOf } from "#app/folders.ts";
import type { Send, Step, TurnEvent } from "#contract/chat/schema.ts";
import { catalogueEntry, modelPath } from "#models/fetch.ts";

export const never = new AbortController().signal;
export const cacheFolder = foldersOf(process.env).cacheFolder;
export const defaultChat = "qwen2.5-coder-1.5b";
const embedders = ["nomic-embed-text-v1.5", "all-minilm-l6-v2"];

/** What tests, run as root, need to open their own sites; the app itself never does this. */
export const env: Readonly<Record<string, string>> = { KNACK_HEADLESS: "1", ...(process.getuid?.() === 0 ? { KNACK_NO_SANDBOX: "1" } : {}) };

/** Why these tests cannot run on this machine, printed; null when they can. `npm test` fetches what is missing before it gets here. */
export function lacks(...needed: readonly ("chat" | "embedder" | "browser" | { readonly model: string })[]): string | null {
  const isHere = (id: string): boolean => existsSync(modelPath(catalogueEntry(id), cacheFolder));
  const missing = needed.filter((need) => {
    if (need === "browser") return findBrowser() === null;
    return need === "embedder" ? !embedders.some(isHere) : !isHere(need === "chat" ? defaultChat : need.model);
  });
  if (missing.length === 0) return null;
  const reason = `not on this machine: ${missing.map((need) => (typeof need === "string" ? need : need.model)).join(", ")}`;
  console.warn(`Skipped, ${reason}`);
  return reason;
}

export interface Stage {
  readonly agent: HostedAgent;
  readonly dataFolder: string;
  readonly served: ServedSites;
  /** What the person was asked to allow; the answer is no. */
  readonly askedFor: readonly string[];
  close(): Promise<void>;
}

/** The agent as shells make it, over an empty data folder, with these sites behind its egress. Only their own addresses are granted. */
export async function openStage(sites: readonly SiteModule[], more: Partial<AgentConfig> = {}): Promise<Stage> {
  const dataFolder = await mkdtemp(join(tmpdir(), "knack-e2e-"));
  const served = await serveSites(sites);
  const askedFor: string[] = [];
  const agent = await createAgent({
    dataFolder,
    cacheFolder,
    env: { ...process.env, ...env },
    approve: async ({ reason }) => {
      askedFor.push(reason);
      return "deny";
    },
    maintenance: false,
    sites: { hosts: served.hosts, spki: served.spki },
    ...more,
  });
  for (const { host } of sites) agent.addGrant(`https://${host}`, "user");
  return {
    agent,
    dataFolder,
    served,
    askedFor,
    async close() {
      await agent.close();
      await served.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** One of the sites all tests share, and its goals by id. */
export async function siteNamed(name: string): Promise<{ site: EvalSite; goal: (id: string) => EvalSite["goals"][number] }> {
  const site = (await loadSites(join(import.meta.dirname, "../fixtures/sites"))).find((each) => each.name === name);
  if (site === undefined) throw new Error(`There is no site ${name}`);
  return {
    site,
    goal(id) {
      const found = site.goals.find((each) => each.id === id);
      if (found === undefined) throw new Error(`${name} has no goal ${id}`);
      return found;
    },
  };
}

/** Shows a goal in the recorder's window and confirms the draft as it is. Returns the skill's name. */
export async function teach(agent: HostedAgent, goal: { readonly text: string; readonly show?: readonly (readonly string[])[] }): Promise<string> {
  const [open, ...actions] = goal.show ?? [];
  const showing = await agent.startShowing(goal.text, open?.[1] ?? "");
  await agent.showing.perform(showing.id, actions, never);
  await agent.finishShowing(showing.id);
  return (await agent.confirmShowing(showing.id, "test")).skill.name;
}

type Event<T extends TurnEvent["type"]> = Extract<TurnEvent, { type: T }>;

export interface Told {
  readonly events: readonly TurnEvent[];
  /** Finished steps that did something; talking is none. */
  readonly steps: readonly Step[];
  readonly downloads: readonly string[];
  readonly end: Event<"turn-finished">;
  /** The answer as it was streamed. */
  readonly streamed: string;
}

export async function turnOf(agent: HostedAgent, input: Send): Promise<Told> {
  const events: TurnEvent[] = [];
  for await (const event of agent.send(input, never)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== "turn-finished") throw new Error(`The turn ended with ${end?.type ?? "nothing"}`);
  const steps = of(events, "step-finished").map(({ step }) => step);
  return {
    events,
    steps: steps.filter(({ tool }) => tool !== "reply" && tool !== "ask_user"),
    downloads: steps.flatMap(({ details }) => (details.downloads as string[] | undefined) ?? []),
    end,
    streamed: of(events, "text-delta")
      .map(({ text }) => text)
      .join(""),
  };
}

export function of<T extends TurnEvent["type"]>(events: readonly TurnEvent[], type: T): Event<T>[] {
  return events.filter((event): event is Event<T> => event.type === type);
}
