import type { Command } from "commander";
import { KnackError } from "#contract/errors.ts";
import type { FetchEvent, ModelState, ModelUse } from "#contract/models/schema.ts";
import { calibrationLines } from "../calibration-lines.ts";
import { type Call, group, leaf } from "../leaf.ts";
import type { Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { bytesText, durationText, plural, statesText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

const plainEveryMs = 5_000;

export function addModels(program: Command, session: Session): void {
  const models = group(program, "models", "the models on this machine");

  leaf(models, session, "list", "what there is, and what is in use", ({ screen }) =>
    withAgent(async (agent) => {
      const all = await agent.models();
      if (screen.json) return screen.show(all, () => []);
      screen.table(
        [{ head: "" }, { head: "ID" }, { head: "FOR" }, { head: "SIZE", right: true }, { head: "HERE" }, { head: "THIS MACHINE" }, { head: "LICENCE" }],
        all.map((model) => [model.inUse ? "*" : "", model.id, model.role, bytesText(model.bytes), stateText(model), fitText(model), model.licence]),
      );
      screen.note(`${all.some((model) => model.inUse) ? "* in use. " : ""}Fetch one with: knack models get <id>`);
    }),
  );

  leaf(models, session, "status", "what is kept of prompts on disk, and when the chat model leaves the memory", ({ screen }) =>
    withAgent((agent) => {
      const use = agent.modelUse();
      screen.show(use, () => useLines(use, agent.settings().idleUnloadMinutes));
    }),
  );

  leaf(models, session, "get <id>", "fetch and check one; goes on where it was stopped", ({ screen, args: [id = ""], signal }) =>
    withAgent(async (agent) => {
      const show = progressLines(screen);
      for await (const event of agent.fetchModel(id, signal)) show(event);
    }),
  );

  leaf(models, session, "verify <id>", "hash the file afresh", ({ screen, args: [id = ""] }) =>
    withAgent(async (agent) => {
      screen.status(`hashing ${id} …`);
      const { ok, message } = await agent.verifyModel(id);
      if (!ok && !screen.json) throw new KnackError("model.not-ready", message);
      screen.show({ id, ok, message }, () => [message]);
      return ok ? 0 : 1;
    }),
  );

  leaf(models, session, "calibrate", "measure from which similarity the embedding model in use means the same task", calibrate);

  leaf(models, session, "use <id>", "answer with it, or recall with it, from now on", ({ screen, args: [id = ""] }) =>
    withAgent(async (agent) => {
      screen.status(`checking ${id} …`);
      await agent.useModel(id);
      screen.show({ inUse: id }, () => [`${id} is in use from now on`]);
    }),
  );
}

async function calibrate({ screen, signal }: Call<object>): Promise<void> {
  await withAgent(async (agent) => {
    screen.status("embedding the project's own goals …");
    const made = await agent.calibrate(signal);
    screen.status(null);
    screen.show(made, () => calibrationLines(made));
  });
}

function useLines({ chat, memory, states }: ModelUse, idleUnloadMinutes: number | null): string[] {
  return [
    `chat model  ${chat.message}`,
    `memory      ${bytesText(memory.process)} in this process${memory.model === 0 ? "" : `, ${bytesText(memory.model)} of it the model and ${bytesText(memory.context)} its context`}`,
    `unloading   ${idleUnloadMinutes === null ? "never (idleUnloadMinutes)" : `after ${plural(idleUnloadMinutes, "minute")} without use (idleUnloadMinutes)`}`,
    `states      ${statesText(states)}`,
    "These figures are of this command alone; a Knack that runs elsewhere shows its own on its page.",
  ];
}

/** On a terminal one line that moves; elsewhere a line when something new begins, and one every five seconds. */
function progressLines(screen: Screen): (event: FetchEvent) => void {
  let phase = "";
  let began = { at: performance.now(), bytes: 0 };
  let saidAt = 0;
  return (event) => {
    screen.event(event);
    if (screen.json) return;
    // What fails is said once, by the error itself.
    if (event.phase === "failed") return;
    if (event.phase === "done") return screen.say(event.message);
    const now = performance.now();
    const isNew = phase !== `${event.phase} ${event.source}`;
    if (isNew) {
      phase = `${event.phase} ${event.source}`;
      began = { at: now, bytes: event.bytes };
    }
    if (event.bytes === 0) return screen.note(`${event.phase.padEnd(11)} ${event.message}`);
    const line = `${event.phase.padEnd(11)} ${progressText(event, (event.bytes - began.bytes) / Math.max(0.001, (now - began.at) / 1000))}`;
    if (process.stderr.isTTY) return screen.status(line);
    if (!isNew && now - saidAt < plainEveryMs) return;
    saidAt = now;
    screen.note(line);
  };
}

function progressText({ bytes, of, source }: FetchEvent, perSecond: number): string {
  const share = `${bytesText(bytes)} of ${bytesText(of)}  ${String(Math.floor((bytes / of) * 100)).padStart(3)} %`;
  const speed = perSecond > 0 ? `  ${bytesText(perSecond)}/s, ${durationText(((of - bytes) / perSecond) * 1000)} left` : "";
  return `${share}${speed}  (${source})`;
}

function stateText({ state }: ModelState): string {
  return { present: "yes", partial: "in part", absent: "no", damaged: "damaged" }[state];
}

function fitText({ fit, recommended }: ModelState): string {
  return `${{ fits: "fits", "may-be-slow": "may be slow", "will-not-fit": "too large" }[fit]}${recommended ? ", recommended" : ""}`;
}
