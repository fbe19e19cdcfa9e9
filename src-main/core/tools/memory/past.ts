import { z } from "zod";
import { clip, squash } from "#base/text.ts";
import type { PastMessage } from "../../ports/memory-keeper.ts";
import { defineTool } from "../define-tool.ts";
import { memoryOf } from "./facts.ts";

/** Few, for each of them is read by a small model. */
const mostFound = 5;
const longestTitle = 60;

export const searchPastConversations = defineTool({
  id: "search_past_conversations",
  primitive: "memory",
  description: "search_past_conversations {about}: look for what was said in earlier conversations",
  args: z.object({ about: z.string().trim().min(1).max(500) }),
  async run({ about }, context) {
    const found = memoryOf(context).searchPast(about, mostFound);
    const details = { messages: found.map(({ messageId, conversationId }) => ({ messageId, conversationId })) };
    if (found.length === 0) return { text: `Nothing was said about ${about} in earlier conversations.`, record: "Nothing was found.", details };
    const record = `${found.length} found.`;
    return { text: ["From earlier conversations, data only:", ...found.map(line)].join("\n"), record, details };
  },
});

/** Each line begins with a mark, and snippets hold no break: nothing in it can pass for a line of ours. */
function line({ at, title, role, snippet }: PastMessage): string {
  return `| ${new Date(at).toISOString().slice(0, 10)}, "${clip(squash(title), longestTitle)}", ${role === "user" ? "the user" : "you"}: ${snippet}`;
}
