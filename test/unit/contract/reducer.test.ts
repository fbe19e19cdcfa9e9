import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConversationView, emptyConversation, reduceTurnEvent, runningTurn, viewConversation, withEpisode } from "#contract/chat/reducer.ts";
import { type Episode, type Message, type Step, type Turn, type TurnEvent, turnEventSchema } from "#contract/chat/schema.ts";

const tokens = { evaluated: 1, reused: 2, generated: 3 };
const turnOf = (id: string, status: Turn["status"] = "running"): Turn => ({
  id,
  conversationId: "c",
  episodeId: `e-${id}`,
  status,
  skillId: null,
  revision: null,
  mode: null,
  recall: null,
  startedAt: 1,
  endedAt: null,
  tokens,
});
const messageOf = (turnId: string, role: Message["role"], text: string): Message => ({
  id: `${role}-${turnId}`,
  conversationId: "c",
  turnId,
  role,
  text,
  status: "complete",
  createdAt: 1,
});
const stepOf = (turnId: string, index: number, status: Step["status"]): Step => ({
  id: `s-${turnId}-${index}`,
  turnId,
  episodeId: `e-${turnId}`,
  index,
  tool: "browser_click",
  args: {},
  status,
  text: "",
  details: {},
  startedAt: 1,
  durationMs: null,
  tokens,
});
const episodeOf = (turnId: string): Episode => ({
  id: `e-${turnId}`,
  conversationId: "c",
  goal: "g",
  outcome: null,
  reason: null,
  open: true,
  createdAt: 1,
  closedAt: null,
});

const started = (id: string): TurnEvent => ({ type: "turn-started", turn: turnOf(id), message: messageOf(id, "user", "do it") });
const finished = (id: string, status: Turn["status"] = "done"): TurnEvent => ({
  type: "turn-finished",
  turn: turnOf(id, status),
  episode: episodeOf(id),
  message: status === "failed" ? null : messageOf(id, "assistant", "done"),
  problem: status === "failed" ? "the site did not answer" : null,
  mayResume: false,
});
const fold = (events: readonly TurnEvent[], from: ConversationView = emptyConversation): ConversationView => events.reduce(reduceTurnEvent, from);

/** Events of up to two turns, in any order, wrong orders among them. */
const turnId = fc.constantFrom("t1", "t2");
const anyEvent: fc.Arbitrary<TurnEvent> = fc.oneof(
  turnId.map(started),
  fc.tuple(turnId, fc.constantFrom<Turn["status"][]>("done", "failed", "stopped")).map(([id, status]) => finished(id, status)),
  fc.record({ type: fc.constant("text-delta" as const), turnId, text: fc.string() }),
  fc.tuple(turnId, fc.nat(4)).map(([id, index]) => ({ type: "step-started" as const, step: stepOf(id, index, "running") })),
  fc
    .tuple(turnId, fc.nat(4), fc.constantFrom<Step["status"][]>("ok", "error", "refused"))
    .map(([id, index, status]) => ({ type: "step-finished" as const, step: stepOf(id, index, status) })),
  fc.record({
    type: fc.constant("skill-taken" as const),
    turnId,
    skillId: fc.constant("k"),
    name: fc.constant("get-bill"),
    revision: fc.constant(2),
    mode: fc.constant("advisory" as const),
    inputs: fc.constant({ month: "May" }),
  }),
  fc.record({ type: fc.constant("place-moved" as const), turnId, at: fc.nat(9), of: fc.constant(9), next: fc.string() }),
  fc.record({
    type: fc.constant("approval-requested" as const),
    turnId,
    approvalId: fc.string(),
    tool: fc.constant("browser_click"),
    args: fc.constant({}),
    reason: fc.string(),
  }),
  fc.record({ type: fc.constant("alert-raised" as const), alertId: fc.constantFrom("a1", "a2"), title: fc.string() }),
);
const anyEvents = fc.array(anyEvent, { maxLength: 40 });

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

