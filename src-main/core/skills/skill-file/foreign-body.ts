import { squash } from "#base/text.ts";
import type { SkillStep } from "#contract/skills/schema.ts";

/**
 * Steps out of a text somebody else wrote: its top-level numbered items, else its paragraphs. They are prose without
 * calls and checks, so each needs judgement and the skill never runs strictly.
 */
export function stepsOfText(body: string): SkillStep[] {
  const numbered = blocks(body, /^\d{1,3}[.)]\s+/u);
  const found = numbered.length > 0 ? numbered : paragraphs(body);
  return found.map((text) => ({ do: text, onFail: "stop and report" }));
}

/** First heading, without its marks. Without a pattern that looks back and forth: a line of half a million marks would hold up the start. */
export function headingOf(body: string): string {
  const written = /^#{1,6}[ \t]+(.+)$/mu.exec(body)?.[1] ?? "";
  let end = written.length;
  while (end > 0 && " \t#".includes(written.charAt(end - 1))) end -= 1;
  return squash(written.slice(0, end) || written);
}

/** First paragraph that is text. */
export function firstParagraph(body: string): string {
  return paragraphs(body)[0] ?? "";
}

function blocks(body: string, start: RegExp): string[] {
  const items: string[] = [];
  let isOpen = false;
  for (const line of outsideCode(body)) {
    if (start.test(line)) {
      items.push(line.replace(start, ""));
      isOpen = true;
    } else if (isOpen && /^\s+\S/u.test(line)) items[items.length - 1] += ` ${line.trim()}`;
    else if (line.trim() !== "") isOpen = false;
  }
  return items.map(squash).filter((item) => item !== "");
}

function paragraphs(body: string): string[] {
  return outsideCode(body)
    .map((line) => (/^\s*#/u.test(line) ? "" : line))
    .join("\n")
    .split(/\n\s*\n/u)
    .map(squash)
    .filter((text) => text !== "");
}

function outsideCode(body: string): string[] {
  let isCode = false;
  return body.split("\n").filter((line) => {
    const isFence = /^\s*(?:```|~~~)/u.test(line);
    if (isFence) isCode = !isCode;
    return !isCode && !isFence;
  });
}
