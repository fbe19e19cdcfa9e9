import { join } from "node:path";
import { type ContextUse, contextAdvice, contextWords } from "#contract/chat/context.ts";
import type { Outcome, Step, TokenCount, Turn, TurnEvent } from "#contract/chat/schema.ts";
import type { Mode, Recall } from "#contract/skills/schema.ts";
import type { Screen } from "./screen.ts";
import { downloadsOf, inputsText, isAct, recallLine, stepLine, tokensText } from "./turn-lines.ts";
import { durationText, plural } from "./units.ts";

/** The last line of `ask --json`. */
export interface TurnSummary {
  readonly type: "summary";
  readonly conversationId: string;
  readonly turnId: string;
  readonly episodeId: string;
  readonly status: Turn["status"];
  readonly outcome: Outcome | null;
  readonly reason: string | null;
  readonly reply: string;
  /** Steps that did something; the reply is none. */
  readonly steps: number;
  /** Full paths. */
  readonly downloads: readonly string[];
  readonly tokens: TokenCount;
  /** What the conversation holds of the model's context; null where no model was asked. */
  readonly context: ContextUse | null;
  readonly recall: Recall | null;
  readonly skill: { readonly name: string; readonly revision: number; readonly mode: Mode; readonly inputs: Readonly<Record<string, string>> } | null;
  readonly problem: string | null;
  /** The turn failed at something that was refused: exit 3. */
  readonly refused: boolean;
  /** It halted where the model may go on. */
  readonly mayResume: boolean;
}

/** Shows a turn while it happens, and gives back what it came to; null when it never started. `downloadFolder` is where its files go. */
export async function showTurn(events: AsyncIterable<TurnEvent>, screen: Screen, downloadFolder: string): Promise<TurnSummary | null> {
  const steps: Step[] = [];
  let skill: TurnSummary["skill"] = null;
  let context: ContextUse | null = null;
  let finished: Extract<TurnEvent, { type: "turn-finished" }> | null = null;
  for await (const event of events) {
    screen.event(event);
    if (event.type === "step-finished") steps.push(event.step);
    if (event.type === "skill-taken") skill = { name: event.name, revision: event.revision, mode: event.mode, inputs: event.inputs };
    if (event.type === "context-used") context = event.context;
    if (event.type === "turn-finished") finished = event;
    showEvent(event, screen);
  }
  screen.status(null);
  if (finished === null) return null;
  const { turn, episode, message, problem, mayResume } = finished;
  return {
    type: "summary",
    conversationId: turn.conversationId,
    turnId: turn.id,
    episodeId: episode.id,
    status: turn.status,
    outcome: episode.outcome,
    reason: episode.reason,
    reply: message?.text ?? "",
    steps: steps.filter(isAct).length,
    downloads: steps.flatMap((step) => downloadsOf(step.details)).map((name) => join(downloadFolder, name)),
    tokens: turn.tokens,
    context,
    recall: turn.recall,
    skill,
    problem,
    mayResume,
    refused: turn.status === "failed" && (isRefused(steps.findLast(isAct)) || (episode.reason ?? "").startsWith("not granted")),
  };
}

/** What is said under a turn: outcome and cost, files, a suggestion, where to go on. */
export function showSummary(summary: TurnSummary, milliseconds: number, screen: Screen): void {
  const { outcome, reason, recall } = summary;
  const mark = outcome === "success" ? "✓" : outcome === "failure" ? "✗" : "·";
  const cost = `${plural(summary.steps, "step")}, ${durationText(milliseconds)}, ${tokensText(summary.tokens)}`;
  screen.note(
    `${mark} ${outcomeText(summary)}${reason && !(outcome === "abandoned" && summary.status === "done") ? ` (${reason})` : ""}  ${cost}`,
    outcome === "failure" ? "red" : outcome === "success" ? "green" : "dim",
  );
  const advice = summary.context && contextAdvice(summary.context, compactHelp(summary.conversationId));
  if (summary.context && advice) screen.note(`${contextWords(summary.context)}. ${advice}`, "yellow");
  for (const file of summary.downloads) screen.say(`saved ${file}`);
  if (summary.skill === null && recall?.verdict === "suggested" && recall.skillName !== null) {
    screen.note(`The skill "${recall.skillName}" may fit. Say it again with --take-suggestion to use it.`);
  }
}

/** How a conversation is compacted here, for what advises it. */
export function compactHelp(conversationId: string): string {
  return `compact it with: knack conversations compact ${conversationId}`;
}

function showEvent(event: TurnEvent, screen: Screen): void {
  switch (event.type) {
    case "turn-started":
      return screen.status("thinking …");
    case "turn-waiting":
      return event.behind === null
        ? screen.status("thinking …")
        : screen.note(
            `waits   the model answers "${event.behind.title}" first${event.ahead > 1 ? `, and ${event.ahead - 1} more` : ""}; stop it and it leaves the row`,
          );
    case "recall-decided":
      // Before anything was learned there is nothing to tell of it.
      return event.recall.verdict === "nothing-learned" ? undefined : screen.note(recallLine(event.recall));
    case "skill-taken":
      return screen.note(
        `skill   ${event.name}, revision ${event.revision}, ${event.mode}${Object.keys(event.inputs).length > 0 ? `: ${inputsText(event.inputs)}` : ""}`,
      );
    case "fact-kept":
      return screen.note(`noted   ${event.text} (forget it with: knack memory forget ${event.factId})`);
    case "text-delta":
      return screen.write(event.text);
    case "place-moved":
      return screen.status(`step ${event.at} of ${event.of}: ${event.next} …`);
    case "step-started":
      return isAct(event.step) ? screen.status(`${event.step.tool.replace(/^browser_/u, "")} …`) : undefined;
    case "step-finished":
      return isAct(event.step) ? screen.note(stepLine(event.step), event.step.status === "ok" ? "dim" : "yellow") : undefined;
    case "alert-raised":
      return screen.note(`alert   ${event.title}`, "yellow");
    default:
      return;
  }
}

function outcomeText({ outcome, status }: TurnSummary): string {
  if (status === "stopped") return "stopped; what was done is kept";
  switch (outcome) {
    case "success":
      return "done";
    case "claimed_success":
      return "done, it says";
    case "failure":
      return "not done";
    case "abandoned":
      return "answered";
    default:
      return "waits for your answer";
  }
}

/** Refused by a gate, or by the network gate on the way. */
function isRefused(step: Step | undefined): boolean {
  if (step === undefined || step.status === "ok") return false;
  const code = String(step.details.code ?? "");
  // A name that is not there was not refused by anybody.
  return step.status === "refused" || (/^(?:dest|hop|url|dns|form|nav|grant)\./u.test(code) && code !== "dns.error");
}
