import { z } from "zod";
import { KnackError } from "#contract/errors.ts";
import type { KeptInTurn, MemoryKeeper } from "../../ports/memory-keeper.ts";
import { defineTool, type ToolContext } from "../define-tool.ts";

const about = z.string().trim().min(1).max(500);

export function memoryOf(context: ToolContext): MemoryKeeper {
  if (!context.memory) throw new KnackError("memory.off", "Memory is switched off; turn it on in Settings to use it.");
  return context.memory;
}

/** Steps name facts by id: what a person may have forgotten is not written down a second time. */
function said({ fact, became, before }: KeptInTurn): { text: string; record: string; details: Record<string, unknown> } {
  const details = { factId: fact.id, became };
  if (became === "known") return { text: `Known already: ${fact.text}`, record: "Known already.", details };
  if (before === null) return { text: `Kept: ${fact.text}`, record: "Kept.", details };
  return { text: `Kept: ${fact.text}. It takes the place of: ${before}`, record: "Kept, in the place of what was said before.", details };
}

export const remember = defineTool({
  id: "remember",
  primitive: "memory",
  description: "remember {fact}: keep something the user said about themselves",
  args: z.object({ fact: about }),
  async run({ fact }, context) {
    return said(memoryOf(context).remember(fact));
  },
});

export const recall = defineTool({
  id: "recall",
  primitive: "memory",
  description: "recall {about}: look up what the user told earlier",
  args: z.object({ about }),
  async run(args, context) {
    const facts = memoryOf(context).recall(args.about, 5);
    const text = facts.map((fact) => `- ${fact.text}`).join("\n");
    return {
      text: text || `Nothing is kept about ${args.about}.`,
      record: facts.length === 0 ? "Nothing is kept about it." : `${facts.length} found.`,
      details: { facts: facts.map((fact) => fact.id) },
    };
  },
});

export const updateMemory = defineTool({
  id: "update_memory",
  primitive: "memory",
  description: "update_memory {which,text}: put what the user says now in the place of what is kept",
  args: z.object({ which: about, text: about }),
  async run({ which, text }, context) {
    return said(memoryOf(context).update(which, text));
  },
});

export const forget = defineTool({
  id: "forget",
  primitive: "memory",
  description: "forget {which}: remove what is kept, where the user asks for it",
  args: z.object({ which: z.string().trim().min(1).max(20_000) }),
  async run({ which }, context) {
    const facts = memoryOf(context).forget(which);
    // What was forgotten is not said once more.
    return { text: facts.length === 1 ? "Forgotten." : `${facts.length} facts forgotten.`, details: { facts: facts.map(({ id }) => id) } };
  },
});