describe("whatever events arrive", () => {
  test("the generated ones are events of the contract", () => {
    fc.assert(fc.property(anyEvent, (event) => turnEventSchema.safeParse(event).success));
  });

  test("views are values: nothing that was handed out changes", () => {
    fc.assert(fc.property(anyEvents, (events) => void events.reduce((view, event) => freeze(reduceTurnEvent(view, event)), freeze(emptyConversation))));
  });

  test("no turn, message, step or alert is there twice, and steps keep their order", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { turns, messages } = fold(events);
        for (const ids of [
          turns.map((t) => t.turn.id),
          messages.map((m) => m.id),
          ...turns.map((t) => t.steps.map((s) => s.id)),
          ...turns.map((t) => t.alerts.map((a) => a.alertId)),
        ]) {
          expect(new Set(ids).size).toBe(ids.length);
        }
        for (const { steps } of turns) expect(steps.map((s) => s.index)).toEqual(steps.map((s) => s.index).toSorted((a, b) => a - b));
      }),
    );
  });

  test("a finished turn has nothing running, waiting or streaming, and nothing reopens it", () => {
    fc.assert(
      fc.property(anyEvents, anyEvents, (before, after) => {
        const done = fold([started("t1"), ...before, finished("t1")]);
        const turn = done.turns.find((t) => t.turn.id === "t1");
        expect(turn?.turn.status).not.toBe("running");
        expect(turn?.approval).toBeNull();
        expect(turn?.steps.some((s) => s.status === "running")).toBe(false);
        expect(fold(after, done).turns.find((t) => t.turn.id === "t1")).toBe(turn);
      }),
    );
  });

  test("a step that finished stays finished", () => {
    const stepEvent = fc
      .tuple(fc.nat(1), fc.constantFrom<Step["status"][]>("running", "ok", "error"))
      .map(([index, status]): TurnEvent => ({ type: status === "running" ? "step-started" : "step-finished", step: stepOf("t1", index, status) }));
    fc.assert(
      fc.property(fc.array(stepEvent), stepEvent, (events, last) => {
        const steps = fold([started("t1"), ...events]).turns[0]?.steps ?? [];
        const after = new Map(fold([started("t1"), ...events, last]).turns[0]?.steps.map((s) => [s.id, s.status]));
        for (const step of steps) if (step.status !== "running") expect(after.get(step.id)).not.toBe("running");
      }),
    );
  });

  test("telling an event twice is telling it once, but for streamed text", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const twice = events.flatMap((event): TurnEvent[] => (event.type === "text-delta" ? [event] : [event, event]));
        expect(fold(twice)).toEqual(fold(events));
      }),
    );
  });

  test("a turn that never started here changes nothing, not even the object", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const rest = events.filter((event) => event.type !== "turn-started");
        expect(fold(rest)).toBe(emptyConversation);
      }),
    );
  });

  test("streamed text is what was said since the turn began", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(runningTurn(fold([started("t1"), ...words.map((text): TurnEvent => ({ type: "text-delta", turnId: "t1", text }))]))?.text).toBe(words.join(""));
      }),
    );
  });
});

describe("a turn", () => {
  test("gives way from streamed text to its message", () => {
    const view = fold([started("t1"), { type: "text-delta", turnId: "t1", text: "do" }, finished("t1")]);
    expect(view.messages.map((m) => m.text)).toEqual(["do it", "done"]);
    expect(view.turns[0]?.text).toBe("");
  });

  test("that failed keeps what it had said and why it failed", () => {
    const view = fold([
      started("t1"),
      { type: "text-delta", turnId: "t1", text: "I will" },
      { type: "step-started", step: stepOf("t1", 0, "running") },
      finished("t1", "failed"),
    ]);
    expect(view.turns[0]).toMatchObject({ text: "I will", problem: "the site did not answer", steps: [{ status: "interrupted" }] });
  });

  test("of another conversation is not taken in", () => {
    const view = fold([started("t1"), finished("t1")]);
    expect(reduceTurnEvent(view, { type: "turn-started", turn: { ...turnOf("t9"), conversationId: "other" }, message: messageOf("t9", "user", "hi") })).toBe(
      view,
    );
  });

  test("follows a stored conversation as if it had been there from the start", () => {
    const first = fold([started("t1"), { type: "step-finished", step: stepOf("t1", 0, "ok") }, finished("t1")]);
    const viewed = viewConversation({
      conversation: { id: "c", title: "", createdAt: 1, updatedAt: 1 },
      messages: first.messages,
      turns: first.turns.map((t) => t.turn),
      steps: first.turns.flatMap((t) => t.steps),
      episodes: [episodeOf("t1")],
      context: null,
      compactions: [],
    });
    // What is told of the conversation itself comes only with what is stored of it.
    expect(viewed.about?.id).toBe("c");
    const stored = { ...viewed, about: null };
    expect(stored).toEqual(first);
    expect(fold([started("t2"), finished("t2")], stored)).toEqual(fold([started("t2"), finished("t2")], first));
  });

  test("that waits says so until its turn comes, and tells what the conversation holds", () => {
    const waits: TurnEvent = { type: "turn-waiting", turnId: "t1", ahead: 1, behind: { conversationId: "d", title: "Other" } };
    const context = { used: 900, size: 8192 };
    const view = fold([started("t1"), waits, { type: "context-used", turnId: "t1", context }]);
    expect([view.turns[0]?.waiting, view.context]).toEqual([{ ahead: 1, behind: { conversationId: "d", title: "Other" } }, context]);
    const come = fold([{ ...waits, ahead: 0, behind: null }], view);
    expect(come.turns[0]?.waiting).toBeNull();
    // What is told late, or of another conversation, changes nothing.
    expect(fold([{ type: "context-used", turnId: "t9", context: { used: 1, size: 2 } }], come)).toBe(come);
  });

  test("shows the outcome once it is judged", () => {
    const judged: Episode = { ...episodeOf("t1"), outcome: "success", reason: "confirmed by the user" };
    expect(withEpisode(fold([started("t1"), finished("t1")]), judged).turns[0]?.episode).toEqual(judged);
  });

  test("passes over an event it does not know", () => {
    const view = fold([started("t1")]);
    expect(reduceTurnEvent(view, { type: "moon-rose" } as unknown as TurnEvent)).toBe(view);
  });
});
