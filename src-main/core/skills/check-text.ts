import type { Check } from "#contract/skills/schema.ts";

/** What a check asks for, in words: "heading 'Billing'", "a file 'bill-*.pdf'". */
export function checkText(check: Check): string {
  if ("prose" in check) return check.prose;
  if ("file" in check) return `a file '${check.file.exists}'${check.file.contains === undefined ? "" : ` with '${check.file.contains}' in it`}`;
  if ("result" in check) {
    const { equals, matches } = check.result;
    return joined([equals === undefined ? "" : `result '${equals}'`, matches === undefined ? "" : `a result like '${matches}'`]);
  }
  const { heading, url, text, absent } = check.page;
  return joined([
    heading === undefined ? "" : `heading '${heading}'`,
    url === undefined ? "" : `address '${url}'`,
    text === undefined ? "" : `'${text}' on the page`,
    absent === undefined ? "" : `no '${absent}' on the page`,
  ]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" and ") || "nothing";
}

/** A check the host can decide without a person or a model. */
export function isStructured(check: Check | undefined): check is Exclude<Check, { prose: string }> {
  return check !== undefined && !("prose" in check);
}
