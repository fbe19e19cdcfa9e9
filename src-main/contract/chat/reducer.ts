import type { ConversationDetail, Fork } from "../conversations/routes.ts";
import type { Compaction, ContextUse } from "./context.ts";
import type { Conversation, Episode, Message, Step, Turn, TurnEvent } from "./schema.ts";

type EventOf<T extends TurnEvent["type"]> = Extract<TurnEvent, { type: T }>;

/** One turn as a page shows it. */
export interface TurnView {
  readonly turn: Turn;
  /** In order of their index; at most one of them is running. */
  readonly steps: readonly Step[];
  /** The answer so far while it streams, "" once its message is there. */
  readonly text: string;
  readonly skill: Omit<EventOf<"skill-taken">, "type" | "turnId"> | null;
  /** Where the turn is in the procedure of its skill. */
  readonly place: Omit<EventOf<"place-moved">, "type" | "turnId"> | null;
  /** Whom it waits for, before the model is free for it. */
  readonly waiting: Omit<EventOf<"turn-waiting">, "type" | "turnId"> | null;
  /** The question that waits for the user. */
  readonly approval: Omit<EventOf<"approval-requested">, "type" | "turnId"> | null;
  readonly alerts: readonly Omit<EventOf<"alert-raised">, "type">[];
  /** What it kept of the message about the user; only while it is on the screen. */
  readonly kept: readonly Omit<EventOf<"fact-kept">, "type" | "turnId">[];
  readonly episode: Episode | null;
  /** Why the turn did not end well, said to the user. */
  readonly problem: string | null;
  /** It halted where the model may go on. */
  readonly mayResume: boolean;
}

export interface ConversationView {
  readonly conversationId: string | null;
  /** What is told of it besides; null where it has only just begun. */
  readonly about: Conversation | null;
  readonly messages: readonly Message[];
  readonly turns: readonly TurnView[];
  /** Null until the model has read something of it. */
  readonly context: ContextUse | null;
  /** Oldest first. */
  readonly compactions: readonly Compaction[];
  /** How many turns there are before these, which have not been read. */
  readonly earlier: number;
  /** Turns in whose place other conversations of the family have others. */
  readonly forks: readonly Fork[];
}

export const emptyConversation: ConversationView = {
  conversationId: null,
  about: null,
  messages: [],
  turns: [],
  context: null,
  compactions: [],
  earlier: 0,
  forks: [],
};

/** The view of a stored conversation; events of a turn that follows fold into it. */
export function viewConversation(detail: ConversationDetail): ConversationView {
  const episodes = new Map(detail.episodes.map((episode) => [episode.id, episode]));
  return {
    conversationId: detail.conversation.id,
    about: detail.conversation,
    messages: detail.messages,
    context: detail.context,
    compactions: detail.compactions,
    earlier: detail.earlier ?? 0,
    forks: detail.forks ?? [],
    turns: detail.turns.map((turn) => ({
      ...freshTurn(turn),
      steps: detail.steps.filter((step) => step.turnId === turn.id).toSorted(byIndex),
      episode: episodes.get(turn.episodeId) ?? null,
    })),
  };
}

/** Puts turns that were read now in front of those that were there. What runs or has come meanwhile stays as it is. */
export function withEarlier(view: ConversationView, detail: ConversationDetail): ConversationView {
  const before = viewConversation(detail);
  const known = new Set(view.turns.map(({ turn }) => turn.id));
  const spoken = new Set(view.messages.map(({ id }) => id));
  return {
    ...view,
    messages: [...before.messages.filter(({ id }) => !spoken.has(id)), ...view.messages],
    turns: [...before.turns.filter(({ turn }) => !known.has(turn.id)), ...view.turns],
    forks: [...before.forks.filter(({ turnId }) => !known.has(turnId)), ...view.forks],
    earlier: before.earlier,
  };
}

/**
 * Folds one event into the view. Pure; an event that says nothing new returns the view it was given.
 * Events of a turn that never started here, or has finished, change nothing: a late event cannot reopen an answer.
 */
export function reduceTurnEvent(view: ConversationView, event: TurnEvent): ConversationView {
  switch (event.type) {
    case "turn-started":
      return startTurn(view, event);
    case "turn-finished":
      return finishTurn(view, event);
    case "recall-decided":
      return change(view, event.turnId, (t) => ({ ...t, turn: { ...t.turn, recall: event.recall } }));
    case "skill-taken": {
      const { skillId, name, revision, mode, inputs } = event;
      return change(view, event.turnId, (t) => ({ ...t, skill: { skillId, name, revision, mode, inputs }, turn: { ...t.turn, skillId, revision, mode } }));
    }
    case "fact-kept": {
      const { factId, text } = event;
      return change(view, event.turnId, (t) => (t.kept.some((one) => one.factId === factId) ? t : { ...t, kept: [...t.kept, { factId, text }] }));
    }
    case "turn-waiting": {
      const { ahead, behind } = event;
      return change(view, event.turnId, (t) => ({ ...t, waiting: ahead === 0 ? null : { ahead, behind } }));
    }
    case "files-read": {
      const { turnId, attachments } = event;
      const messages = view.messages.map((one) => (one.turnId === turnId && one.role === "user" ? { ...one, attachments } : one));
      return view.turns.some(({ turn }) => turn.id === turnId) ? { ...view, messages } : view;
    }
    case "context-used":
      return withContext(view, event);
    case "text-delta":
      return change(view, event.turnId, (t) => ({ ...t, text: t.text + event.text }));
    case "step-started":
    case "step-finished":
      return change(view, event.step.turnId, (t) => ({ ...t, approval: null, steps: withStep(t.steps, event.step) }));
    case "place-moved": {
      const { at, of, next } = event;
      return change(view, event.turnId, (t) => ({ ...t, place: { at, of, next } }));
    }
    case "approval-requested": {
      const { type: _type, turnId, ...approval } = event;
      return change(view, turnId, (t) => ({ ...t, approval }));
    }
    case "alert-raised":
      return raiseAlert(view, event);
    default:
      return view; // an event of a newer host
  }
}

