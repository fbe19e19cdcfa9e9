import { z } from "zod";
import type { Stores } from "#core/ports/index.ts";
import { type Desk, messagesInLine } from "#core/turn/index.ts";
import { newestForgetting } from "./forgettings.ts";

const noteSchema = z.object({
  of: z.string(),
  marker: z.string().min(1),
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() })),
  starts: z.array(z.tuple([z.string(), z.number().int().nonnegative()])),
});

/** A conversation's prompt, where in it each turn begins, and the marker of its fences: what is compacted stands in one that is made anew each time. */
type Prompted = Pick<Desk, "messages" | "starts" | "marker">;

/**
 * A conversation's prompt as it was evaluated, to be kept with its state: what is stored of it reads otherwise, for pages are no messages, and every byte
 * counts where a state is to be gone on with.
 */
export function promptNote(
  stores: Pick<Stores, "conversations" | "settings" | "trace">,
  { conversationId, messages, starts, marker }: Prompted & Pick<Desk, "conversationId">,
): string {
  return JSON.stringify({ of: standOf(stores, conversationId), marker, messages, starts: [...starts] });
}

/** The prompt of a note; null where there is none, it cannot be read, or the conversation went on or was changed, or something was forgotten, since it was written. */
export function notedPrompt(stores: Pick<Stores, "conversations" | "settings" | "trace">, conversationId: string, note: string | null): Prompted | null {
  if (note === null) return null;
  try {
    const read = noteSchema.safeParse(JSON.parse(note));
    if (!read.success || read.data.of !== standOf(stores, conversationId)) return null;
    return { messages: read.data.messages, starts: new Map(read.data.starts), marker: read.data.marker };
  } catch {
    return null;
  }
}

/** Which messages there are, and what was forgotten last. */
function standOf(stores: Pick<Stores, "conversations" | "settings" | "trace">, conversationId: string): string {
  const messages = messagesInLine(stores, conversationId);
  return `${messages.length} ${messages.at(-1)?.id ?? ""} ${newestForgetting(stores.settings)}`;
}
