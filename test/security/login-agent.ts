import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type ServedSites, serveSites } from "#adapters/sites/index.ts";
import type { AgentConfig } from "#app/config.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import type { Send, Step, TurnEvent } from "#contract/chat/schema.ts";
import type { Pages } from "../browser/stage.ts";
import { html } from "../browser/stage.ts";
import { type Leak, sweep, sweepFolders, sweepProcesses } from "../fixtures/leak-sweep.ts";
import { outspokenModel } from "../fixtures/makers/outspoken-model.ts";
import { canaries, cheap, fakeKeychain, passphrase, siteLogin } from "../fixtures/makers/vault.ts";

export interface Ran {
  readonly steps: readonly Step[];
  readonly reply: string;
  readonly conversationId: string;
  readonly episodeId: string;
  /** What the model read in this turn, as one text. */
  readonly read: string;
  readonly refused: readonly string[];
}

export interface LoginAgent {
  readonly agent: HostedAgent;
  /** Where all of it is kept. */
  readonly folder: string;
  readonly served: ServedSites;
  /** Milliseconds that are added to the hour, and the hour where it stands still. */
  readonly clock: { now: number; stopped: number | null };
  /** Requests to a host so far: "POST /in" with their bodies. */
  readonly asked: (host: string) => readonly { readonly line: string; readonly body: string }[];
  /** A turn in a conversation, and a browser, of its own; the model does these steps whatever it reads. */
  run(steps: readonly string[], change?: Partial<Send> & { readonly onStep?: (step: Step) => void }): Promise<Ran>;
  /** Everything that was said, kept or handed to a process so far. */
  leaks(more?: Readonly<Record<string, string>>): Leak[];
  close(): Promise<void>;
}

const seed = (siteLogin.values as Record<string, string>).totp ?? "";
const secrets = { password: canaries.password, user: canaries.user, seed };

/** The whole agent with an open vault, real sites on loopback, a real browser, and a model that obeys its script. */
export async function loginAgent(hosts: Readonly<Record<string, Pages>>, change: Partial<AgentConfig> = {}): Promise<LoginAgent> {
  const log = new Map<string, { line: string; body: string }[]>();
  const sites = Object.entries(hosts).map(([host, pages]) => ({
    host,
    start() {
      const asked: { line: string; body: string }[] = [];
      log.set(host, asked);
      return {
        log: asked,
        async fetch(request: Request): Promise<Response> {
          const url = new URL(request.url);
          const body = request.method === "GET" ? "" : await request.clone().text();
          asked.push({ line: `${request.method} ${url.pathname}${url.search}`, body });
          const answer = pages[url.pathname];
          if (answer === undefined) return new Response(html("<h1>Nothing here</h1>"), { status: 404, headers: { "content-type": "text/html" } });
          return typeof answer === "string" ? new Response(answer, { headers: { "content-type": "text/html; charset=utf-8" } }) : answer(request, url);
        },
      };
    },
  }));
  const served = await serveSites(sites);
  const folder = mkdtempSync(join(tmpdir(), "knack-login-"));
  const clock: LoginAgent["clock"] = { now: 0, stopped: null };
  const model = outspokenModel();
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: { KNACK_NO_SANDBOX: process.getuid?.() === 0 ? "1" : "0", KNACK_HEADLESS: "1" },
    maintenance: false,
    keychain: fakeKeychain(),
    vault: { cost: cheap, ageWork: 10 },
    approve: async () => "allow",
    clock: () => (clock.stopped ?? Date.now()) + clock.now,
    models: { chat: async () => model, embedder: async () => null },
    sites: { hosts: served.hosts, spki: served.spki },
    ...change,
  });
  await agent.vault.create(passphrase);
  agent.vault.add(siteLogin);
  agent.addGrants(["https://app.test", "login:site-login"], "user");
  const told: string[] = [];
  return {
    agent,
    folder,
    served,
    clock,
    asked: (host) => log.get(host) ?? [],
    async run(steps, { onStep, ...input } = {}) {
      model.say(...steps, '{"tool":"reply","args":{"text":"That is all."}}');
      const before = model.requests.length;
      const events: TurnEvent[] = [];
      // What is opened is what the user named.
      const named = steps.flatMap((step) => /"url":"([^"]+)"/u.exec(step)?.[1] ?? []);
      for await (const event of agent.send({ text: `Look at my account: ${named.join(" ")}`, noSkills: true, ...input }, AbortSignal.timeout(60_000))) {
        events.push(event);
        if (event.type === "step-started" || event.type === "step-finished") onStep?.(event.step);
      }
      // What was left unsaid, because the turn ended early, is no part of the next one.
      while (model.left > 0) await model.generate({ messages: [], maxTokens: 1 } as never, AbortSignal.timeout(1000)).catch(() => undefined);
      told.push(JSON.stringify(events));
      const last = events.at(-1);
      if (last?.type !== "turn-finished") throw new Error(`the turn ended with ${last?.type ?? "nothing"}`);
      const finished = events.flatMap((event) => (event.type === "step-finished" ? [event.step] : []));
      return {
        steps: finished,
        reply: last.message?.text ?? "",
        conversationId: last.turn.conversationId,
        episodeId: last.episode.id,
        read: model.requests
          .slice(before)
          .map(({ messages }) => messages.map(({ text }) => text).join("\n"))
          .join("\n"),
        refused: finished.filter(({ status }) => status !== "ok").map(({ details }) => String(details.code ?? details.rule ?? "")),
      };
    },
    leaks: (more = {}) => [
      ...sweep({ ...secrets, ...more }, { model: JSON.stringify(model.requests), events: told.join("\n"), outside: outsideOf(agent) }),
      ...sweepFolders({ ...secrets, ...more }, folder),
      ...sweepProcesses({ ...secrets, ...more }, process.pid),
    ],
    async close() {
      await agent.close();
      const left = sweepFolders(secrets, folder);
      await served.close();
      rmSync(folder, { recursive: true, force: true });
      expect(left).toEqual([]);
    },
  };
}

/** All that a page of the app, or the command line, can be told of what happened. */
function outsideOf(agent: HostedAgent): string {
  return JSON.stringify([
    agent.conversations().map(({ id }) => agent.conversation(id)),
    agent.skills(true),
    agent.alerts(true),
    agent.grants(),
    agent.activity({ limit: 200 } as never),
    agent.vault.audit(1000),
    agent.facts(),
    agent.showings(),
  ]);
}
