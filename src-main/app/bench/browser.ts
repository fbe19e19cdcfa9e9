import { type MeasuredPage, openGuardedPage, openPlainPage } from "#adapters/browser/index.ts";
import { createEgress } from "#adapters/egress/index.ts";
import { serveSites } from "#adapters/sites/index.ts";
import { badInput } from "#contract/errors.ts";
import type { Destination } from "#contract/grants/schema.ts";
import type { Egress } from "#core/ports/index.ts";
import { loadSites } from "../eval/load-sites.ts";
import { type BenchMachine, benchMachine } from "./machine.ts";
import { type Times, timesOf } from "./times.ts";

/** How much of a plain browser's time a page may take behind gate and watch. */
const mostOfPlain = 1.25;
const mostMicroseconds = 50;
/** Decisions are so short that only many of them can be timed. */
const atOnce = 50;

export interface BrowserBenchOptions {
  readonly sitesFolder: string;
  /** How often all pages are loaded in each browser. */
  readonly pairs: number;
  readonly decisions: number;
  readonly grants: number;
  readonly env: NodeJS.ProcessEnv;
  readonly onNote?: (note: string) => void;
}

export interface BrowserBench {
  readonly machine: BenchMachine;
  /** Sites of which the first page is loaded. */
  readonly pages: number;
  /** Milliseconds for all pages, one after the other. */
  readonly load: { readonly pairs: number; readonly guarded: Times; readonly plain: Times; readonly ratio: number; readonly isWithin: boolean };
  readonly decision: { readonly count: number; readonly grants: number; readonly microseconds: Times; readonly isWithin: boolean };
}

/** The sites of a folder in two browsers that change places: one as a task has it, one plain; and what one decision on an address costs. */
export async function benchBrowser(options: BrowserBenchOptions, signal: AbortSignal): Promise<BrowserBench> {
  for (const [name, value] of Object.entries({ pairs: options.pairs, decisions: options.decisions, grants: options.grants }))
    if (!Number.isInteger(value) || value < 1) throw badInput(`${name} is ${value}; expected a whole number from 1`);
  const note = options.onNote ?? (() => undefined);
  const served = await serveSites(await loadSites(options.sitesFolder));
  const closing: (() => Promise<void>)[] = [() => served.close()];
  try {
    const hosts = [...served.hosts.keys()];
    const egress = await createEgress({ hosts: served.hosts })(hosts.map(granted));
    closing.push(() => egress.close());
    const ways = {
      allowNoSandbox: options.env["KNACK_NO_SANDBOX"] === "1",
      trustedSpki: served.spki,
      executable: options.env["KNACK_BROWSER"] || undefined,
    };
    note("starting both browsers");
    const guarded = await openGuardedPage(ways, egress, signal);
    closing.push(() => guarded.close());
    const plain = await openPlainPage(ways, served.hosts);
    closing.push(() => plain.close());
    const load = await timePairs(hosts, guarded, plain, options.pairs, note, signal);
    note("timing decisions");
    return { machine: benchMachine(), pages: hosts.length, load, decision: await timeDecisions(options.decisions, options.grants) };
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function timePairs(
  hosts: readonly string[],
  guarded: MeasuredPage,
  plain: MeasuredPage,
  pairs: number,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<BrowserBench["load"]> {
  const all = async (page: MeasuredPage): Promise<number> => {
    let total = 0;
    for (const host of hosts) total += await page.load(`https://${host}/`, signal);
    return total;
  };
  // The first time of each is spent on connections and on code that is not compiled yet.
  await all(guarded);
  await all(plain);
  const times: Record<"guarded" | "plain", number[]> = { guarded: [], plain: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    note(`pair ${pair + 1} of ${pairs}`);
    for (const isGuarded of pair % 2 === 0 ? [true, false] : [false, true]) times[isGuarded ? "guarded" : "plain"].push(await all(isGuarded ? guarded : plain));
  }
  const [ours, others] = [timesOf(times.guarded), timesOf(times.plain)];
  const ratio = ours.median / others.median;
  return { pairs, guarded: ours, plain: others, ratio, isWithin: ratio <= mostOfPlain };
}

async function timeDecisions(count: number, grants: number): Promise<BrowserBench["decision"]> {
  const egress = await createEgress()(Array.from({ length: grants }, (_, at) => granted(`site${at}.example`)));
  try {
    const addresses = Array.from({ length: atOnce }, (_, at) => addressOf(at, grants));
    const times: number[] = [];
    for (let done = 0; done < count; done += atOnce) times.push(timeOf(egress, addresses));
    const microseconds = timesOf(times);
    return { count, grants, microseconds, isWithin: microseconds.median < mostMicroseconds };
  } finally {
    await egress.close();
  }
}

/** Mostly what a page of a granted site asks for, and some that is refused. */
function addressOf(at: number, grants: number): string {
  const site = at % 5 === 4 ? `tracker${at}.example` : `site${at % grants}.example`;
  return `https://${site}/assets/part-${at}.js?version=${at}&theme=light`;
}

function timeOf(egress: Egress, addresses: readonly string[]): number {
  const start = performance.now();
  for (const address of addresses) egress.check(address, "subresource");
  return ((performance.now() - start) * 1000) / addresses.length;
}

function granted(host: string): Destination {
  return { scheme: "https", host, port: 443, use: "navigate", allowPrivate: false };
}
