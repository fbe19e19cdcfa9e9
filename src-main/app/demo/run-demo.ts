import { serveSites } from "#adapters/sites/index.ts";
import type { Send, TurnEvent } from "#contract/chat/schema.ts";
import { badInput } from "#contract/errors.ts";
import type { Draft, ShownAction } from "#contract/learning/schema.ts";
import { type EvalSite, kindsOf, loadSites, type SiteGoal } from "../eval/load-sites.ts";
import { type Bench, openBench } from "../eval/routines.ts";

export interface DemoOptions {
  readonly sitesFolder: string;
  readonly cacheFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface DemoRow {
  readonly goal: string;
  readonly how: "alone" | "shown" | "advisory" | "strict";
  readonly done: boolean;
  readonly steps: number;
  readonly seconds: number;
  /** Evaluated and generated. */
  readonly tokens: number;
}

export type DemoEvent =
  | { readonly type: "scene-opened"; readonly number: number; readonly title: string; readonly goal: string }
  | { readonly type: "turn-event"; readonly event: TurnEvent }
  | { readonly type: "action-shown"; readonly action: ShownAction }
  | { readonly type: "skill-learned"; readonly draft: Draft }
  | { readonly type: "scene-closed"; readonly row: DemoRow; readonly why: string };

export interface DemoReport {
  readonly model: string;
  readonly rows: readonly DemoRow[];
  /** Both runs after the showing reached their goals. */
  readonly taughtWorked: boolean;
}

const siteName = "portal";
const kindName = "invoice";
const goalTimeoutMs = 300_000;

/** One routine of one site: failing alone, shown once, done with the model following the skill, done without the model. */
export async function runDemo(options: DemoOptions, tell: (event: DemoEvent) => void, signal: AbortSignal): Promise<DemoReport> {
  const site = (await loadSites(options.sitesFolder)).find((one) => one.name === siteName);
  const goals = site && kindsOf(site).get(kindName);
  // The one that is shown lies two pages back in a list: a model that only wanders about does not come by it.
  const [, second, shown, fourth] = goals ?? [];
  if (!site || !shown?.show || !second || !fourth)
    throw badInput(`${options.sitesFolder} has no site "${siteName}" with four goals "${kindName}-…", the first with a showing`);
  const served = await serveSites([site]);
  try {
    const bench = await openBench(served, [site], options);
    try {
      const rows = [
        await doScene(bench, site, shown, 1, "The model alone", "alone", { text: shown.text, noSkills: true, maxSteps: 14 }, tell, signal),
        await showScene(bench, site, shown, tell, signal),
        await doScene(
          bench,
          site,
          second,
          3,
          "Another of its kind: the model follows the skill",
          "advisory",
          { text: second.text, mode: "advisory", takeSuggestion: true },
          tell,
          signal,
        ),
        await doScene(
          bench,
          site,
          fourth,
          4,
          "And another: the skill runs without the model",
          "strict",
          { text: fourth.text, mode: "strict", takeSuggestion: true },
          tell,
          signal,
        ),
      ];
      const status = await bench.agent.status();
      return { model: status.model.id ?? "", rows, taughtWorked: rows.every((row) => row.done || row.how === "alone") };
    } finally {
      await bench.close();
    }
  } finally {
    await served.close();
  }
}

async function doScene(
  bench: Bench,
  site: EvalSite,
  goal: SiteGoal,
  number: number,
  title: string,
  how: DemoRow["how"],
  input: Send,
  tell: (event: DemoEvent) => void,
  signal: AbortSignal,
): Promise<DemoRow> {
  tell({ type: "scene-opened", number, title, goal: goal.text });
  bench.served.restart();
  const started = performance.now();
  const downloads: string[] = [];
  let steps = 0;
  let tokens = 0;
  let reply = "";
  let why = "";
  for await (const event of bench.agent.send(input, AbortSignal.any([signal, AbortSignal.timeout(goalTimeoutMs)]))) {
    tell({ type: "turn-event", event });
    if (event.type === "step-finished") {
      if (event.step.tool !== "reply" && event.step.tool !== "ask_user") steps++;
      downloads.push(...((event.step.details.downloads as string[] | undefined) ?? []));
    }
    if (event.type === "turn-finished") {
      reply = event.message?.text ?? "";
      tokens = event.turn.tokens.evaluated + event.turn.tokens.generated;
      why = event.problem ?? event.episode.reason ?? "";
    }
  }
  signal.throwIfAborted();
  const done = Boolean(await goal.done({ log: bench.served.logs.get(site.host) ?? [], downloads, reply }));
  const row: DemoRow = { goal: goal.text, how, done, steps, seconds: secondsSince(started), tokens };
  tell({ type: "scene-closed", row, why });
  return row;
}

/** The showing, performed in the recorder's window as a person would; the draft is kept as it is. */
async function showScene(bench: Bench, site: EvalSite, goal: SiteGoal, tell: (event: DemoEvent) => void, signal: AbortSignal): Promise<DemoRow> {
  tell({ type: "scene-opened", number: 2, title: "It is shown once, in the browser", goal: goal.text });
  bench.served.restart();
  const started = performance.now();
  const script = goal.show ?? [];
  const isOpening = script[0]?.[0] === "open";
  const url = (isOpening ? script[0]?.[1] : undefined) ?? `https://${site.host}`;
  let steps = 0;
  const showing = await bench.agent.startShowing(goal.text, url, (action) => {
    steps++;
    tell({ type: "action-shown", action });
  });
  await bench.agent.showing.perform(showing.id, isOpening ? script.slice(1) : script, signal);
  const draft = await bench.agent.finishShowing(showing.id);
  await bench.agent.confirmShowing(showing.id, "demo");
  tell({ type: "skill-learned", draft });
  const row: DemoRow = { goal: goal.text, how: "shown", done: true, steps, seconds: secondsSince(started), tokens: 0 };
  tell({ type: "scene-closed", row, why: "" });
  return row;
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10;
}
