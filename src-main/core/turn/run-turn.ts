import { clip } from "#base/text.ts";
import type { Conversation, Message, Outcome, Send, Turn } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { freezeState } from "../skills/index.ts";
import { actInTurn } from "./act-in-turn.ts";
import { answerStream } from "./answer-stream.ts";
import { askForDestinations } from "./ask-for-destinations.ts";
import { keepAttached } from "./attached.ts";
import { isCauseOutside } from "./cause.ts";
import { choiceOf } from "./choice.ts";
import { type CutOff, cutOffIn, goesOnFree } from "./cut-off.ts";
import { compactionOn } from "./desk.ts";
import { closeEpisode, lastEpisode, openEpisode } from "./episodes.ts";
import { finishRun } from "./finish-run.ts";
import { missingText } from "./guidance-text.ts";
import { haltedOn, mayResume, refuseBeside } from "./halted.ts";
import { isConfirmation } from "./is-correction.ts";
import { judgeConfirmed, judgeCorrected } from "./judge-before.ts";
import { type Ended, noTokens } from "./scene.ts";
import { takeHalted, takeSkill } from "./take-skill.ts";
import type { Desk, TurnWorld } from "./world.ts";

/**
 * One turn: the message is stored, an episode opened or continued, a skill recalled or none, steps taken until something is said, the outcome
 * judged. Every event goes out through `world.emit`; the first is always turn-started and the last turn-finished. Throws, and stores nothing: bad-input
 * where the state of the turn is no plain mapping, "run.none-halted" where there is nothing to resume. What was interrupted is gone on with before what halted.
 */
export async function runTurn(world: TurnWorld, input: Send, desk: Desk, signal: AbortSignal): Promise<void> {
  const { stores } = world;
  const cutOff = input.resume ? takeUp(world, input, desk) : null;
  const halted = input.resume && cutOff === null ? haltedOn(world, desk, input) : null;
  // Copied before anything is stored: what cannot be a state is the caller's mistake, and no turn.
  const state = freezeState(world.state());
  // Any other message lets go of a run that halted.
  if (halted === null) desk.halted = null;
  const conversation = openConversation(world, input, desk.conversationId);
  const before = lastEpisode(world, conversation.id);
  const opened = openEpisode(world, conversation.id, input.text, halted ?? cutOff);
  const continued = opened.isFollowUp && !opened.isCorrection ? before?.turn : undefined;
  let turn: Turn = {
    id: world.makeId(),
    conversationId: conversation.id,
    episodeId: opened.episode.id,
    status: "running",
    skillId: null,
    revision: null,
    mode: null,
    recall: null,
    startedAt: world.clock(),
    endedAt: null,
    tokens: noTokens,
  };
  desk.compaction = compactionOn(stores, desk);
  stores.trace.addTurn(turn);
  desk.starts.set(turn.id, desk.messages.length);
  const message: Message = {
    id: world.makeId(),
    conversationId: conversation.id,
    turnId: turn.id,
    role: "user",
    text: input.text,
    status: "complete",
    createdAt: world.clock(),
  };
  const attached = keepAttached(world, input, message);
  stores.conversations.touch(conversation.id, world.clock());
  world.emit({ type: "turn-started", turn, message: attached.length === 0 ? message : (stores.conversations.message(message.id) ?? message) });
  const kept = world.heard(message);
  for (const { id, text } of kept) world.emit({ type: "fact-kept", turnId: turn.id, factId: id, text });
  if (before && opened.isCorrection) judgeCorrected(world, before, input.text);
  else if (before && !input.resume && isConfirmation(input.text)) judgeConfirmed(world, before);

  const answer = answerStream(world, turn);
  const asked = { goal: opened.goal, episodeId: opened.episode.id };
  let ended: Ended;
  let problem: string | null = null;
  try {
    await askForDestinations(world, input.text, turn.id, signal);
    turn = { ...turn, choice: await choiceOf(world, input, opened, { halted, cutOff }, continued) };
    const taken = halted ? takeHalted(world, halted) : await takeSkill(world, askedOf(input, opened.isCorrection, cutOff), asked, continued, state, signal);
    turn = {
      ...turn,
      recall: taken.recall,
      ...(taken.kind === "charge"
        ? { skillId: taken.charge.skill.id, revision: taken.charge.revision.number, mode: taken.charge.mode }
        : taken.kind === "ask"
          ? { skillId: taken.skill.id, revision: taken.revision.number, mode: taken.mode }
          : {}),
    };
    stores.trace.updateTurn(turn);
    if (taken.recall) world.emit({ type: "recall-decided", turnId: turn.id, recall: taken.recall });
    if (taken.kind === "ask") {
      ended = { kind: "asked", says: missingText(taken.skill.name, taken.revision.inputs, taken.missing), tokens: noTokens };
    } else if (taken.kind === "refused") {
      raiseRefusal(world, taken.skill.id, taken.skill.name, taken.missing);
      ended = {
        kind: "failed",
        says: `The skill "${taken.skill.name}" needs ${taken.missing.join(", ")}, which you have not granted, so I did not start. You can grant it on the Permissions page or with: knack grants add`,
        reason: `not granted: ${taken.missing.join(", ")}`,
        tokens: noTokens,
      };
    } else {
      const charge = taken.kind === "charge" ? taken.charge : null;
      if (charge)
        world.emit({
          type: "skill-taken",
          turnId: turn.id,
          skillId: charge.skill.id,
          name: charge.skill.name,
          revision: charge.revision.number,
          mode: charge.mode,
          inputs: charge.binding.values,
        });
      // "Go on" says nothing of what is wanted: the goal does.
      const wanted: Send = input.resume ? { ...input, text: opened.goal, workspace: input.workspace ?? halted?.workspace } : input;
      const resumed = halted?.follower ?? null;
      ended = await actInTurn({ world, desk, turn, input: wanted, goal: opened.goal, charge, resumed, cutOff, kept, state, onText: answer.add, signal });
    }
  } catch (thrown) {
    if (signal.aborted) {
      ended = { kind: "stopped", says: null, reason: "stopped by the user", tokens: noTokens };
    } else {
      problem = thrown instanceof KnackError ? thrown.message : "Something in Knack itself went wrong; the log says what.";
      if (!(thrown instanceof KnackError)) world.log.error("turn-failed", { turnId: turn.id, error: thrown });
      ended = { kind: "failed", says: null, reason: problem, tokens: noTokens };
    }
  }

  const said = answer.close(ended.says, ended.kind === "stopped");
  const judged = outcomeOf(ended);
  const episode = closeEpisode(world, opened.episode, judged.outcome, judged.reason, ended.kind === "asked");
  const run = stores.skills.runOfTurn(turn.id);
  if (run && run.outcome === null) {
    const isNoFault = ended.kind === "stopped" || problem !== null || (ended.kind === "failed" && isCauseOutside(stores.trace.stepsOfTurn(turn.id)));
    finishRun(world, run, isNoFault ? "abandoned" : (judged.outcome ?? "abandoned"), ended.kind === "failed" || ended.kind === "absent" ? ended.reason : null);
  }
  turn = { ...turn, status: ended.kind === "stopped" ? "stopped" : ended.kind === "failed" ? "failed" : "done", endedAt: world.clock(), tokens: ended.tokens };
  stores.trace.updateTurn(turn);
  stores.conversations.touch(conversation.id, world.clock());
  world.emit({ type: "turn-finished", turn, episode, message: said, problem, mayResume: mayResume(world, desk) });
}

