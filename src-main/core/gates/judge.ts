import type { Step } from "#contract/chat/schema.ts";
import type { Call } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import { messageOf } from "../errors.ts";
import { approval } from "./approval.ts";
import { composedAddress } from "./composed-address.ts";
import type { Gate, GateContext } from "./context.ts";
import { declared } from "./declared.ts";
import { envelope } from "./envelope.ts";
import { inputSchema } from "./input-schema.ts";
import { keptWords } from "./kept-words.ts";
import { knownTool } from "./known-tool.ts";
import { objectors } from "./objectors.ts";
import { precondition } from "./precondition.ts";
import { program } from "./program.ts";
import { vaultOrigin } from "./vault-origin.ts";
import { allow, refuse, type Verdict } from "./verdict.ts";

/** The policy: each gate by its name, in the order they are asked. */
export const gates: readonly (readonly [name: string, gate: Gate])[] = [
  ["known-tool", knownTool],
  ["input-schema", inputSchema],
  ["envelope", envelope],
  ["declared", declared],
  ["precondition", precondition],
  ["objectors", objectors],
  ["vault-origin", vaultOrigin],
  ["program", program],
  ["kept-words", keptWords],
  ["composed-address", composedAddress],
  ["approval", approval],
];

/** Refusals the model may try to get past, per skill and tool in a turn; then the turn goes to the user. */
export const maxRefusals = 2;

/** Asks each gate in order and stops at the first that does not allow. A gate that breaks refuses. */
export function judge(call: Call, context: GateContext): Verdict {
  for (const [name, gate] of gates) {
    const verdict = verdictOf(name, gate, call, context);
    if (verdict.kind === "allow") continue;
    if (verdict.kind === "ask" || context.refusalCount < maxRefusals) return verdict;
    const reason = `${call.tool} was refused ${context.refusalCount} times: ${verdict.message} How should I go on?`;
    return { kind: "ask", reason, rule: "refused-twice", refused: verdict };
  }
  return allow;
}

/** How often this tool was refused in this turn under this skill, or under none: the `refusalCount` of a context. A refused step says its skill in `details.skillId`. */
export function refusalsOf(steps: readonly Step[], turnId: string, tool: string, skillId: string | null = null): number {
  return steps.filter(
    (step) => step.turnId === turnId && step.status === "refused" && toolName(step.tool) === toolName(tool) && (step.details.skillId ?? null) === skillId,
  ).length;
}

function verdictOf(name: string, gate: Gate, call: Call, context: GateContext): Verdict {
  try {
    return gate(call, context);
  } catch (thrown) {
    return refuse("gate.broken", `${call.tool} was not run: the check "${name}" could not be made (${messageOf(thrown)}).`);
  }
}
