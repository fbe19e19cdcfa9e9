import { clip } from "#base/text.ts";
import type { Step, TokenCount } from "#contract/chat/schema.ts";
import type { Recall } from "#contract/skills/schema.ts";
import { oneLine } from "./screen.ts";
import { countText, durationText } from "./units.ts";

const marks: Record<Step["status"], string> = { running: "…", ok: "✓", error: "✗", refused: "⊘", interrupted: "■" };

/** Whether a step is something done, not something said. */
export function isAct(step: Step): boolean {
  return step.tool !== "reply" && step.tool !== "ask_user";
}

/** ✓  3  click link "Billing" → Billing  0.4 s */
export function stepLine(step: Step): string {
  const time = step.durationMs === null ? "" : `  ${durationText(step.durationMs)}`;
  return `${marks[step.status]} ${String(step.index + 1).padStart(2)}  ${actionText(step)} → ${resultText(step)}${time}`;
}

export function recallLine(recall: Recall): string {
  return `recall  ${oneLine(recall.why)}`;
}

export function inputsText(inputs: Readonly<Record<string, string>>): string {
  return Object.entries(inputs)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
}

export function tokensText(tokens: TokenCount): string {
  if (tokens.evaluated + tokens.reused + tokens.generated === 0) return "no tokens";
  return `${countText(tokens.evaluated)} tokens read, ${countText(tokens.reused)} reused, ${countText(tokens.generated)} written`;
}

function actionText({ tool, args }: Step): string {
  const target = targetText(args.target);
  switch (tool) {
    case "browser_open":
      return `open ${String(args.url)}`;
    case "browser_click":
      return `click ${target}`;
    case "browser_download":
      return `download ${target}`;
    case "browser_fill":
      return `fill ${target} with "${clip(oneLine(String(args.text)), 60)}"`;
    case "browser_select":
      return `choose "${String(args.option)}" in ${target}`;
    case "browser_press":
      return `press ${String(args.key)}`;
    default:
      return clip(oneLine(`${tool.replace(/^browser_/u, "").replaceAll("_", " ")} ${Object.keys(args).length > 0 ? JSON.stringify(args) : ""}`), 100);
  }
}

function targetText(target: unknown): string {
  if (typeof target !== "object" || target === null) return "?";
  const { role, name, within } = target as { role?: unknown; name?: unknown; within?: unknown };
  return `${String(role)} "${clip(oneLine(String(name)), 60)}"${typeof within === "string" && within !== "" ? ` (${clip(oneLine(within), 40)})` : ""}`;
}

function resultText({ status, text, details }: Step): string {
  if (status !== "ok") return clip(oneLine(text), 200) || status;
  const files = downloadsOf(details);
  if (files.length > 0) return `saved ${files.join(", ")}`;
  const place = [details.heading, details.title, details.url].find((value): value is string => typeof value === "string" && value !== "");
  return clip(oneLine(place ?? text), 100);
}

/** Names of the files a step brought. */
export function downloadsOf(details: Step["details"]): string[] {
  return Array.isArray(details.downloads) ? details.downloads.map(String) : [];
}