/** The turn of this conversation that was interrupted or stopped last. Throws bad-input where the message asks for something else besides. */
function takeUp(world: TurnWorld, input: Send, desk: Desk): CutOff | null {
  const cutOff = cutOffIn(world, desk.conversationId);
  // A run that halted on this desk has its browser and its place: it is gone on with from there.
  if (cutOff?.turn.status === "stopped" && mayResume(world, desk)) return null;
  if (cutOff !== null) refuseBeside(input);
  return cutOff;
}

/** The message as skills are asked with it: what goes on has its skill and what that was given, or none. */
function askedOf(input: Send, isCorrection: boolean, cutOff: CutOff | null): Send {
  if (isCorrection || (cutOff !== null && goesOnFree(cutOff))) return { ...input, noSkills: true };
  return cutOff?.inputs ? { ...input, inputs: { ...cutOff.inputs } } : input;
}

/** What a conversation is called until a person names it. */
export function titleOf(text: string): string {
  return clip(text.replace(/\s+/gu, " "), 60);
}

function openConversation(world: TurnWorld, input: Send, id: string): Conversation {
  const there = world.stores.conversations.get(id);
  if (there) return there;
  const made: Conversation = {
    id,
    title: titleOf(input.text),
    createdAt: world.clock(),
    updatedAt: world.clock(),
    ...(input.temporary === true ? { isTemporary: true } : {}),
  };
  world.stores.conversations.create(made);
  return made;
}

function raiseRefusal(world: TurnWorld, skillId: string, name: string, missing: readonly string[]): void {
  const title = `"${name}" was not used: ${missing.join(", ")} is not granted`;
  if (world.stores.alerts.list().some((alert) => alert.title === title)) return;
  const id = world.makeId();
  world.stores.alerts.add({
    id,
    kind: "refused",
    title,
    detail: "Grant what it needs, or switch it off.",
    skillId,
    proposalId: null,
    revertTo: null,
    createdAt: world.clock(),
    resolvedAt: null,
    resolution: null,
  });
  world.emit({ type: "alert-raised", alertId: id, title });
}

function outcomeOf(ended: Ended): { outcome: Outcome | null; reason: string } {
  switch (ended.kind) {
    case "asked":
      return { outcome: null, reason: "waiting for the user's answer" };
    case "stopped":
    case "absent":
      return { outcome: "abandoned", reason: ended.reason };
    case "failed":
      return { outcome: "failure", reason: ended.reason };
    default:
      return ended.verified
        ? { outcome: "success", reason: ended.verified }
        : ended.acted
          ? { outcome: "claimed_success", reason: "the model said so" }
          : { outcome: "abandoned", reason: "nothing but talk" };
  }
}
