import type { Conversation, Send } from "#contract/chat/schema.ts";
import type { Fork } from "#contract/conversations/routes.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Stores } from "#core/ports/index.ts";
import { lineOf, titleOf } from "#core/turn/index.ts";

interface BranchWorld {
  readonly stores: Pick<Stores, "conversations" | "trace">;
  readonly makeId: () => string;
  readonly clock: () => number;
}

/**
 * Begins a branch ahead of a turn, in whose place the message comes: a conversation that shares what was said before it. Nothing is copied, and the turn stays
 * where it is. Throws bad-input for an unknown turn, one that runs, and beside a conversation; KnackError "chat.temporary" for one of a temporary conversation,
 * which nothing may outlive.
 */
export function openBranch({ stores, makeId, clock }: BranchWorld, { insteadOf, conversationId, text }: Send & { readonly insteadOf: string }): Conversation {
  const { conversations, trace } = stores;
  const turn = trace.turn(insteadOf);
  const from = turn && conversations.get(turn.conversationId);
  if (turn === undefined || from === undefined)
    throw badInput(`There is no turn ${insteadOf}; "knack conversations show ID" names the turns of a conversation.`);
  if (conversationId !== undefined) throw badInput("insteadOf: a message in the place of another begins a branch, so it names no conversation.");
  if (turn.status === "running") throw new KnackError("turn.running", "That message is still being answered; stop it or wait.");
  if (from.isTemporary) throw new KnackError("chat.temporary", "A temporary chat has no branches, since nothing of it is kept. Say it anew there.");
  const ids = trace.turnIds(from.id);
  const after = ids[ids.indexOf(insteadOf) - 1] ?? null;
  // Ahead of all that is a conversation's own stands what it shares itself.
  const branch = after === null && from.branch !== undefined ? from.branch : { of: from.id, after };
  const now = clock();
  const made: Conversation = {
    id: makeId(),
    // One that asks the same again is called as it was; another question tells the branches apart.
    title: conversations.messagesOfTurn(insteadOf).some((message) => message.role === "user" && message.text === text) ? from.title : titleOf(text),
    createdAt: now,
    updatedAt: now,
    branch,
    ...(from.folderId === undefined ? {} : { folderId: from.folderId }),
    ...(from.isImported ? { isImported: true } : {}),
  };
  conversations.create(made);
  return made;
}

/** Where other conversations of the family have other turns in the place of these; those of them with one turn alone are left out. */
export function forksOf({ conversations, trace }: Pick<Stores, "conversations" | "trace">, conversationId: string, turnIds: readonly string[]): Fork[] {
  const line = lineOf({ conversations }, conversationId);
  const branches = conversations.branchesOf(line.map((part) => part.conversationId));
  if (branches.length === 0) return [];
  const told = new Set(turnIds);
  const places = Map.groupBy(branches, ({ branch }) => JSON.stringify([branch?.of, branch?.after]));
  return [...places.values()].flatMap((there): Fork[] => {
    const { of = "", after = null } = there[0]?.branch ?? {};
    const ids = trace.turnIds(of);
    const first = { conversationId: of, turnId: ids[after === null ? 0 : ids.indexOf(after) + 1] };
    const among = [first, ...there.map(({ id }) => ({ conversationId: id, turnId: trace.turnIds(id)[0] }))].flatMap(({ conversationId: id, turnId }) =>
      turnId === undefined ? [] : [{ conversationId: id, turnId }],
    );
    const here = among.find(({ turnId }) => told.has(turnId));
    return here === undefined || among.length < 2 ? [] : [{ turnId: here.turnId, among }];
  });
}
