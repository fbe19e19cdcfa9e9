import { squash } from "#base/text.ts";
import type { Message, Step } from "#contract/chat/schema.ts";
import { type ConversationFile, conversationFileVersion, conversationFormat } from "#contract/conversations/conversation-file.ts";
import type { ExportForm } from "#contract/conversations/routes.ts";
import type { Stores } from "#core/ports/index.ts";
import type { ConversationDetail } from "./agent.ts";
import { conversationDetail } from "./conversation-detail.ts";

/** A conversation as a text for a file, with a name for it that any system takes. JSON can be imported again; Markdown is for reading. */
export function exportConversation(stores: Stores, id: string, form: ExportForm, now: number): { fileName: string; text: string } {
  const detail = conversationDetail(stores, id);
  const text = form === "json" ? `${JSON.stringify(conversationFile(stores, detail, now), null, 2)}\n` : `${markdownOf(detail)}\n`;
  return { fileName: `${fileNameOf(detail.conversation.title)}.${form === "json" ? "json" : "md"}`, text };
}

function conversationFile(stores: Stores, detail: ConversationDetail, exportedAt: number): ConversationFile {
  const { title, createdAt, updatedAt } = detail.conversation;
  const files = detail.turns.flatMap(({ id }) => stores.conversations.attachmentsOf(id));
  return {
    format: conversationFormat,
    version: conversationFileVersion,
    exportedAt,
    conversation: { title, createdAt, updatedAt },
    messages: [...detail.messages],
    turns: [...detail.turns],
    steps: [...detail.steps],
    episodes: [...detail.episodes],
    attachments: files.map(({ conversationId: _conversationId, ...file }) => ({ ...file, characters: file.text.length })),
    results: detail.steps.flatMap(({ id: stepId, details }) => {
      const text = details.leftOut === undefined ? undefined : stores.trace.resultOf(stepId);
      return text === undefined ? [] : [{ stepId, text }];
    }),
    compactions: [...detail.compactions],
  };
}

/** What was said, and in short what was done. Text of messages stands as it is, since it is Markdown itself. */
export function markdownOf({ conversation, messages, steps }: ConversationDetail): string {
  const parts = [`# ${squash(conversation.title)}`];
  for (const message of messages) {
    if (message.role === "assistant") {
      const done = steps.filter((step) => step.turnId === message.turnId && step.tool !== "reply" && step.tool !== "ask_user");
      if (done.length > 0) parts.push(done.map((step) => `- ${stepWords(step)}`).join("\n"));
    }
    const files = (message.attachments ?? []).map(({ name, characters }) => `- attached: ${code(name)}, ${characters.toLocaleString("en")} characters`);
    parts.push(`**${message.role === "user" ? "You" : "Knack"}**, ${timeOf(message)}`, message.text, ...(files.length === 0 ? [] : [files.join("\n")]));
  }
  return parts.join("\n\n");
}

function stepWords({ tool, args, status, durationMs }: Step): string {
  const time = durationMs === null ? "" : `, ${(durationMs / 1000).toFixed(1)} s`;
  return `${tool} ${code(JSON.stringify(args))}: ${status}${time}`;
}

/** Fenced by more back-quotes than stand in a row in it. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${squash(text)}${fence}` : `${fence} ${squash(text)} ${fence}`;
}

function timeOf({ createdAt, status }: Message): string {
  return `${new Date(createdAt).toISOString().replace("T", " ").slice(0, 16)} UTC${status === "complete" ? "" : ", cut off"}`;
}

function fileNameOf(title: string): string {
  const name = title
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "")
    .slice(0, 60);
  return name === "" ? "conversation" : name;
}
