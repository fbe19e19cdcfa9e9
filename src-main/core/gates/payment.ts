import { fold } from "#base/text.ts";
import type { Call } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import type { PageElement, PageView } from "../ports/index.ts";
import { controlOf } from "./control.ts";
import { namesPayment, namesPaymentField, toolPays } from "./payment-words.ts";

/** Controls that leave a payment page as it is. */
const retreats =
  /^(?:cancel|back|close|dismiss|edit|change|remove|delete|clear|help|menu|search|show|hide|more|previous|log ?out|sign ?out|abbrechen|zurück|schließen)(?!\p{L})/u;

/** Why this call would pay, order or buy; null when nothing says so (SPEC 3.4). */
export function paymentReason(call: Call, page: PageView | null): string | null {
  const tool = toolName(call.tool);
  if (!/^(?:browser|workspace|web|notes|skill)_/u.test(tool)) return toolPays(tool) ? `"${tool}" pays, orders or buys` : null;
  if (tool === "browser_press") return Object.values(call.args).some(isEnter) ? sendReason(page) : null;
  // It sends the form its fields are in, and nobody says by which control.
  if (tool === "browser_login") return sendReason(page);
  if (tool !== "browser_click" && tool !== "browser_download") return null;
  const control = controlOf(call, page);
  if (control === null) return null;
  if (namesPayment(control.name, control.role)) return `"${control.name}" pays, orders or buys`;
  const field = paymentField(page);
  const sends = page?.elements.some((element) => isPayment(element) && element.role === control.role && fold(element.name) === fold(control.name)) ?? false;
  const mayMove = (sends || (control.role !== "link" && control.role !== "tab")) && !retreats.test(fold(control.name));
  return field !== null && mayMove ? `this page takes a payment ("${field}")` : null;
}

/** Enter sends the form the focus is in, and nobody says which. */
function sendReason(page: PageView | null): string | null {
  if (page === null) return null;
  const field = paymentField(page);
  if (field !== null) return `this page takes a payment ("${field}")`;
  const control = page.elements.find((element) => element.role === "button" && namesPayment(element.name, element.role));
  return control === undefined ? null : `this page has the button "${control.name}"`;
}

/** Keys that send a form or press the control in focus. */
export function isEnter(key: unknown): boolean {
  return typeof key === "string" && /^(?:(?:.*\+)?(?:numpad)?(?:enter|return)|space| )$/iu.test(key);
}

function isPayment(element: PageElement): boolean {
  return element.payment === true;
}

function paymentField(page: PageView | null): string | null {
  return page?.elements.find((element) => element.action !== "click" && (isPayment(element) || namesPaymentField(element.name)))?.name ?? null;
}
