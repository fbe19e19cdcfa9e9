import { clip } from "#base/text.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import { oneLine } from "./screen.ts";

/** One action of a showing as it is recorded: "  click     link "Billing" → Billing". */
export function shownLine(action: ShownAction): string {
  const target = action.target === undefined ? "" : `${action.target.role} "${clip(oneLine(action.target.name), 60)}"`;
  const value = action.secret ? "(hidden)" : clip(oneLine(action.value ?? ""), 60);
  const what = {
    open: value,
    click: target,
    fill: `${target} with "${value}"`,
    select: `"${value}" in ${target}`,
    press: value,
    download: value,
    call: action.call?.tool ?? "",
  }[action.kind];
  const place = oneLine(action.after.heading || action.after.title);
  return `  ${action.kind.padEnd(8)}  ${what}${action.kind === "download" || place === "" ? "" : ` → ${clip(place, 60)}`}`;
}
