import { fold, words } from "#base/text.ts";

/** First words of a control that pays, orders or buys. */
const deeds = new Set([
  ...["pay", "prepay", "repay", "buy", "bid", "purchase", "order", "preorder", "reorder", "donate", "checkout", "rebuy"],
  ...["kaufen", "bezahlen", "bestellen", "überweisen", "acheter", "payer", "commander", "comprar", "pagar", "acquista", "paga", "ordina", "kopen", "betalen"],
]);

/** Deeds that as the whole name of a link usually lead to a page of that kind. */
const places = new Set(["order", "checkout", "bid", "donate"]);

/** What follows a deed in the name of something that only leads somewhere. */
const nouns = new Set([
  ...["history", "status", "details", "detail", "tracking", "method", "methods", "overview", "summary", "date", "number", "options", "option", "confirmation"],
  ...[
    "form",
    "forms",
    "guide",
    "guides",
    "info",
    "information",
    "help",
    "faq",
    "slip",
    "slips",
    "stub",
    "stubs",
    "scale",
    "scales",
    "grade",
    "grades",
    "period",
    "periods",
    "rate",
    "rates",
    "later",
    "list",
    "id",
  ],
]);

/** Said before the deed without changing it. */
const openings = new Set([
  "please",
  "yes",
  "ok",
  "okay",
  "continue",
  "proceed",
  "confirm",
  "review",
  "submit",
  "agree",
  "save",
  "and",
  "to",
  "the",
  "pre",
  "re",
  "jetzt",
  "nun",
]);

/** Deeds told by several words, anywhere in the name; folded, words parted by one space. */
const phrases = [
  /\b(?:place|submit|send|confirm|complete|finali[sz]e|finish)(?: \w+){0,3}? (?:order|purchase|payment|bid|transfer)\b/u,
  /\b(?:make|authori[sz]e|approve|schedule)(?: \w+){0,3}? (?:payment|purchase|transfer)\b/u,
  /\b(?:pay|buy|order|donate|bid) now\b|\band pay\b|\bcheck out(?: now| securely| with .*)?$|\b(?:transfer|send) (?:money|funds)\b/u,
  /\b(?:zahlungspflichtig|kostenpflichtig)\b|(?:^| )(?:kaufen|bezahlen|bestellen|überweisen)$|\bbestellung (?:abschicken|absenden|aufgeben|abschließen)\b/u,
  /\bpasser (?:la |ma )?commande\b|\brealizar (?:el )?(?:pedido|pago)\b/u,
];

/** Does a control of this name pay, order or buy? When in doubt it does. */
export function namesPayment(name: string, role: string): boolean {
  const said = words(fold(name).replaceAll("&", " and ").replaceAll("-", " "));
  const text = said.join(" ");
  if (phrases.some((phrase) => phrase.test(text))) return true;
  const rest = said.slice(said.findIndex((word) => !openings.has(word)));
  const [deed, next] = rest;
  if (deed === undefined || !deeds.has(deed) || isPlace(deed, next)) return false;
  return role !== "link" || rest.length > 1 || !places.has(deed);
}

function isPlace(deed: string, next: string | undefined): boolean {
  return next !== undefined && (nouns.has(next) || (deed === "order" && next === "by"));
}

const cardField =
  /(?<!\p{L})(?:(?:credit|debit|bank)?[ -]?card ?(?:number|no\.?|holder)|cardnumber|name on (?:the )?card|cvv2?|cvc2?|csc|security code|expir(?:y|ation)(?: date)?|valid (?:thru|until)|iban|sort code|kartennummer|prüfziffer|numéro de carte|número de (?:la )?tarjeta)(?!\p{L})/u;

/** Does a field of this name take a means of payment? */
export function namesPaymentField(name: string): boolean {
  return cardField.test(fold(name));
}

const payingTool = /(?:^|_)(?:pay|payment|purchase|buy|checkout|order|transfer|donate)(?:_|$)/u;
const lookingTool = /(?:^|_)(?:get|list|show|read|find|search|count|check|status|view|history)(?:_|$)/u;

/** Tools of MCP servers, by their names: "place_order", but not "get_order_status". */
export function toolPays(tool: string): boolean {
  const name = tool
    .replace(/([a-z])([A-Z])/gu, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  return payingTool.test(name) && !lookingTool.test(name);
}
