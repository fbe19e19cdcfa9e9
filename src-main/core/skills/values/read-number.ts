/** A number as people write it: thousands in groups of three, decimals behind a point or a comma; nothing that goes on ("10.0.0.1", "1,2,3"). */
export const numberPattern = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?)(?![.,]?\d)`;

const currency = String.raw`\p{Sc}|\b(?:EUR|GBP|USD|CHF)\b`;
const isMoney = new RegExp(currency, "u");

/** A sum with its currency before or behind it. */
export const amountPattern = new RegExp(
  String.raw`(?:\p{Sc}|\b(?:EUR|GBP|USD|CHF)\b)\s?${numberPattern}|(?<![\p{L}\p{N}.,/:-])${numberPattern}\s?(?:\p{Sc}|(?:EUR|GBP|USD|CHF)\b)`,
  "gu",
);

/**
 * "£1,234.50" → "1234.5", "1.234,50 €" → "1234.5", "7,5" → "7.5"; empty when there is no number. Of two signs the last is the decimal one; one
 * alone before exactly three digits parts thousands if it is a comma, or if it is money, which has no thousandths.
 */
export function plainNumber(text: string): string {
  const digits = /\d(?:[\d.,]*\d)?/u.exec(text)?.[0] ?? "";
  if (digits === "") return "";
  const at = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  const sign = digits[at];
  const grouped = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/u.test(digits) && (sign === "," || isMoney.test(text) || digits.indexOf(".") !== at);
  const whole = at < 0 || grouped ? digits : digits.slice(0, at);
  const decimals = at < 0 || grouped ? "" : digits.slice(at + 1);
  return String(Number(`${whole.replace(/[.,]/gu, "")}.${decimals}`));
}
