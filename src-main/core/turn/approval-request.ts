import { cut } from "#base/text.ts";
import type { Call } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import { familyOf, targetOf, type Verdict } from "../gates/index.ts";
import type { ApprovalRequest } from "../ports/approver.ts";
import type { Workspace } from "../ports/workspace.ts";
import { diffBodies } from "../skills/index.ts";
import type { DispatchScene } from "./dispatch.ts";

/** A diff beyond this is cut: nobody reads more before they say yes. */
const longestDiff = 20_000;

/** What a person is asked: the exact call, what it acts on, how a file would change, and which calls their answer may cover. */
export async function approvalRequest(
  call: Call,
  { reason, rule }: Extract<Verdict, { kind: "ask" }>,
  { turnId, page, tools }: Pick<DispatchScene, "turnId" | "page" | "tools">,
  signal: AbortSignal,
): Promise<ApprovalRequest> {
  const { workspace } = tools;
  const folder = workspace?.folder ?? null;
  const target = targetOf(call, page, folder);
  const diff = workspace === null ? null : await writtenDiff(call, workspace, signal);
  const family = familyOf(rule, call, page, folder);
  return {
    turnId,
    tool: call.tool,
    args: call.args,
    reason,
    ...(target === null ? {} : { target: target.words }),
    ...(diff === null ? {} : { diff }),
    ...(family === null ? {} : { family }),
  };
}

/** Null for a call that writes no text; a file that is not there, or cannot be read as text, is shown as new. */
async function writtenDiff({ tool, args }: Call, workspace: Workspace, signal: AbortSignal): Promise<string | null> {
  if (toolName(tool) !== "workspace_write" || typeof args.path !== "string" || typeof args.text !== "string") return null;
  const before = await workspace.read(args.path, signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return "";
  });
  const patch = diffBodies({ label: args.path, body: before }, { label: args.path, body: args.text });
  return patch.length <= longestDiff ? patch : `${cut(patch, longestDiff)}\n… (cut)`;
}
