import { createHash } from "node:crypto";
import type { RevisionContent, SkillStep } from "#contract/skills/schema.ts";

export const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

export function step(number: number, change: Partial<SkillStep> = {}): SkillStep {
  return {
    do: `Press Page ${number}`,
    call: { tool: "browser_click", args: { target: { role: "link", name: `Page ${number}` } } },
    check: { page: { heading: `Page ${number}` } },
    onFail: "stop and report",
    ...change,
  };
}

export function content(change: Partial<RevisionContent> = {}): RevisionContent {
  return {
    summary: "Downloads the bill of a month",
    whenToUse: "When the user wants the bill of a month",
    goal: "Download the bill for {{month|MMMM}}",
    phrasings: ["get me the bill of March"],
    inputs: {
      type: "object",
      properties: { month: { type: "string", kind: "month", description: "month of the bill", examples: ["2026-03"] } },
      required: ["month"],
    },
    bindings: [{ goal: "download the March bill", inputs: { month: "2026-03" } }],
    preconditions: [],
    antiPreconditions: [],
    steps: [step(1), step(2)],
    edgeCases: [],
    toolsRequired: ["browser_click"],
    capabilities: { primitives: ["browser"], vault: [], destinations: ["https://portal.example"] },
    ...change,
  };
}
