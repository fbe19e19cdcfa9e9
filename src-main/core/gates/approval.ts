import { fold } from "#base/text.ts";
import { commandLineOf, isShell, originText, parseCommand, parseOrigin, toolName, vaultEntryOf } from "../envelope/index.ts";
import type { PageView } from "../ports/index.ts";
import type { Gate } from "./context.ts";
import { controlOf } from "./control.ts";
import { isEnter, paymentReason } from "./payment.ts";
import { allow, ask } from "./verdict.ts";

/** What a person must say yes to first. A step that pays, orders or buys is asked about under every policy (SPEC 3.4). */
export const approval: Gate = (call, context) => {
  const tool = toolName(call.tool);
  const payment = paymentReason(call, context.page);
  if (payment !== null) return ask(`Knack never pays, orders or buys by itself: ${payment}.`, "payment");
  if (tool === "workspace_exec") return ask(running(call, context.folder ?? null), "workspace-exec");
  if (tool === "forget") {
    const texts = context.forgets?.(String(call.args.which)) ?? [];
    // Where nothing is meant there is nothing to ask for: the tool says why.
    return texts.length === 0 ? allow : ask(forgetting(texts), "forget", "Forgetting asks you first.");
  }
  const { settings, page } = context;
  if (settings.askBeforeWrite && (tool === "workspace_write" || tool === "workspace_move")) return ask("This changes a file.", "ask-before-write");
  if (tool === "browser_login" && (settings.loginApproval || settings.askBeforeSubmit))
    return ask(`This signs in at ${originOf(page)} with the login "${vaultEntryOf(call) ?? ""}".`, "login-approval");
  const control = tool === "browser_click" ? controlOf(call, page) : null;
  const name = fold(control?.name ?? "");
  if (settings.askBeforeDownload && (tool === "browser_download" || namesDownload.test(name))) return ask("This downloads a file.", "ask-before-download");
  if (settings.askBeforeSubmit) {
    const hasFields = page?.elements.some((element) => element.action !== "click") ?? true;
    const submits =
      control !== null && control.role !== "link" && control.role !== "tab" && hasFields && !/^(?:cancel|back|close|menu|help)(?![\p{L}])/u.test(name);
    const enters = tool === "browser_press" && hasFields && Object.values(call.args).some(isEnter);
    if (submits || enters) return ask("This sends a form.", "ask-before-submit");
  }
  return allow;
};

/** Facts that one question names; of more it says how many. */
const mostNamed = 20;

function forgetting(texts: readonly string[]): string {
  const named = texts.slice(0, mostNamed).map((text) => `"${text}"`);
  const more = texts.length - named.length;
  const what = texts.length === 1 ? (named[0] ?? "") : `these ${texts.length} facts: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `Forget ${what}? It is erased for good.`;
}

/** What a program would be started with, and where. */
function running(call: Parameters<Gate>[0], folder: string | null): string {
  const command = parseCommand(commandLineOf(call));
  if (!command.ok || folder === null) return "This runs a command on your computer.";
  const { program, args } = command.value;
  const handed = args.length === 0 ? "no arguments" : args.map((word) => JSON.stringify(word)).join(" ");
  const shell = isShell(command.value) ? " It is a shell: what it is given is read as commands, which can start anything." : "";
  return `This runs the program ${JSON.stringify(program)} with ${handed} in ${folder}. It can do whatever you can.${shell}`;
}

function originOf(page: PageView | null): string {
  const origin = parseOrigin(page?.url ?? "");
  return origin === null ? "this page" : originText(origin);
}

/** "Download bill", "Bill (PDF)", "bill-2026-03.csv"; the name of the control is all that is known before it is pressed. */
const namesDownload = /^(?:download|export|save as|herunterladen)(?![\p{L}])|\(?\b(?:pdf|csv|xlsx?|docx?|zip)\)?$/u;
