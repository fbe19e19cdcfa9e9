import { clip } from "#base/text.ts";
import type { Conversation, Message, Outcome, Send, Turn } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { envelopeOf, mayNavigate, parseOrigin } from "../envelope/index.ts";
import { keepCounter, namesOnlyValue } from "../recall/index.ts";
import { freezeState } from "../skills/index.ts";
import { actInTurn } from "./act-in-turn.ts";
import { isCauseOutside } from "./cause.ts";
import { closeEpisode, lastTurnOf, openEpisode } from "./episodes.ts";
import { finishRun } from "./finish-run.ts";
import { isConfirmation } from "./is-correction.ts";
import { type Ended, noTokens } from "./scene.ts";
import { takeSkill } from "./take-skill.ts";
import type { Desk, TurnWorld } from "./world.ts";

/**
 * One turn: the message is stored, an episode opened or continued, a skill recalled or none, steps taken until something is said, the outcome
 * judged. Every event goes out through `world.emit`; the last is always turn-finished.
 */
export async function runTurn(world: TurnWorld, input: Send, desk: Desk, signal: AbortSignal): Promise<void> {
  const { stores } = world;
  const conversation = openConversation(world, input, desk.conversationId);
  if (isConfirmation(input.text)) judgeConfirmed(world, conversation.id);
  const opened = openEpisode(world, conversation.id, input.text);
  const continued = opened.isFollowUp && !opened.isCorrection ? lastTurnOf(stores.trace.turns(conversation.id), opened.episode.id) : undefined;
  if (opened.isCorrection) judgeCorrected(world, opened.episode.id, input.text);
  let turn: Turn = {
    id: world.makeId(),
    conversationId: conversation.id,
    episodeId: opened.episode.id,
    status: "running",
    skillId: null,
    revision: null,
    recall: null,
    startedAt: world.clock(),
    endedAt: null,
    tokens: noTokens,
  };
  stores.trace.addTurn(turn);
  const message: Message = {
    id: world.makeId(),
    conversationId: conversation.id,
    turnId: turn.id,
    role: "user",
    text: input.text,
    status: "complete",
    createdAt: world.clock(),
  };
  stores.conversations.addMessage(message);
  stores.conversations.touch(conversation.id, world.clock());
  world.emit({ type: "turn-started", turn, message });

  const answer = answerStream(world, turn);
  let ended: Ended;
  let problem: string | null = null;
  try {
    await askForDestinations(world, input.text, turn.id, signal);
    const taken = await takeSkill(world, opened.isCorrection ? { ...input, noSkills: true } : input, opened.goal, continued, signal);
    turn = {
      ...turn,
      recall: taken.recall,
      ...(taken.kind === "charge"
        ? { skillId: taken.charge.skill.id, revision: taken.charge.revision.number }
        : taken.kind === "ask"
          ? { skillId: taken.skill.id, revision: taken.revision.number }
          : {}),
    };
    stores.trace.updateTurn(turn);
    if (taken.recall) world.emit({ type: "recall-decided", turnId: turn.id, recall: taken.recall });
    if (taken.kind === "ask") {
      const wanted = taken.missing
        .map((name) => taken.revision.inputs.properties[name])
        .map((schema) => `${schema?.description ?? ""} (for example ${schema?.examples[0] ?? ""})`);
      ended = {
        kind: "asked",
        says: `I know how to do this ("${taken.skill.name}"), but you did not say the ${wanted.join(" and the ")}. Which one?`,
        tokens: noTokens,
      };
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
          inputs: charge.binding.values,
        });
      ended = await actInTurn({ world, desk, turn, input, goal: opened.goal, charge, state: freezeState({}), onText: answer.add, signal });
    }
  } catch (thrown) {
    if (signal.aborted) {
      ended = { kind: "stopped", says: null, reason: "stopped by the user", tokens: noTokens };
    } else {
      problem = thrown instanceof KnackError ? thrown.message : "Something in Knack itself went wrong; the log says what.";
      if (!(thrown instanceof KnackError))
        world.log.error("turn-failed", { turnId: turn.id, error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
      ended = { kind: "failed", says: null, reason: problem, tokens: noTokens };
    }
  }

  const said = answer.close(ended.says, ended.kind === "stopped");
  const judged = outcomeOf(ended);
  const episode = closeEpisode(world, opened.episode, judged.outcome, judged.reason, ended.kind === "asked");
  const run = stores.skills.runOfTurn(turn.id);
  if (run && run.outcome === null) {
    const isNoFault = ended.kind === "stopped" || problem !== null || (ended.kind === "failed" && isCauseOutside(stores.trace.stepsOfTurn(turn.id)));
    finishRun(world, run, isNoFault ? "abandoned" : (judged.outcome ?? "abandoned"), ended.kind === "failed" ? ended.reason : null);
  }
  turn = { ...turn, status: ended.kind === "stopped" ? "stopped" : ended.kind === "failed" ? "failed" : "done", endedAt: world.clock(), tokens: ended.tokens };
  stores.trace.updateTurn(turn);
  stores.conversations.touch(conversation.id, world.clock());
  world.emit({ type: "turn-finished", turn, episode, message: said, problem });
}

function openConversation(world: TurnWorld, input: Send, id: string): Conversation {
  const there = world.stores.conversations.get(id);
  if (there) return there;
  const made: Conversation = { id, title: clip(input.text.replace(/\s+/gu, " "), 60), createdAt: world.clock(), updatedAt: world.clock() };
  world.stores.conversations.create(made);
  return made;
}

/**
 * A correction is a failure of what was done before, and of the skill that did it; the goal is kept as one the skill was not meant for, unless it was
 * the right skill with another value (REC-14).
 */
function judgeCorrected(world: TurnWorld, episodeId: string, correction: string): void {
  const { trace, skills } = world.stores;
  const episode = trace.episode(episodeId);
  const last = lastTurnOf(trace.turns(episode?.conversationId ?? ""), episodeId);
  if (episode) trace.judge(episodeId, "failure", "corrected by the user", world.clock());
  const run = last && skills.runOfTurn(last.id);
  if (!run || run.outcome === "failure" || run.outcome === "left") return;
  finishRun(world, run, "failure", "corrected by the user");
  const now = world.clock();
  if (episode && !namesOnlyValue(skills, run.skillId, correction, new Date(now))) keepCounter(skills, run.skillId, episode.goal, now, run.inputs);
}

/** "Perfect, thank you" makes a success of what was only claimed, and of the run that did it (SPEC 2). */
function judgeConfirmed(world: TurnWorld, conversationId: string): void {
  const { trace, skills } = world.stores;
  const episode = trace.episodesOf(conversationId).at(-1);
  if (episode?.outcome !== "claimed_success") return;
  trace.judge(episode.id, "success", "confirmed by the user", world.clock());
  const last = lastTurnOf(trace.turns(conversationId), episode.id);
  const run = last && skills.runOfTurn(last.id);
  if (run?.outcome === "claimed_success") finishRun(world, run, "success", null);
}

/** Addresses the user names in the goal itself are asked for once, before anything is opened; the answer is the grant. */
async function askForDestinations(world: TurnWorld, text: string, turnId: string, signal: AbortSignal): Promise<void> {
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s"'<>)]+/giu)) {
    const url = match[0].replace(/[.,;:!?]+$/u, "");
    if (isGranted(world, url)) continue;
    const answer = await world.approve({ turnId, tool: "browser_open", args: { url }, reason: `May Knack open ${new URL(url).origin}?` }, signal);
    if (answer === "allow") world.grantDestination(url, "user");
  }
}

