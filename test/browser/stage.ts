import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createBrowserLauncher } from "#adapters/browser/index.ts";
import { createEgress, type EgressOptions } from "#adapters/egress/index.ts";
import { type ServedSites, serveSites } from "#adapters/sites/index.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { BrowserLauncher, BrowserOptions, BrowserSession, Egress } from "#core/ports/index.ts";

export const never = new AbortController().signal;

/** Pages of one host by path; a function sees the request. */
export type Pages = Readonly<Record<string, string | ((request: Request, url: URL) => Response | Promise<Response>)>>;

export interface Stage {
  readonly served: ServedSites;
  readonly launcher: BrowserLauncher;
  readonly options: BrowserOptions;
  /** The proxy of the latest session. */
  readonly egress: () => Egress;
  readonly launch: (more?: Partial<BrowserOptions>) => Promise<BrowserSession>;
  /** "GET /path" of every request a host got. */
  readonly asked: (host: string) => readonly string[];
  readonly close: () => Promise<void>;
}

export function html(body: string, title = "A page"): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;
}

export function grant(host: string, more: Partial<Destination> = {}): Destination {
  return { scheme: "https", host, port: 443, use: "navigate", allowPrivate: false, ...more };
}

/** Real sites on loopback, the real proxy, a real browser. Only the first host is granted unless said. */
export async function openStage(hosts: Readonly<Record<string, Pages>>, egressOptions: EgressOptions = {}): Promise<Stage> {
  const sites = Object.entries(hosts).map(([host, pages]) => ({
    host,
    start() {
      const log: string[] = [];
      return {
        log,
        async fetch(request: Request): Promise<Response> {
          const url = new URL(request.url);
          log.push(`${request.method} ${url.pathname}${url.search}`);
          const answer = pages[url.pathname];
          if (answer === undefined) return new Response(html("<h1>Nothing here</h1>"), { status: 404, headers: { "content-type": "text/html" } });
          return typeof answer === "string" ? new Response(answer, { headers: { "content-type": "text/html; charset=utf-8" } }) : answer(request, url);
        },
      };
    },
  }));
  const served = await serveSites(sites);
  const folder = await mkdtemp(join(tmpdir(), "knack-stage-"));
  const start = createEgress({ hosts: served.hosts, ...egressOptions });
  let egress: Egress | undefined;
  const launcher = createBrowserLauncher({
    startEgress: async (destinations) => {
      egress = await start(destinations);
      return egress;
    },
    allowNoSandbox: process.getuid?.() === 0,
    trustedSpki: served.spki,
  });
  const first = Object.keys(hosts)[0] ?? "";
  const options: BrowserOptions = { destinations: [grant(first)], downloadFolder: join(folder, "downloads"), downloadsAllowed: true, maxChars: 8_000 };
  return {
    served,
    launcher,
    options,
    egress: () => egress as Egress,
    launch: (more = {}) => launcher.launch({ ...options, ...more }, never),
    asked: (host) => (served.logs.get(host) ?? []) as string[],
    async close() {
      await launcher.dispose();
      await served.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A stage with one host and a session on it for all tests of a file; the address of a path, and the session once they run. */
export function useSession(host: string, pages: Pages): { readonly at: (path: string) => string; readonly session: () => BrowserSession } {
  let stage: Stage | undefined;
  let session: BrowserSession | undefined;
  beforeAll(async () => {
    stage = await openStage({ [host]: pages });
    session = await stage.launch();
  });
  afterAll(() => stage?.close());
  return {
    at: (path) => `https://${host}${path}`,
    session() {
      if (!session) throw new Error("the session is there once the tests run");
      return session;
    },
  };
}

/** The code of the error a promise ends with, "none" when it does not. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).name;
  }
}
