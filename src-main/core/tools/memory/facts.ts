import { z } from "zod";
import { KnackError } from "#contract/errors.ts";
import { defineTool, type ToolContext } from "../define-tool.ts";

function store(context: ToolContext) {
  if (!context.facts) throw new KnackError("memory.off", "Memory is switched off; turn it on in Settings to use it.");
  return context.facts;
}

export const remember = defineTool({
  id: "remember",
  primitive: "memory",
  description: "remember {fact}: keep something the user said about themselves",
  args: z.object({ fact: z.string().trim().min(1).max(500) }),
  async run({ fact }, context) {
    const id = context.makeId();
    store(context).add({ id, label: "NOTE", text: fact, source: "conversation", createdAt: context.now(), updatedAt: context.now() });
    return { text: `Kept: ${fact}`, details: { factId: id } };
  },
});

export const recall = defineTool({
  id: "recall",
  primitive: "memory",
  description: "recall {about}: look up what the user told earlier",
  args: z.object({ about: z.string().trim().min(1).max(500) }),
  async run({ about }, context) {
    const facts = store(context).search(about, 5);
    const text = facts.map((fact) => `- ${fact.text}`).join("\n");
    return { text: text || `Nothing is kept about ${about}.`, value: text, details: { facts: facts.map((fact) => fact.id) } };
  },
});

export const forget = defineTool({
  id: "forget",
  primitive: "memory",
  description: "forget {about}: remove what was kept about something",
  args: z.object({ about: z.string().trim().min(1).max(500) }),
  async run({ about }, context) {
    const [fact] = store(context).search(about, 1);
    if (!fact) throw new KnackError("memory.nothing", `Nothing is kept about ${about}.`);
    store(context).remove(fact.id);
    return { text: `Forgot: ${fact.text}`, details: { factId: fact.id } };
  },
});

export const memoryTools = [remember, recall, forget];
