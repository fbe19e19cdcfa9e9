import { createInterface } from "node:readline";
import type { HostedAgent } from "#app/create-agent.ts";
import { KnackError } from "#contract/errors.ts";
import type { Draft, Showing, ShownAction } from "#contract/learning/schema.ts";
import type { Call } from "./leaf.ts";
import { readScript } from "./read-script.ts";
import { shownLine } from "./shown-line.ts";

export interface RecordOptions {
  readonly script?: string;
}

/** What is to be performed in the window; null where a person does it. Throws "showing.no-display" where nobody could see it. */
export async function readPerformance({ script: file }: RecordOptions): Promise<{ readonly script: string[][] | null; readonly env: NodeJS.ProcessEnv }> {
  const script = file === undefined ? null : await readScript(file);
  const hasDisplay = process.platform !== "linux" || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (script === null && !hasDisplay)
    throw new KnackError(
      "showing.no-display",
      "There is no display to open the window on. Run it in a desktop session, or have a file performed with --script.",
    );
  return { script, env: hasDisplay ? process.env : { ...process.env, KNACK_HEADLESS: "1" } };
}

/** A showing from the opening of its window to the draft. What is given up is dropped; what breaks off is kept as far as it went. */
export async function recordShowing(
  agent: HostedAgent,
  call: Call<RecordOptions>,
  script: string[][] | null,
  start: (onAction: (action: ShownAction) => void) => Promise<Showing>,
  finish: (showing: Showing) => Promise<Draft>,
): Promise<Draft> {
  const { screen } = call;
  screen.status("opening the window …");
  const showing = await start((action) => {
    screen.event({ type: "action-shown", action });
    screen.note(shownLine(action));
  });
  screen.event({ type: "showing-started", showing });
  if (showing.aim.kind === "repair" && showing.aim.step > 1)
    screen.note(`Steps 1 to ${showing.aim.step - 1} are done. Show it from step ${showing.aim.step} on; you may stop where it goes on as before.`);
  if (script === null) await untilShown(agent, showing, call);
  else await agent.showing.perform(showing.id, script, call.signal).catch((error: unknown) => (call.signal.aborted ? dropped : leftOff)(agent, showing, error));
  return finish(showing);
}

async function dropped(agent: HostedAgent, showing: Showing, error: unknown): Promise<never> {
  await agent.dropShowing(showing.id);
  throw error;
}

async function leftOff(agent: HostedAgent, { id }: Showing, error: unknown): Promise<never> {
  const { status } = await agent.showing.leave(id);
  if (status !== "broken" || !(error instanceof KnackError)) throw error;
  const wayOn = `What was shown until then is kept: knack skills teach --confirm ${id}, or to forget it: knack skills teach --drop ${id}`;
  throw new KnackError(error.code, `${error.message.replace(/([^.?!])$/u, "$1.")} ${wayOn}`, { exit: error.exit, fields: error.fields });
}

/** Until the window is closed or Enter is pressed. Ctrl+C throws away what was shown. */
async function untilShown(agent: HostedAgent, showing: Showing, { screen, session, signal }: Call<RecordOptions>): Promise<void> {
  screen.note("Show it in the window. Close the window or press Enter when you are done; Ctrl+C gives up.");
  const lines = createInterface({ input: process.stdin });
  lines.on("SIGINT", session.stop);
  try {
    await Promise.race([
      agent.showing.ended(showing.id),
      new Promise<void>((resolve) => lines.once("line", () => resolve())),
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true })),
    ]);
  } catch (error) {
    await dropped(agent, showing, error);
  } finally {
    lines.close();
  }
}
