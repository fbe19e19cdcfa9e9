import type { Check } from "#contract/skills/schema.ts";

/** A check as a sentence: "heading “Billing” is shown". Prose checks are said to need judgement. */
export function formatCheck(check: Check): string {
  if ("prose" in check) return `${check.prose} (needs judgement)`;
  if ("file" in check) return `file “${check.file.exists}” is there${check.file.contains === undefined ? "" : ` and contains “${check.file.contains}”`}`;
  if ("result" in check) {
    const { equals, matches } = check.result;
    return [equals === undefined ? null : `result is “${equals}”`, matches === undefined ? null : `result matches “${matches}”`]
      .filter((part) => part !== null)
      .join(" and ");
  }
  const { heading, url, text, absent } = check.page;
  const parts = [
    heading === undefined ? null : `heading “${heading}” is shown`,
    url === undefined ? null : `address is ${url}`,
    text === undefined ? null : `“${text}” is shown`,
    absent === undefined ? null : `“${absent}” is not shown`,
  ];
  return parts.filter((part) => part !== null).join(" and ");
}
