import { fold } from "#base/text.ts";
import { familyOf, isOfFamily, isShell, parseCommand, toolName } from "../envelope/index.ts";
import type { Gate } from "./context.ts";
import { controlOf } from "./control.ts";
import { isEnter, paymentReason } from "./payment.ts";
import { allow, ask, type Verdict } from "./verdict.ts";

/** What a person must say yes to first. A step that pays, orders or buys is asked about under every policy (SPEC 3.4). */
export const approval: Gate = (call, context) => {
  const tool = toolName(call.tool);
  const payment = paymentReason(call, context.page);
  if (payment !== null) return ask(`Knack never pays, orders or buys by itself: ${payment}.`, "payment");
  if (tool === "workspace_exec") {
    const asked = askToRun(call, context);
    if (asked !== null) return asked;
  }
  const { settings, page } = context;
  if (settings.askBeforeWrite && (tool === "workspace_write" || tool === "workspace_move")) return ask("This changes a file.", "ask-before-write");
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

/** Programs are asked about each time, unless the user allowed their family for always. */
function askToRun(call: Parameters<Gate>[0], { envelope, folder = null }: Parameters<Gate>[1]): Verdict | null {
  const command = parseCommand(typeof call.args["command"] === "string" ? call.args["command"] : "");
  if (!command.ok || folder === null) return ask("This runs a command on your computer.", "workspace-exec");
  if (envelope.programs.some((granted) => granted.folder === folder && isOfFamily(command.value, granted.family))) return null;
  const { program, args } = command.value;
  const handed = args.length === 0 ? "no arguments" : args.map((word) => JSON.stringify(word)).join(" ");
  const shell = isShell(command.value) ? " It is a shell: what it is given is read as commands, which can start anything." : "";
  const reason = `This runs the program ${JSON.stringify(program)} with ${handed} in ${folder}. It can do whatever you can.${shell}`;
  const family = familyOf(command.value);
  return { kind: "ask", reason, rule: "workspace-exec", ...(family === null ? {} : { always: { family, folder } }) };
}

/** "Download bill", "Bill (PDF)", "bill-2026-03.csv"; the name of the control is all that is known before it is pressed. */
const namesDownload = /^(?:download|export|save as|herunterladen)(?![\p{L}])|\(?\b(?:pdf|csv|xlsx?|docx?|zip)\)?$/u;
