import { z } from "zod";
import { squash } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import { defineTool } from "../define-tool.ts";

export const webFetch = defineTool({
  id: "web_fetch",
  primitive: "web_fetch",
  description: "web_fetch {url}: read a page as text, without opening it",
  args: z.object({ url: z.string().min(1).max(4000) }),
  async run({ url }, { fetchPage, signal }) {
    if (fetchPage === undefined) throw new KnackError("fetch.none", "Pages cannot be read here without a browser.");
    const page = await fetchPage(url, signal);
    return {
      // The address a site led to holds words of the site as well.
      text: [page.url, ...(page.status >= 400 ? [`The site answered ${page.status}.`] : []), squash(page.title), "", page.text].join("\n"),
      origin: page.origin,
      details: { url: page.url, title: squash(page.title), status: page.status, hops: page.hops, ...(page.isCut ? { cut: true } : {}) },
    };
  },
});

export const webTools = [webFetch];
