import { addressesOf, coversAddress, isWithin, toolName, vaultEntryOf } from "../envelope/index.ts";
import type { Gate } from "./context.ts";
import { allow, refuse } from "./verdict.ts";

/** The user granted what the call needs. What a name leads to is judged by the egress proxy, which sees the answer of the lookup. */
export const envelope: Gate = (call, context) => {
  const granted = context.envelope;
  const primitive = context.tools.get(toolName(call.tool))?.primitive ?? null;
  if (primitive !== null && !granted.primitives.has(primitive)) {
    return refuse("grant.primitive", `"${primitive}" is not granted, so ${call.tool} was not run. The user can grant it on the Permissions page.`);
  }
  if ((primitive === "workspace" || primitive === "workspace_exec") && granted.folders.length === 0) {
    return refuse("grant.folder", `No folder is granted, so ${call.tool} was not run. The user can grant one on the Permissions page.`);
  }
  // The folder of a turn is named by whoever sends it; only a grant makes it one of Knack's.
  if (primitive === "workspace" && context.folder != null && !isWithin(context.folder, granted.folders)) {
    return refuse("grant.folder", `The folder of this task is not granted, so ${call.tool} was not run. The user can grant it on the Permissions page.`);
  }
  if (primitive === "browser" || primitive === "web_fetch") {
    for (const address of addressesOf(call)) {
      const cover = coversAddress(granted.destinations, address, "navigate", context.classify ?? (() => "public"));
      if (!cover.allowed) return refuse(cover.refusal.code, cover.refusal.message);
    }
  }
  const entry = vaultEntryOf(call);
  // One answer for an entry that does not exist and one that is not granted (CRED-22).
  return entry !== null && !granted.vault.has(entry) ? refuse("grant.vault", "That vault entry is not granted for this task.") : allow;
};
