import { stopWords } from "#base/stop-words.ts";
import { cut, fold, words } from "#base/text.ts";
import type { Message, Send } from "#contract/chat/schema.ts";
import type { AttachedFile } from "../ports/stores.ts";
import { fencedText, type Room, roomOf } from "../prompt/index.ts";
import type { Scene } from "./scene.ts";
import type { TurnWorld } from "./world.ts";

/** The beginning of a file takes this share of its room where the rest is searched. */
const beginningShare = 3 / 4;
/** A passage that is found in the rest is this long at most; shorter where the room is small, so that some fit. */
const longestPassage = 600;
const shortestPassage = 80;

/** Stores a message with the files that came with it; those it names by their id are taken along from the turn whose place it takes. Returns them. */
export function keepAttached({ stores, makeId }: TurnWorld, input: Send, message: Message): AttachedFile[] {
  const { conversations } = stores;
  const files = (input.attachments ?? []).flatMap((file) => {
    const { name, text } = "id" in file ? (conversations.attachment(file.id) ?? { name: "", text: null }) : file;
    return text === null ? [] : [{ name, text }];
  });
  return stores.transaction(() => {
    conversations.addMessage(message);
    return files.map(({ name, text }): AttachedFile => {
      const { id: messageId, conversationId } = message;
      const file = { id: makeId(), messageId, conversationId, name, text, excerpt: null, read: null, isSearched: false };
      conversations.addAttachment(file);
      return file;
    });
  });
}

/**
 * The files of the newest message for the model, as data of the user's: together they take no more than one result does, a quarter of its context. What that
 * comes to is stored, so that the prompt can be put together again, and told. "" where none came.
 */
export async function readAttached({ world, turn, desk, goal }: Scene): Promise<string> {
  const { conversations } = world.stores;
  const files = conversations.attachmentsOf(turn.id);
  if (files.length === 0) return "";
  const room = roomOf(await world.model());
  let left = room.tokens;
  for (const [index, file] of files.entries()) {
    // What a file leaves of its share goes to those after it.
    const own: Room = { ...room, tokens: Math.floor(left / (files.length - index)) };
    const { excerpt, read, isSearched } = excerptOf(file.text, goal, own);
    left -= room.count(excerpt);
    conversations.setExcerpt(file.id, excerpt, read, isSearched);
  }
  const message = conversations.messagesOfTurn(turn.id).find(({ role }) => role === "user");
  world.emit({ type: "files-read", turnId: turn.id, attachments: [...(message?.attachments ?? [])] });
  return attachedText(conversations.attachmentsOf(turn.id), desk.marker);
}

/** Files as they stand in a prompt, as far as they are read; "" for those that no model has read. */
export function attachedText(files: readonly AttachedFile[], marker: string): string {
  return files
    .flatMap(({ name, text, excerpt, read }) => {
      if (excerpt === null) return [];
      const part = read === text.length ? "the whole of it" : `the first ${(read ?? 0).toLocaleString("en")} of ${text.length.toLocaleString("en")} characters`;
      return [fencedText(`File "${name.replaceAll(/["\n]/gu, " ")}" of the user, ${part}`, excerpt, marker)];
    })
    .join("\n");
}

interface Excerpt {
  readonly excerpt: string;
  /** Characters of its beginning. */
  readonly read: number;
  readonly isSearched: boolean;
}

/** A file as far as there is room: all of it, or its beginning and the passages after that which hold most words of the question. */
export function excerptOf(text: string, question: string, room: Room): Excerpt {
  if (fits(text, room)) return { excerpt: text, read: text.length, isSearched: false };
  const beginning = beginningOf(text, { ...room, tokens: Math.floor(room.tokens * beginningShare) });
  const asked = new Set(words(question).filter((word) => word.length > 2 && !stopWords.has(word)));
  const longest = Math.min(longestPassage, Math.max(shortestPassage, Math.floor(room.tokens * (1 - beginningShare))));
  const passages = passagesOf(text, beginning.length, longest)
    .map((passage) => ({ ...passage, hits: [...asked].filter((word) => fold(passage.text).includes(word)).length }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits || a.at - b.at);
  const kept: typeof passages = [];
  const written = (): string => [beginning, ...kept.toSorted((a, b) => a.at - b.at).map(({ text: found }) => `…\n${found}`)].join("\n");
  for (const passage of passages) {
    kept.push(passage);
    if (room.count(written()) <= room.tokens) continue;
    kept.pop();
    break;
  }
  return { excerpt: written(), read: beginning.length, isSearched: true };
}

/** The longest beginning that fits, to the end of a line where there is one in its second half. */
function beginningOf(text: string, room: Room): string {
  let [low, high] = [0, Math.min(text.length, room.tokens * 16)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (room.count(text.slice(0, middle)) <= room.tokens) low = middle;
    else high = middle - 1;
  }
  const whole = cut(text, low);
  const line = whole.lastIndexOf("\n");
  return line > whole.length / 2 ? whole.slice(0, line + 1) : whole;
}

/** Paragraphs and long lines in pieces, from a place on. */
function passagesOf(text: string, from: number, longest: number): { readonly at: number; readonly text: string }[] {
  const passages: { at: number; text: string }[] = [];
  for (let at = from; at < text.length; ) {
    const piece = text.slice(at, at + longest);
    const end = at + piece.length === text.length ? piece.length : Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf(". ") + 1);
    const length = end > longest / 3 ? end : piece.length;
    const passage = cut(text.slice(at), length).trim();
    if (passage !== "") passages.push({ at, text: passage });
    at += Math.max(1, length);
  }
  return passages;
}

function fits(text: string, room: Room): boolean {
  return text.length <= room.tokens * 16 && room.count(text) <= room.tokens;
}
