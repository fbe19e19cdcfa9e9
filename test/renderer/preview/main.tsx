import { createRoot } from "react-dom/client";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { ShowingEvent } from "#contract/learning/routes.ts";
import type { Draft } from "#contract/learning/schema.ts";
import type { FetchEvent } from "#contract/models/schema.ts";
import type { Settings } from "#contract/settings/schema.ts";
import { App } from "#renderer/app.tsx";
import type { ConnectionState } from "#renderer/client/connection.ts";
import { createStores, StoresContext } from "#renderer/store/stores.ts";
import "#renderer/styles/tokens.css";
import "#renderer/styles/base.css";
import * as sample from "../sample.ts";
import { script, scriptedClient, scriptedLink } from "../scripted-client.ts";

const wish = new URLSearchParams(window.location.search);
const state = wish.get("state") ?? "full";
const theme = (wish.get("theme") ?? "light") as Settings["theme"];
Date.now = () => sample.NOW;

const settings = () => ({ ...sample.settings, theme });
const never = () => new Promise<never>(() => undefined);
const broken = () => {
  throw new KnackError("database-locked", "The database is locked by another program. Close the other Knack, then try again.");
};

function everywhere(answer: () => unknown) {
  return {
    conversations: { list: answer, get: answer },
    skills: { list: answer, get: answer, proposals: answer, packs: answer },
    learning: { reports: answer },
    models: { list: answer },
    alerts: { list: answer },
    grants: { list: answer },
    memory: { list: answer },
  };
}

const running = () => {
  const turn = sample.turn("t7", "c7", { status: "running", endedAt: null });
  const events = script<TurnEvent>();
  const step = (index: number, tool: string, args: Record<string, unknown>) => sample.step(`y${index}`, "t7", index, tool, args);
  events.push({ type: "turn-started", turn, message: sample.message("t7", "c7", "user", "Download the June 2026 invoice from https://portal.example") });
  events.push({ type: "recall-decided", turnId: "t7", recall: sample.recallMatched });
  events.push({ type: "skill-taken", turnId: "t7", skillId: "s1", name: "portal-invoice", revision: 2, mode: "advisory", inputs: { month: "June 2026" } });
  events.push({ type: "step-finished", step: step(0, "browser_open", { url: "https://portal.example" }) });
  events.push({ type: "step-finished", step: step(1, "browser_click", { target: { role: "link", name: "My account" } }) });
  events.push({ type: "place-moved", turnId: "t7", at: 3, of: 4, next: "Go to the next page" });
  events.push({
    type: "step-started",
    step: { ...step(2, "browser_click", { target: { role: "link", name: "Older statements" } }), status: "running", durationMs: null, text: "" },
  });
  if (state === "approval")
    events.push({
      type: "approval-requested",
      turnId: "t7",
      approvalId: "q1",
      tool: "browser_download",
      args: { target: { role: "link", name: "Download June 2026 invoice" }, url: "https://portal.example/files/invoice-june-2026.pdf" },
      reason: "You asked to be asked before a file is downloaded.",
    });
  if (state === "streaming") {
    events.push({ type: "step-finished", step: step(2, "browser_click", { target: { role: "link", name: "Older statements" } }) });
    events.push({ type: "text-delta", turnId: "t7", text: "The June invoice is on the second page. I am downloading **invoice-june-2026.pdf** n" });
  }
  if (state === "problem") {
    events.push({ type: "alert-raised", alertId: "a9", title: "“portal-invoice” failed twice at step 3" });
    events.push({
      type: "turn-finished",
      turn: { ...turn, status: "failed", endedAt: turn.startedAt + 31_000 },
      episode: sample.episode("t7", "c7", { outcome: "failure", reason: "step limit" }),
      message: null,
      problem: "The page stayed the same after 14 steps. Say what to look for, or show it once.",
      mayResume: false,
    });
    events.end();
  }
  return events.events;
};

const showing = () => {
  const events = script<ShowingEvent>();
  events.push({ type: "showing-started", showing: sample.showing });
  for (const action of sample.shownActions) events.push({ type: "action-shown", action });
  return events.events;
};

async function* downloading(): AsyncGenerator<FetchEvent> {
  for (let part = 1; part <= 4; part++) {
    sampleNow += 500;
    yield { model: "m", phase: "downloading", source: "huggingface.co", bytes: 1_000_000_000 + part * 6_000_000, of: 4_683_073_952, message: "" };
  }
  await never();
}
let sampleNow = sample.NOW;

/** A showing that was left as a draft, so that the dialog can be opened at its review. */
const reviewed = (change: Partial<Draft>) => ({
  startShowing: showing,
  showings: () => [{ ...sample.showing, status: "draft" }],
  finishShowing: () => ({ ...sample.draft, ...change }),
});
const secret = {
  content: {
    ...sample.draft.content,
    steps: [...sample.draft.content.steps, { do: "Enter the secret for Password from a vault entry (choose one)", onFail: "stop" }],
  },
  observed: [...sample.draft.observed, { heading: "Sign in", url: "/sign-in", lines: [], secretField: "Password" }],
  needJudgement: [3, 5],
  alike: { skill: "portal-invoice", goal: "Download the April 2026 invoice" },
};

const always = { settings: { get: settings, change: (change: object) => ({ ...settings(), ...change }) }, chat: { send: running } };
const overrides = {
  full: { ...always, models: { fetch: downloading }, learning: { startShowing: showing }, skills: { lift: () => sample.lift } },
  draft: { ...always, learning: reviewed({ edits: [{ edit: "drop-step", step: 4 }], needJudgement: [] }) },
  secret: { ...always, learning: reviewed(secret) },
  revision: { ...always, learning: reviewed({ revises: { skill: "portal-invoice", revision: 2, diff: sample.diff } }) },
  failing: {
    ...always,
    learning: {
      ...reviewed({}),
      editDraft: () => {
        throw new KnackError("bad-input", "Step 2 uses {{plate}}, which is no input; the inputs are: month", { exit: 2 });
      },
    },
  },
  empty: { ...always, ...everywhere(() => []) },
  error: { ...always, ...everywhere(broken) },
  loading: { ...always, ...everywhere(never) },
}[state];

const { client } = scriptedClient((overrides ?? always) as never);
const phase: ConnectionState =
  state === "offline" ? { phase: "waiting", reason: "Knack's host ended.", retryAt: sample.NOW + 4000 } : { phase: "open", life: 1 };
const stores = createStores(scriptedLink(client, phase), window);
if (state === "downloading") Date.now = () => sampleNow;
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StoresContext value={stores}>
      <App />
    </StoresContext>,
  );
}
Object.assign(window, { stores });