/** The turn at work, if any. */
export function runningTurn(view: ConversationView): TurnView | null {
  return view.turns.find((t) => t.turn.status === "running") ?? null;
}

/** The beginning of a branch: what stands ahead of a turn, before there is anything of its own. */
export function viewAhead(view: ConversationView, turnId: string): ConversationView {
  const at = view.turns.findIndex(({ turn }) => turn.id === turnId);
  const turns = view.turns.slice(0, Math.max(0, at));
  const kept = new Set(turns.map(({ turn }) => turn.id));
  return {
    ...emptyConversation,
    turns,
    messages: view.messages.filter((message) => kept.has(message.turnId)),
    forks: view.forks.filter((fork) => kept.has(fork.turnId)),
    earlier: view.earlier,
  };
}

/** Keeps the episode a judgement gave back, in every turn that belongs to it. */
export function withEpisode(view: ConversationView, episode: Episode): ConversationView {
  return { ...view, turns: view.turns.map((t) => (t.turn.episodeId === episode.id ? { ...t, episode } : t)) };
}

/** Keeps a compaction that was made or undone, and what the prompt holds since. */
export function withCompaction(view: ConversationView, compaction: Compaction): ConversationView {
  const at = view.compactions.findIndex(({ id }) => id === compaction.id);
  const used = compaction.undoneAt === null ? compaction.tokensAfter : compaction.tokensBefore;
  return {
    ...view,
    compactions: at < 0 ? [...view.compactions, compaction] : view.compactions.with(at, compaction),
    context: view.context === null ? null : { ...view.context, used },
  };
}

function withContext(view: ConversationView, { turnId, context }: EventOf<"context-used">): ConversationView {
  const isRunning = view.turns.some(({ turn }) => turn.id === turnId && turn.status === "running");
  const isSame = view.context?.used === context.used && view.context.size === context.size;
  return isRunning && !isSame ? { ...view, context } : view;
}

function startTurn(view: ConversationView, { turn, message }: EventOf<"turn-started">): ConversationView {
  const isElsewhere = view.conversationId !== null && view.conversationId !== turn.conversationId;
  if (isElsewhere || view.turns.some((t) => t.turn.id === turn.id)) return view;
  return { ...view, conversationId: turn.conversationId, messages: withMessage(view.messages, message), turns: [...view.turns, freshTurn(turn)] };
}

function finishTurn(view: ConversationView, { turn, episode, message, problem, mayResume }: EventOf<"turn-finished">): ConversationView {
  const changed = change(view, turn.id, (t) => ({
    ...t,
    turn,
    episode,
    problem,
    mayResume,
    text: message === null ? t.text : "",
    waiting: null,
    approval: null,
    steps: t.steps.map(settled),
  }));
  return changed === view || message === null ? changed : { ...changed, messages: withMessage(changed.messages, message) };
}

/** An alert names no turn: it belongs to the one at work, and is told once. */
function raiseAlert(view: ConversationView, { alertId, title }: EventOf<"alert-raised">): ConversationView {
  const running = runningTurn(view);
  if (running === null || running.alerts.some((alert) => alert.alertId === alertId)) return view;
  return change(view, running.turn.id, (t) => ({ ...t, alerts: [...t.alerts, { alertId, title }] }));
}

function change(view: ConversationView, turnId: string, to: (turn: TurnView) => TurnView): ConversationView {
  const at = view.turns.findIndex((t) => t.turn.id === turnId);
  const turn = view.turns[at];
  if (turn === undefined || turn.turn.status !== "running") return view;
  return { ...view, turns: view.turns.with(at, to(turn)) };
}

function freshTurn(turn: Turn): TurnView {
  return {
    turn,
    steps: [],
    text: "",
    skill: null,
    place: null,
    waiting: null,
    approval: null,
    alerts: [],
    kept: [],
    episode: null,
    problem: null,
    mayResume: false,
  };
}

/** A finished step stays finished: its start may arrive late, or twice. */
function withStep(steps: readonly Step[], step: Step): readonly Step[] {
  const at = steps.findIndex((s) => s.id === step.id);
  if (at < 0) return [...steps, step].toSorted(byIndex);
  return step.status === "running" && steps[at]?.status !== "running" ? steps : steps.with(at, step);
}

function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
  const at = messages.findIndex((m) => m.id === message.id);
  return at < 0 ? [...messages, message] : messages.with(at, message);
}

/** A step still running when its turn ends was cut off. */
function settled(step: Step): Step {
  return step.status === "running" ? { ...step, status: "interrupted" } : step;
}

function byIndex(a: Step, b: Step): number {
  return a.index - b.index;
}
