import type { Agent } from "#app/agent.ts";
import type { Message, Send, Turn, TurnEvent } from "#contract/chat/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Showing, ShownAction } from "#contract/learning/schema.ts";
import type { News } from "#contract/news.ts";
import { type Settings, settingsSchema } from "#contract/settings/schema.ts";
import { type Outward, outward, Redactor } from "#core/vault/index.ts";

const noTokens = { evaluated: 0, reused: 0, generated: 0 };

export interface FakeAgent extends Agent {
  /** What reached the far side of the boundary, in order. */
  readonly calls: string[];
  /** Records one action of the showing that runs. */
  act(action: ShownAction): void;
  /** Ends the recording from elsewhere, as closing its window would. */
  breakShowing(): void;
}

/**
 * The boundary of the shells, with an agent that follows its text: "count N" streams N words, "forever" streams until it is stopped,
 * "fail late" throws in the middle, "quit" ends the process.
 */
export function createFakeAgent(): Outward<FakeAgent> {
  const calls: string[] = [];
  let settings: Settings = settingsSchema.parse({});
  let showing: Showing | null = null;
  let tellNews: (news: News) => void = () => {};
  let tell: (action: ShownAction) => void = () => {};
  const missing = (what: string): never => {
    throw new KnackError("unknown", `There is no ${what}.`, { exit: 1, fields: { what } });
  };
  const unused = (): never => missing("such thing in this test");

  const known: Partial<FakeAgent> = {
    calls,
    onNews(listener) {
      calls.push("listening for news");
      tellNews = listener;
    },
    act: (action) => tell(action),
    breakShowing() {
      if (showing !== null) showing = { ...showing, status: "broken" };
    },
    status: async () => ({
      version: "0.0.0-test",
      dataFolder: "/data",
      model: { id: "scripted", state: "ready", message: "ready", contextSize: 4096, contextAsked: 4096 },
      embedder: { id: "scripted", calibrated: true },
      browser: { found: null, message: "no browser in this test" },
      offline: true,
    }),
    send: (input, signal) => {
      // "news …" is told to the desktop, with one alert.
      if (input.text.startsWith("news "))
        tellNews({ alerts: 1, staysInTray: false, notice: { kind: "alert", title: "Step 3 failed", text: input.text.slice(5), route: "#/alerts" } });
      return turn(input, signal, calls);
    },
    stop: (id) => {
      calls.push(`stop ${id}`);
      return true;
    },
    judge(id, worked, by) {
      calls.push(`judge ${id} ${worked} ${by}`);
      return episodeOf(id, worked ? "success" : "failure");
    },
    conversations: () => [],
    conversation: (id) => missing(`conversation ${id}`),
    addGrant(what) {
      if (what.includes(" ")) throw badInput(`"${what}" is no destination: expected a URL, a host or a folder.`, { field: "what" });
      throw new KnackError("refused", "The folder is outside of your home.", { exit: 3, fields: { rule: "ENV-1" } });
    },
    settings: () => settings,
    changeSettings(change) {
      calls.push(`settings ${JSON.stringify(change)}`);
      settings = { ...settings, ...change, enforcement: { ...settings.enforcement, ...change.enforcement } };
      return settings;
    },
    async startShowing(goal, url, onAction) {
      showing = { id: "showing-1", goal, url, status: "recording", actions: [], createdAt: 1, aim: { kind: "new" }, base: null, edits: [], skillId: null };
      tell = onAction ?? tell;
      return showing;
    },
    async dropShowing() {
      if (showing !== null) showing = { ...showing, status: "dropped" };
    },
    showings: () => (showing === null ? [] : [showing]),
    reports: () => [],
    close: async () => {
      calls.push("close");
      console.error("The agent of the tests is closed.");
    },
  };
  const fake = new Proxy(known as FakeAgent, {
    get: (target, name) => (Object.hasOwn(target, name) ? target[name as keyof FakeAgent] : name === "then" ? undefined : unused),
  });
  return outward(fake, new Redactor(Date.now));
}

async function* turn({ text }: Send, signal: AbortSignal, calls: string[]): AsyncGenerator<TurnEvent> {
  calls.push(`send ${text}`);
  if (text === "quit") {
    console.error("The agent of the tests quits.");
    process.exit(7);
  }
  const started = turnOf("running");
  yield { type: "turn-started", turn: started, message: messageOf("user", text) };
  let said = "";
  const words = text === "forever" ? Number.POSITIVE_INFINITY : Number(text.match(/^count (\d+)$/u)?.[1] ?? 1);
  for (let n = 1; n <= words; n++) {
    if (text === "forever") await new Promise((resolve) => setTimeout(resolve, 5));
    if (signal.aborted) {
      calls.push("stopped");
      return;
    }
    said += `${n} `;
    yield { type: "text-delta", turnId: started.id, text: `${n} ` };
    if (text === "fail late") throw new KnackError("model-missing", "The model file is gone.", { fields: { file: "model.gguf" } });
  }
  yield {
    type: "turn-finished",
    turn: turnOf("done"),
    episode: episodeOf("episode-1", "claimed_success"),
    message: messageOf("assistant", said),
    problem: null,
    mayResume: false,
  };
}

function turnOf(status: Turn["status"]): Turn {
  return {
    id: "turn-1",
    conversationId: "conversation-1",
    episodeId: "episode-1",
    status,
    skillId: null,
    revision: null,
    mode: null,
    recall: null,
    startedAt: 1,
    endedAt: status === "done" ? 2 : null,
    tokens: noTokens,
  };
}

function messageOf(role: Message["role"], text: string): Message {
  return { id: `message-${role}`, conversationId: "conversation-1", turnId: "turn-1", role, text, status: "complete", createdAt: 1 };
}

function episodeOf(id: string, outcome: "success" | "failure" | "claimed_success") {
  return { id, conversationId: "conversation-1", goal: "count", outcome, reason: null, open: false, createdAt: 1, closedAt: 2 };
}
