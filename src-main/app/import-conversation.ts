import type { Conversation, Step, Turn } from "#contract/chat/schema.ts";
import { type ConversationFile, conversationFileSchema, conversationFileVersion, conversationFormat } from "#contract/conversations/conversation-file.ts";
import { badInput } from "#contract/errors.ts";
import type { Stores } from "#core/ports/index.ts";

interface ImportWorld {
  readonly stores: Stores;
  readonly makeId: () => string;
  readonly clock: () => number;
}

/**
 * Makes a new conversation of one that was exported. Everything in it gets ids of its own, so that the same file can be read twice, and nothing is learned from
 * it: it may have been made, or changed, elsewhere. Throws bad-input with what is wrong and where, for what is no such file, is damaged, or is of a newer
 * Knack; nothing of it is stored then.
 */
export function importConversation({ stores, makeId, clock }: ImportWorld, text: string): Conversation {
  const file = readFile(text);
  refuseLoose(file);
  const ids = new Map<string, string>();
  const idOf = (old: string): string => {
    const there = ids.get(old) ?? makeId();
    ids.set(old, there);
    return there;
  };
  const { title, createdAt } = file.conversation;
  const made: Conversation = { id: makeId(), title: title.trim() === "" ? "Imported conversation" : title, createdAt, updatedAt: clock(), isImported: true };
  const conversationId = made.id;
  return stores.transaction(() => {
    const { conversations, trace } = stores;
    conversations.create(made);
    for (const episode of file.episodes) trace.addEpisode({ ...episode, id: idOf(episode.id), conversationId, open: false });
    for (const turn of file.turns) trace.addTurn({ ...asKnownHere(stores, turn), id: idOf(turn.id), episodeId: idOf(turn.episodeId), conversationId });
    for (const { attachments: _attachments, ...message } of file.messages)
      conversations.addMessage({
        ...message,
        id: idOf(message.id),
        turnId: idOf(message.turnId),
        conversationId,
        status: message.status === "streaming" ? "interrupted" : message.status,
      });
    for (const step of file.steps) trace.addStep({ ...endedStep(step), id: idOf(step.id), turnId: idOf(step.turnId), episodeId: idOf(step.episodeId) });
    for (const { stepId, text: result } of file.results) trace.keepResult(idOf(stepId), result);
    for (const { characters: _characters, ...attachment } of file.attachments)
      conversations.addAttachment({ ...attachment, id: idOf(attachment.id), messageId: idOf(attachment.messageId), conversationId });
    for (const compaction of file.compactions)
      conversations.addCompaction({ ...compaction, id: idOf(compaction.id), throughTurnId: idOf(compaction.throughTurnId), conversationId });
    return made;
  });
}

function readFile(text: string): ConversationFile {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\u{feff}/u, ""));
  } catch {
    throw badInput('This file cannot be read: it is no JSON, or only a part of it. Take a file that "Export as JSON" wrote.');
  }
  const { format, version } = typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  if (format !== conversationFormat)
    throw badInput('This is no conversation that Knack exported. Take a file that "Export as JSON" wrote; one exported as Markdown is only for reading.');
  if (typeof version === "number" && version > conversationFileVersion)
    throw badInput(
      `This conversation was exported by a newer Knack (version ${version} of the file; this one reads ${conversationFileVersion}). Update Knack first.`,
    );
  const parsed = conversationFileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(`${issue?.path.join(".") || "the file"}: ${issue?.message ?? "not as expected"}`);
}

/** Everything that names something else in the file names something that is there, and nothing is there twice. */
function refuseLoose({ messages, turns, steps, episodes, attachments, results, compactions }: ConversationFile): void {
  const unique = (what: string, all: readonly { readonly id: string }[]): Set<string> => {
    const ids = new Set(all.map(({ id }) => id));
    if (ids.size !== all.length) throw damaged(`${what}: the same id stands there twice`);
    return ids;
  };
  const [ofMessages, ofTurns, ofSteps, ofEpisodes] = [
    unique("messages", messages),
    unique("turns", turns),
    unique("steps", steps),
    unique("episodes", episodes),
  ];
  unique("attachments", attachments);
  unique("compactions", compactions);
  const within = (what: string, ids: ReadonlySet<string>, named: readonly string[]): void => {
    const loose = named.findIndex((id) => !ids.has(id));
    if (loose >= 0) throw damaged(`${what}.${loose} names "${named[loose]}", which is not in the file`);
  };
  within(
    "messages",
    ofTurns,
    messages.map(({ turnId }) => turnId),
  );
  within(
    "turns",
    ofEpisodes,
    turns.map(({ episodeId }) => episodeId),
  );
  within(
    "steps",
    ofTurns,
    steps.map(({ turnId }) => turnId),
  );
  within(
    "steps",
    ofEpisodes,
    steps.map(({ episodeId }) => episodeId),
  );
  within(
    "attachments",
    ofMessages,
    attachments.map(({ messageId }) => messageId),
  );
  within(
    "results",
    ofSteps,
    results.map(({ stepId }) => stepId),
  );
  within(
    "compactions",
    ofTurns,
    compactions.map(({ throughTurnId }) => throughTurnId),
  );
}

function damaged(where: string): Error {
  return badInput(`This file is damaged, so nothing of it was kept. ${where}. Export the conversation once more.`);
}

/** A skill that is not on this machine was in charge of nothing here; what recall weighed then names skills as well. */
function asKnownHere({ skills }: Pick<Stores, "skills">, turn: Turn): Turn {
  const isKnown = turn.skillId === null || skills.get(turn.skillId) !== undefined;
  const ended: Turn = turn.status === "running" ? { ...turn, status: "interrupted" } : turn;
  return isKnown ? ended : { ...ended, skillId: null, revision: null, mode: null, recall: null };
}

function endedStep(step: Step): Step {
  return step.status === "running" ? { ...step, status: "interrupted" } : step;
}
