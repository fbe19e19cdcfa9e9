import { fold } from "#base/text.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import { isMarkRole } from "../skills/index.ts";

/** What the fields of a login are called. A secret of another kind, such as a card's number, is none. */
const secretWords =
  /(?:^|[^\p{L}])(?:pass(?:word|code|phrase|wort|wd)?|pwd|kennwort|pin|mot de passe|contraseña|wachtwoord|one.?time|otp|(?:security|verification|sign.?in|log.?in) code)(?:[^\p{L}]|$)/u;
const accountWords =
  /(?:^|[^\p{L}])(?:user(?:name)?|log ?in|e-?mail(?: address)?|account|customer|member(?:ship)?|client|identifier|reader|benutzer(?:name)?|konto|kennung|kundennummer|utilisateur|usuario|utente)(?:[^\p{L}]|$)/u;

const isField = ({ kind }: ShownAction): boolean => kind === "fill" || kind === "select";
const nameOf = ({ target }: ShownAction): string => fold(target?.name ?? "");
const isLoginSecret = (action: ShownAction): boolean => action.kind === "fill" && action.secret && secretWords.test(nameOf(action));
const isAccount = (action: ShownAction | undefined): action is ShownAction => action?.kind === "fill" && !action.secret && accountWords.test(nameOf(action));
const isMark = ({ kind, target }: ShownAction): boolean => kind === "click" && isMarkRole(target?.role ?? "");
const isSending = ({ kind, target, value }: ShownAction): boolean => (kind === "click" && target?.role === "button") || (kind === "press" && value === "Enter");

function isSamePage(a: ShownAction, b: ShownAction): boolean {
  return a.after.url === b.after.url && a.after.heading === b.after.heading;
}

/** A login as one action: its field, what it led to, and nothing that was typed. */
function login(field: ShownAction, sending: ShownAction | undefined): ShownAction {
  return { ...field, value: "", secret: true, ...(sending === undefined ? {} : { after: sending.after, isSent: true as const }) };
}

/**
 * To type an account's name and its password and to send them is one thing, and so is to type the name alone on a page before: each becomes the one action
 * that a login of the vault takes the place of. Other fields of that page are filled in first; their order is nobody's concern.
 */
export function joinLogins(actions: readonly ShownAction[]): ShownAction[] {
  const joined: ShownAction[] = [];
  for (let at = 0; at < actions.length; at += 1) {
    const action = actions[at] as ShownAction;
    if (!isLoginSecret(action)) {
      joined.push(action);
      continue;
    }
    const form = formBefore(joined, action);
    const { more, sending, next } = formAfter(actions, at);
    if (form.some(isOtherSecret) || more.some(isOtherSecret)) {
      joined.push(action);
      continue;
    }
    joined.splice(joined.length - form.length, form.length);
    const account = form.findLast(isAccount);
    const onPage = [...form.filter((one) => one !== account), ...more].filter((one) => !isLoginSecret(one));
    if (account === undefined) joinPageBefore(joined);
    joined.push(...onPage, login(action, sending));
    at = next - 1;
  }
  return joined;
}

/** What is a secret of another kind: then this is no form for signing in, or not only. */
function isOtherSecret(action: ShownAction): boolean {
  return isField(action) && action.secret && !isLoginSecret(action);
}

/** What was done in the form of this field right before. */
function formBefore(before: readonly ShownAction[], secret: ShownAction): ShownAction[] {
  const from = before.findLastIndex((action) => !((isField(action) || isMark(action)) && isSamePage(action, secret) && action.isSent !== true));
  return before.slice(from + 1);
}

/** What was done in it after, up to what sent it. */
function formAfter(
  actions: readonly ShownAction[],
  at: number,
): { readonly more: ShownAction[]; readonly sending: ShownAction | undefined; readonly next: number } {
  const secret = actions[at] as ShownAction;
  let next = at + 1;
  const inForm = (action: ShownAction | undefined): boolean => action !== undefined && (isField(action) || isMark(action)) && isSamePage(action, secret);
  while (inForm(actions[next])) next += 1;
  const sending = actions[next];
  const isSent = sending !== undefined && isSending(sending);
  return { more: actions.slice(at + 1, next), sending: isSent ? sending : undefined, next: isSent ? next + 1 : next };
}

/** The account's name on a page of its own, sent before the page with the password came. */
function joinPageBefore(joined: ShownAction[]): void {
  const [account, sending] = joined.slice(-2);
  if (!isAccount(account) || sending === undefined || !isSending(sending)) return;
  joined.splice(joined.length - 2, 2, login(account, sending));
}

/** A login of the agent's own as a showing has it, so that both can be aligned: which entry it was is decided once, for all of them. */
export function asShownLogin(action: ShownAction): ShownAction {
  if (action.call?.tool !== "browser_login") return action;
  const { call: _call, ...rest } = action;
  return { ...rest, kind: "fill", target: { role: "textbox", name: "password" }, value: "", secret: true, isSent: true };
}

/** What typed the name of an account that a login of the vault types instead: the name is no part of a routine. */
export function accountsOf(actions: readonly ShownAction[]): ReadonlySet<ShownAction> {
  const kept = new Set(joinLogins(actions));
  return new Set(actions.filter((action) => isAccount(action) && !kept.has(action)));
}
