import type { Follower } from "../replay/index.ts";
import { drive } from "./drive.ts";
import { sessionOf } from "./halted.ts";
import type { Hands } from "./hands.ts";
import { type Ended, noTokens, type Scene } from "./scene.ts";
import { writeStep } from "./step-text.ts";
import type { Charge } from "./take-skill.ts";

/** A run without a model: what it halts at ends it, and its place is kept so that the user may go on with the model. */
export async function driveStrict(scene: Scene, charge: Charge, hands: Hands, follower: Follower): Promise<Ended> {
  const { world, desk, input, turn } = scene;
  const driven = await drive(scene, charge, hands, follower);
  const isHalted = driven.kind === "halted";
  const ended: Ended = isHalted
    ? {
        kind: driven.absent === null ? "failed" : "absent",
        says: driven.says,
        reason: driven.reason,
        tokens: { ...noTokens, evaluated: charge.binding.tokensEvaluated },
      }
    : driven;
  if (isHalted) desk.halted = { episodeId: turn.episodeId, charge, follower, session: sessionOf(desk, turn.episodeId), workspace: input.workspace };
  if (ended.says !== null)
    desk.messages = [
      ...desk.messages,
      { role: "user", text: world.masked(input.text) },
      { role: "assistant", text: writeStep("reply", { text: world.masked(ended.says) }) },
    ];
  return ended;
}
