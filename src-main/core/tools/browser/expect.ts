import { z } from "zod";
import { KnackError } from "#contract/errors.ts";
import type { PageView } from "../../ports/browser.ts";
import { defineTool } from "../define-tool.ts";
import { expectable, isCount, sight } from "./expectation.ts";

/** Milliseconds between two looks. */
const lookAgainMs = 250;

const args = z
  .object({
    what: z.enum(expectable).default("text"),
    is: z.enum(["there", "gone"]).default("there"),
    /** The field of a value, by its label or name; what is counted: a table or list by its name, a role, or a name. */
    of: z.string().min(1).max(500).optional(),
    text: z.string().max(1000),
    seconds: z.coerce.number().min(0).max(30).default(3),
  })
  .superRefine(({ what, of, text }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if ((what === "value" || what === "count") && of === undefined) wrong("of", `say ${what === "value" ? "which field" : "what is counted"}`);
    if (what === "count" && !isCount(text)) wrong("text", 'say how many: "3", "at least 3" or "at most 3"');
    if (what !== "value" && text.trim() === "") wrong("text", "say what is expected");
  });

/**
 * Looks whether the page shows what is expected, again and again until it does or the time is over; what is to be gone must be so at a look. A check that
 * held is observable success (SPEC 2). Throws "browser.expectation" with what was expected and what was seen.
 */
export const browserExpect = defineTool({
  id: "browser_expect",
  primitive: "browser",
  description:
    "browser_expect {text}: check that the page shows a text; {what: heading, value, address or count} for other things, {is: gone} for what must not be there",
  args,
  async run({ what, is, of, text, seconds }, { browser, signal }) {
    const session = await browser();
    const expectation = { what, of: of ?? "", text };
    const isMet = (page: PageView): boolean => sight(page, expectation).holds === (is === "there");
    let page = await session.view(signal);
    for (let left = seconds * 1000; !isMet(page) && left > 0; left -= lookAgainMs) page = (await session.wait(Math.min(lookAgainMs, left), signal)).page;
    const { wanted, seen } = sight(page, expectation);
    if (!isMet(page))
      throw new KnackError("browser.expectation", is === "there" ? `Expected ${wanted}, saw ${seen}.` : `Expected ${wanted} to be gone, and it is there.`);
    return {
      text: is === "there" ? `As expected: ${wanted}.` : `As expected, gone: ${wanted}.`,
      page,
      value: text,
      details: { url: page.url, verified: true },
    };
  },
});
