import { fold, words } from "#base/text.ts";

/** First words of a control that pays, orders or buys. */
const deeds = new Set([
  ...["pay", "prepay", "repay", "buy", "bid", "purchase", "order", "preorder", "reorder", "donate", "checkout", "rebuy"],
  ...["kaufen", "bezahlen", "bestellen", "überweisen", "zahlen", "spenden", "acheter", "payer", "commander", "comprar", "pagar", "donar"],
  ...["acquista", "acquistare", "paga", "pagare", "ordina", "ordinare", "kopen", "koop", "betalen", "betaal", "bestel", "doneer", "doar", "encomendar"],
  ...["zapłać", "kup", "zamów", "köp", "betala", "beställ", "køb", "kjøp", "betal", "bestil", "оплатить", "купить", "заказать"],
]);

/** Words that, with an amount of money in the same name, move that money: "Send £500 to Bob", "Subscribe for £9.99". */
const moves = new Set([
  ...[
    "send",
    "give",
    "transfer",
    "wire",
    "remit",
    "move",
    "subscribe",
    "contribute",
    "tip",
    "pledge",
    "deposit",
    "invest",
    "upgrade",
    "renew",
    "join",
    "unlock",
  ],
  ...["confirm", "authorise", "authorize", "approve", "place", "charge", "top", "hire", "rent", "start", "get", "gift", "sponsor", "settle", "withdraw"],
  ...[
    "senden",
    "sende",
    "schicken",
    "schicke",
    "überweise",
    "zahle",
    "bezahle",
    "spende",
    "kaufe",
    "bestelle",
    "abonnieren",
    "abonniere",
    "aufladen",
    "einzahlen",
  ],
  ...["envoyer", "envoie", "verser", "virer", "donner", "transférer", "régler", "abonner", "s'abonner", "recharger", "offrir", "confirmer"],
  ...[
    "enviar",
    "envía",
    "envia",
    "transferir",
    "transfiere",
    "suscribirse",
    "suscribir",
    "suscríbete",
    "ingresar",
    "recargar",
    "paga",
    "compra",
    "dona",
    "confirmar",
  ],
  ...[
    "invia",
    "inviare",
    "trasferisci",
    "trasferire",
    "versa",
    "versare",
    "donare",
    "abbonati",
    "ricarica",
    "conferma",
    "assinar",
    "assine",
    "pague",
    "compre",
  ],
  ...["stuur", "sturen", "verstuur", "overmaken", "overboeken", "doneren", "abonneren", "abonneer", "bevestig", "koopt"],
  ...[
    "wyślij",
    "wysłać",
    "przelej",
    "zapłacić",
    "kupić",
    "wpłać",
    "przekaż",
    "skicka",
    "överför",
    "overfør",
    "prenumerera",
    "abonner",
    "doner",
    "donera",
    "swisha",
  ],
  ...[
    "отправить",
    "перевести",
    "заплатить",
    "подписаться",
    "пожертвовать",
    "gönder",
    "öde",
    "bağışla",
    "aktar",
    "надіслати",
    "сплатити",
    "купити",
    "переказати",
  ],
]);
/** The same in writing without spaces between words. */
const unspaced = /支払|購入|送金|注文|寄付|振込|支付|付款|购买|購買|转账|轉帳|捐款|捐赠|订购|送る|결제|송금|구매|주문|기부/u;

/** Folded names: a sign of a currency or its code beside a number. */
const amount =
  /\p{Sc}\s?\d|\d[\d.,' ]*\s?(?:\p{Sc}|(?:euros?|dollars?|pounds?|quid|yen|eur|usd|gbp|chf|jpy|cny|inr|sek|nok|dkk|pln|czk|huf|ron|aud|cad|nzd|brl|mxn|krw|try|zar|kr|zł|kč|ft|lei|fr|руб|рублей|грн|tl|円|元|원)(?!\p{L}))|(?<!\p{L})(?:eur|usd|gbp|chf|jpy|cny|inr|sek|nok|dkk|pln|czk|huf|ron|aud|cad|nzd|brl|mxn|krw|zar|rs|kr)\.?\s?\d/u;

/** First words of a control that looks at amounts and moves none. */
const looks = new Set([
  ...["view", "show", "see", "filter", "sort", "search", "find", "edit", "cancel", "details", "open", "download", "print", "back", "compare", "hide"],
  ...[
    "anzeigen",
    "suchen",
    "filtern",
    "afficher",
    "voir",
    "filtrer",
    "ver",
    "mostrar",
    "buscar",
    "filtrar",
    "mostra",
    "cerca",
    "toon",
    "zoek",
    "pokaż",
    "visa",
  ],
]);

/** Deeds that as the whole name of a link usually lead to a page of that kind. */
const places = new Set(["order", "checkout", "bid", "donate", "spenden"]);

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
  if (phrases.some((phrase) => phrase.test(text)) || movesMoney(said, fold(name))) return true;
  const rest = said.slice(said.findIndex((word) => !openings.has(word)));
  const [deed, next] = rest;
  if (deed === undefined || !deeds.has(deed) || isPlace(deed, next)) return false;
  return role !== "link" || rest.length > 1 || !places.has(deed);
}

function movesMoney(said: readonly string[], folded: string): boolean {
  if (unspaced.test(folded)) return true;
  if (!amount.test(folded) || looks.has(said[0] ?? "")) return false;
  return said.some((word, index) => moves.has(word) || (deeds.has(word) && !isPlace(word, said[index + 1])));
}

function isPlace(deed: string, next: string | undefined): boolean {
  return next !== undefined && (nouns.has(next) || (deed === "order" && next === "by"));
}

/** Cards that pay for nothing. */
const otherCard = /(?<!\p{L})(?:library|membership|member|loyalty|student|staff|id|identity|travel|patient|insurance)(?:'s)? card/u;
const cardField =
  /(?<!\p{L})(?:(?:credit|debit|bank)?[ -]?card ?(?:number|no\.?|holder)|cardnumber|name on (?:the )?card|cvv2?|cvc2?|csc|security code|expir(?:y|ation)(?: date)?|valid (?:thru|until)|iban|sort code|kartennummer|kreditkarte(?:nnummer)?|prüfziffer|numéro de (?:la )?carte|cryptogramme|número de (?:la )?tarjeta|código de seguridad|numero (?:di|della) carta|número do cartão|kaartnummer|numer karty|kortnummer|номер карты)(?!\p{L})|卡号|カード番号|카드 ?번호/u;

/** Does a field of this name take a means of payment? */
export function namesPaymentField(name: string): boolean {
  const folded = fold(name);
  return cardField.test(folded) && !otherCard.test(folded);
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