/** True also for what no grant can name: there is nothing to ask about it, and the gates refuse it. */
function isGranted(world: TurnWorld, url: string): boolean {
  const origin = parseOrigin(url);
  return origin === null || mayNavigate(envelopeOf(world.stores.grants.list()), origin);
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

/** The assistant's message: stored while it streams, so that a crash loses nothing that was shown. */
function answerStream(world: TurnWorld, turn: Turn): { add: (text: string) => void; close: (says: string | null, stopped: boolean) => Message | null } {
  const { conversations } = world.stores;
  let message: Message | null = null;
  let storedAt = 0;
  const add = (text: string): void => {
    const now = world.clock();
    if (!message) {
      message = { id: world.makeId(), conversationId: turn.conversationId, turnId: turn.id, role: "assistant", text, status: "streaming", createdAt: now };
      conversations.addMessage(message);
      storedAt = now;
    } else {
      message = { ...message, text: message.text + text };
      if (now - storedAt > 200) {
        conversations.updateMessage(message.id, message.text, "streaming");
        storedAt = now;
      }
    }
    world.emit({ type: "text-delta", turnId: turn.id, text });
  };
  return {
    add,
    close(says, stopped) {
      if (says !== null && message?.text !== says)
        add(message && says.startsWith(message.text) ? says.slice(message.text.length) : message ? `\n${says}` : says);
      if (!message) return null;
      message = { ...message, status: stopped ? "interrupted" : "complete" };
      conversations.updateMessage(message.id, message.text, message.status);
      return message;
    },
  };
}
