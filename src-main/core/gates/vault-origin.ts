import { originMatches, parseOrigin, vaultEntryOf } from "../envelope/index.ts";
import { vaultLocked } from "../vault/index.ts";
import type { Gate } from "./context.ts";
import { allow, refuse } from "./verdict.ts";

/** A credential goes only into a page of an origin it is bound to. The host looks again at the field itself before it fills. */
export const vaultOrigin: Gate = (call, context) => {
  const entry = vaultEntryOf(call);
  if (entry === null) return allow;
  if (context.isVaultLocked === true) return refuse("vault.locked", vaultLocked().message);
  const page = parseOrigin(context.page?.url ?? "");
  const bound = context.vaultBindings?.get(entry) ?? [];
  const fits =
    page !== null &&
    bound.some((text) => {
      const origin = parseOrigin(text);
      return origin !== null && originMatches(origin, page);
    });
  return fits ? allow : refuse("cred.origin", "Not filled in: this page is not one the vault entry belongs to.");
};
