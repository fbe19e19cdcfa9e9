import { join } from "node:path";
import type { Command } from "commander";
import type { DemoEvent, DemoRow } from "#app/demo/run-demo.ts";
import { foldersOf } from "#app/folders.ts";
import { type Call, leaf } from "../leaf.ts";
import { root } from "../place.ts";
import { requireSandbox } from "../sandbox.ts";
import type { Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { shownLine } from "../shown-line.ts";
import { playbookLines } from "../skill-lines.ts";
import { inputsText, isAct, recallLine, stepLine } from "../turn-lines.ts";
import { countText } from "../units.ts";

export function addDemo(program: Command, session: Session): void {
  leaf(program, session, "demo", "one routine, from failing alone to running without the model", demo);
}

/** Exit 1 when a run after the showing did not reach its goal. */
async function demo({ screen, signal }: Call<object>): Promise<number> {
  requireSandbox("demo");
  const { runDemo } = await import("#app/demo/run-demo.ts");
  const report = await runDemo(
    { sitesFolder: join(root, "test/fixtures/sites"), cacheFolder: foldersOf(process.env).cacheFolder, env: process.env },
    (event) => tell(event, screen),
    signal,
  );
  screen.event({ type: "summary", ...report });
  screen.say("");
  screen.table(
    [{ head: "GOAL" }, { head: "HOW" }, { head: "DONE" }, { head: "STEPS", right: true }, { head: "SECONDS", right: true }, { head: "TOKENS", right: true }],
    report.rows.map(rowCells),
  );
  screen.say(
    report.taughtWorked ? `${report.model} on this machine; nothing left it.` : "A run after the showing did not reach its goal; the lines above say where.",
    report.taughtWorked ? "dim" : "yellow",
  );
  return report.taughtWorked ? 0 : 1;
}

function rowCells({ goal, how, done, steps, seconds, tokens }: DemoRow): string[] {
  return [goal.replace(/\s*(?:from|on|at) https?:\/\/\S+/u, ""), howText[how], done ? "yes" : "no", String(steps), seconds.toFixed(1), countText(tokens)];
}

const howText: Record<DemoRow["how"], string> = {
  alone: "the model alone",
  shown: "shown by a person",
  advisory: "the model, with the skill",
  strict: "the skill, without the model",
};

/** The story goes to stdout as it happens. */
function tell(event: DemoEvent, screen: Screen): void {
  screen.event(event);
  switch (event.type) {
    case "scene-opened":
      screen.say("");
      screen.say(`${event.number}. ${event.title}`, "bold");
      screen.say(`   "${event.goal}"`);
      return screen.status("loading the model …");
    case "action-shown":
      return screen.say(`   ${shownLine(event.action).trimStart()}`);
    case "skill-learned":
      screen.say(`   learned "${event.draft.name}":`, "green");
      for (const line of playbookLines(event.draft.body).filter((one) => /^(?:\d+\.|- `)/u.test(one))) screen.say(`     ${line.replaceAll("`", "")}`);
      return;
    case "scene-closed":
      return screen.say(`   ${event.row.done ? "→ done" : `→ not done${event.why === "" ? "" : `: ${event.why}`}`}`, event.row.done ? "green" : "yellow");
    default:
      return tellTurn(event.event, screen);
  }
}

function tellTurn(event: Extract<DemoEvent, { type: "turn-event" }>["event"], screen: Screen): void {
  switch (event.type) {
    case "recall-decided":
      return screen.say(`   ${recallLine(event.recall)}`, "dim");
    case "skill-taken":
      return screen.say(`   takes "${event.name}"${Object.keys(event.inputs).length > 0 ? ` with ${inputsText(event.inputs)}` : ""}`);
    case "place-moved":
      return screen.status(`   step ${event.at} of ${event.of} …`);
    case "step-finished":
      return isAct(event.step) ? screen.say(`   ${stepLine(event.step)}`, event.step.status === "ok" ? undefined : "yellow") : undefined;
    case "turn-finished":
      return screen.say(`   says: ${event.message?.text ?? event.problem ?? "nothing"}`);
    default:
      return;
  }
}
