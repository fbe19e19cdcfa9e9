import type { Agent } from "#app/agent.ts";
import type { ShowingEvent } from "#contract/learning/routes.ts";
import type { Showing, ShownAction } from "#contract/learning/schema.ts";

/** How often a recording is asked whether it still runs: it may end by another page, the CLI, or the closing of its window. */
const LOOK_EVERY_MS = 500;

/** Starts a showing and tells of its actions until the recording ends or the listener leaves; leaving does not end the recording. */
export async function* showingEvents(
  agent: Agent,
  start: (onAction: (action: ShownAction) => void) => Promise<Showing>,
  signal: AbortSignal,
): AsyncGenerator<ShowingEvent> {
  const shown: ShownAction[] = [];
  let wake = (): void => {};
  const showing = await start((action) => {
    shown.push(action);
    wake();
  });
  yield { type: "showing-started", showing };

  for (;;) {
    // Asked before the queue is emptied, so that the last action is told even when the end comes right behind it.
    const isRecording = agent.showings().some((s) => s.id === showing.id && s.status === "recording");
    for (let action = shown.shift(); action !== undefined; action = shown.shift()) yield { type: "action-shown", action };
    if (!isRecording || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, LOOK_EVERY_MS);
      signal.addEventListener("abort", done, { once: true });
      wake = done;
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      }
    });
  }
}
