import { z } from "zod";
import { defineTool } from "./define-tool.ts";

const text = z.string().trim().min(1).max(8000);

export const reply = defineTool({
  id: "reply",
  primitive: null,
  description: "reply {text}: tell the user the answer or what was done; ends the turn",
  args: z.object({ text }),
  async run(args) {
    return { text: args.text, says: args.text };
  },
});

export const askUser = defineTool({
  id: "ask_user",
  primitive: null,
  description: "ask_user {question}: ask the user for what is missing; ends the turn",
  args: z.object({ question: text }),
  async run(args) {
    return { text: args.question, says: args.question };
  },
});
