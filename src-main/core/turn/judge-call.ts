import type { Call } from "#contract/skills/schema.ts";
import { vaultEntryOf } from "../envelope/index.ts";
import { judge, type Verdict } from "../gates/index.ts";
import { gateContext, type Situation } from "./gate-context.ts";
import type { TurnWorld } from "./world.ts";

/**
 * The gates, and what stands around them for a login: it is not tried faster than it may be, and where the vault is locked and somebody is there to open it,
 * they are asked first. Nobody is asked for a login that is refused for another reason.
 */
export async function judgeCall(world: TurnWorld, call: Call, situation: Situation, signal: AbortSignal): Promise<Verdict> {
  const entry = vaultEntryOf(call);
  const { credentials, askUnlock } = world;
  if (entry === null || credentials === undefined) return judge(call, gateContext(world, call, situation));
  const waitMs = credentials.waitMs(entry);
  if (waitMs > 0) {
    const message = `Not filled in: too many logins were refused. Wait ${Math.ceil(waitMs / 1000)} s before the next one.`;
    return { kind: "refuse", code: "cred.wait", message, ruleIds: ["cred.wait"] };
  }
  let verdict = judge(call, gateContext(world, call, situation));
  if (verdict.kind === "refuse" && verdict.code === "vault.locked" && askUnlock !== undefined) {
    await askUnlock(entry, signal);
    verdict = judge(call, gateContext(world, call, situation));
  }
  if (verdict.kind === "refuse" && verdict.code !== "vault.locked") credentials.tried(entry, { code: verdict.code, origin: "" });
  return verdict;
}
