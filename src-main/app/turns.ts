import { EventStream } from "#base/event-stream.ts";
import { type Send, sendSchema, type TurnEvent } from "#contract/chat/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Stores } from "#core/ports/index.ts";
import { type Desk, runTurn, type TurnWorld } from "#core/turn/index.ts";
import type { Agent } from "./agent.ts";
import { openBranch } from "./branches.ts";
import type { Desks } from "./desks.ts";
import type { Maintenance } from "./maintenance.ts";
import { makeModelQueue, type Seat } from "./model-queue.ts";
import { refuseUnfit } from "./refuse-unfit.ts";

export interface TurnsWorld {
  readonly stores: Stores;
  readonly desks: Desks;
  readonly maintenance: Maintenance;
  readonly makeId: () => string;
  readonly clock: () => number;
  /** What a turn asks of the world; its events go to `emit`. */
  readonly turnWorld: (emit: (event: TurnEvent) => void) => TurnWorld;
  /** Whether another process answers a conversation now. */
  readonly isAnsweredElsewhere: (conversationId: string) => boolean;
  /** Done ahead of every turn. */
  readonly before: () => Promise<void>;
}

/** The turns that run: one a conversation, and one at the model. */
export interface Turns {
  send: Agent["send"];
  stop: Agent["stop"];
  /** Works on the desk of a conversation that is not answering, and lets no turn of it begin meanwhile. Throws bad-input and "turn.running". */
  between<T>(conversationId: string, work: (desk: Desk) => Promise<T>): Promise<T>;
  /** Stops what a conversation is doing; resolves when it has ended. */
  endOf(conversationId: string): Promise<void>;
  stopAll(): void;
  /** The turn a conversation is answering now, once it is stored. */
  turnOf(conversationId: string): string | null;
  /** Whether nothing is being answered. */
  isResting(): boolean;
}

interface Running {
  readonly control: AbortController;
  /** Known once the turn is stored. */
  turnId: string | null;
  ended: Promise<void>;
}

export function makeTurns({ stores, desks, maintenance, makeId, clock, turnWorld, isAnsweredElsewhere, before }: TurnsWorld): Turns {
  const running = new Map<string, Running>();
  /** Conversations whose turns need the model, in the order in which they first did. */
  const atModel = makeModelQueue<string>();
  /** Messages that are being answered, or about to be. */
  let coming = 0;

  async function* send(input: Parameters<Agent["send"]>[0], signal: AbortSignal): AsyncIterable<TurnEvent> {
    const parsed = sendSchema.safeParse(input);
    if (!parsed.success) throw badInput(parsed.error.issues.map((issue) => `${issue.path.join(".") || "message"}: ${issue.message}`).join("; "));
    // Before anything else is done for it.
    maintenance.giveWay();
    coming += 1;
    let run: Running | undefined;
    try {
      await before();
      const { events, started } = start(parsed.data, signal);
      run = started;
      yield* events;
    } finally {
      run?.control.abort(new DOMException("stopped", "AbortError"));
      await run?.ended;
      coming -= 1;
      if (coming === 0) await (run === undefined ? maintenance.goOn() : maintenance.begin());
    }
  }

  function refuseRunning(conversationId: string): void {
    if (running.has(conversationId)) throw new KnackError("turn.running", "This conversation is still answering; stop it or wait.");
    if (isAnsweredElsewhere(conversationId))
      throw new KnackError("turn.running", "This conversation is being answered in another window or command of Knack; stop it there, or wait.");
  }

  /** Throws, and starts nothing, where there is no such conversation or turn, it is still answering, or a file is none of text. */
  function start(input: Send, signal: AbortSignal): { readonly events: EventStream<TurnEvent>; readonly started: Running } {
    if (input.conversationId !== undefined && !stores.conversations.get(input.conversationId))
      throw badInput(`There is no conversation ${input.conversationId}; see: knack conversations list`);
    refuseUnfit(stores, input);
    const branch = input.insteadOf === undefined ? undefined : openBranch({ stores, makeId, clock }, { ...input, insteadOf: input.insteadOf });
    const conversationId = input.conversationId ?? branch?.id ?? makeId();
    refuseRunning(conversationId);
    const desk = desks.take(conversationId);
    const control = new AbortController();
    const either = AbortSignal.any([signal, control.signal]);
    const events = new EventStream<TurnEvent>();
    const run: Running = { control, turnId: null, ended: Promise.resolve() };
    running.set(conversationId, run);
    const seat = atModel.seat(conversationId, ({ ahead, behind }) => {
      const title = behind === null ? undefined : stores.conversations.get(behind)?.title;
      events.push({
        type: "turn-waiting",
        turnId: run.turnId ?? "",
        ahead,
        behind: behind === null ? null : { conversationId: behind, title: title ?? "another conversation" },
      });
    });
    const world = turnWorld((event) => {
      if (event.type === "turn-started") run.turnId = event.turn.id;
      if (event.type === "turn-finished") {
        running.delete(conversationId);
        seat.leave();
      }
      events.push(event);
    });
    run.ended = runTurn(inTurn(world, seat, either), input, desk, either)
      .finally(() => {
        seat.leave();
        if (running.get(conversationId) === run) running.delete(conversationId);
        // The next message may have come since the last event: then the browser is in use again.
        if (!running.has(conversationId)) desks.rest(conversationId);
        // A branch in which nothing was begun is none.
        if (branch !== undefined && stores.trace.turnIds(conversationId).length === 0) stores.conversations.delete(conversationId);
      })
      .then(
        () => events.end(),
        (error: unknown) => events.end(error),
      );
    return { events, started: run };
  }

  /** The world of a turn that takes its place at the model when it first needs it, and gives it up while a person is asked. */
  function inTurn(world: TurnWorld, seat: Seat, signal: AbortSignal): TurnWorld {
    return {
      ...world,
      async model() {
        await seat.take(signal);
        return world.model();
      },
      approve(request, waiting) {
        seat.leave();
        return world.approve(request, waiting);
      },
    };
  }

  return {
    send,
    async between(conversationId, work) {
      if (!stores.conversations.get(conversationId)) throw badInput(`There is no conversation ${conversationId}; see: knack conversations list`);
      refuseRunning(conversationId);
      const run: Running = { control: new AbortController(), turnId: null, ended: Promise.resolve() };
      running.set(conversationId, run);
      try {
        const working = work(desks.take(conversationId));
        run.ended = working.then(
          () => undefined,
          () => undefined,
        );
        return await working;
      } finally {
        running.delete(conversationId);
        desks.rest(conversationId);
      }
    },
    stop(turnId) {
      const run = [...running.values()].find((one) => one.turnId === turnId);
      run?.control.abort(new DOMException("stopped", "AbortError"));
      return run !== undefined;
    },
    async endOf(conversationId) {
      const run = running.get(conversationId);
      run?.control.abort(new DOMException("deleted", "AbortError"));
      await run?.ended;
    },
    turnOf: (conversationId) => running.get(conversationId)?.turnId ?? null,
    isResting: () => running.size === 0,
    stopAll() {
      for (const { control } of running.values()) control.abort(new DOMException("closing", "AbortError"));
    },
  };
}
