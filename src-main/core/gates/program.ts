import { commandLineOf, isWithin, parseCommand, toolName } from "../envelope/index.ts";
import type { Gate } from "./context.ts";
import { allow, refuse } from "./verdict.ts";

/**
 * A command may be read as one program with its arguments, works in a granted folder, and holds nothing of the vault: neither a value nor a name where a
 * value is meant, for names are resolved by the login and by nothing else (SKL-12).
 */
export const program: Gate = (call, context) => {
  if (toolName(call.tool) !== "workspace_exec") return allow;
  const line = commandLineOf(call);
  const command = parseCommand(line);
  if (!command.ok) return refuse("program.command", `Not run: ${command.error}`);
  const words = [command.value.program, ...command.value.args];
  const entries = [...context.envelope.vault, ...(context.skillInCharge?.capabilities.vault ?? [])];
  const isOfVault = context.isSecret?.(line) === true || namesVault(line, entries) || words.some((word) => entries.includes(word));
  if (isOfVault) return refuse("vault.exec", "Not run: a program is given nothing of the vault, neither in its arguments nor in its environment.");
  const folder = context.folder ?? null;
  if (folder === null || !isWithin(folder, context.envelope.folders))
    return refuse("grant.folder", "Not run: a program works only in a folder the user granted. The user can grant one on the Permissions page.");
  return allow;
};

/** Written as what stands for a value: [vault:bank], {{bank.password}}, $bank, %bank%, ${bank}, <secret>bank</secret>. */
function namesVault(line: string, entries: readonly string[]): boolean {
  if (/\[vault:/iu.test(line)) return true;
  const marked = [...line.matchAll(/\{\{\s*([^{}]+?)\s*\}\}|\$\{?([\w.-]+)\}?|%([\w.-]+)%|<secret>([^<]*)<\/secret>|\bvault[:./]([\w.-]+)/giu)];
  return marked.some((found) => {
    const name = found.slice(1).find((part) => part !== undefined) ?? "";
    return entries.some((entry) => name === entry || name.startsWith(`${entry}.`) || name.startsWith(`${entry}:`));
  });
}
