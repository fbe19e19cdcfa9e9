import { z } from "zod";
import { fold } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import { type Target, targetSchema } from "#contract/skills/schema.ts";
import type { ActionOutcome, PageElement, PageView } from "../../ports/browser.ts";
import { defineTool, type ToolResult } from "../define-tool.ts";
import { browserExpect } from "./expect.ts";
import { browserExtract } from "./extract.ts";

function targetText(target: Target): string {
  return `${target.role} ${target.name}${target.within ? ` (${target.within})` : ""}`;
}

/**
 * The text the model reads after an action; the page itself is added to the newest turn by the prompt. Only its first word is Knack's own: what was acted
 * on, where it led and what came of it are names, addresses and files of the page.
 */
function report(told: string, outcome: ActionOutcome, value?: string): ToolResult {
  const files = outcome.downloads.map((file) => file.name);
  const refused = outcome.refused.map((refusal) => refusal.message);
  const parts = [told, files.length > 0 ? `Downloaded ${files.join(", ")}.` : "", ...refused.slice(0, 2)];
  return {
    said: told.slice(0, told.indexOf(" ")),
    text: parts.filter((part) => part !== "").join(" "),
    page: outcome.page,
    downloads: outcome.downloads,
    details: {
      url: outcome.page.url,
      title: outcome.page.title,
      heading: outcome.page.heading,
      downloads: files,
      ...((outcome.status ?? 0) >= 400 ? { status: outcome.status } : {}),
      ...(refused.length > 0 ? { refused } : {}),
    },
    ...(value === undefined ? {} : { value }),
  };
}

/** Says that the site answered with an error: such a page looks like any other. */
function answered({ status = 200 }: ActionOutcome): string {
  return status >= 400 ? ` (the site answered ${status})` : "";
}

function shows(page: PageView): string {
  return `Page: ${page.heading || page.title || page.url}.`;
}

export const browserOpen = defineTool({
  id: "browser_open",
  primitive: "browser",
  description: "browser_open {url}: open a page",
  args: z.object({ url: z.string().min(1).max(4000) }),
  async run({ url }, { browser, signal }) {
    const outcome = await (await browser()).open(url, signal);
    return report(`Opened ${outcome.page.url}${answered(outcome)}. ${shows(outcome.page)}`, outcome);
  },
});

export const browserClick = defineTool({
  id: "browser_click",
  primitive: "browser",
  description: "browser_click {target}: press a link, button, tab or box of the page",
  args: z.object({ target: targetSchema }),
  async run({ target }, { browser, signal }) {
    const outcome = await (await browser()).click(target, signal);
    return report(`Pressed ${targetText(target)}${answered(outcome)}. ${shows(outcome.page)}`, outcome);
  },
});

export const browserDownload = defineTool({
  id: "browser_download",
  primitive: "browser",
  description: "browser_download {target}: press a control that gives a file",
  args: z.object({ target: targetSchema }),
  async run({ target }, { browser, signal }) {
    const outcome = await (await browser()).click(target, signal);
    if (outcome.downloads.length === 0) throw new KnackError("browser.no-download", `${targetText(target)} gave no file`);
    return report(`Pressed ${targetText(target)}.`, outcome);
  },
});

/** The same field after the action: its row text may have changed, its role and name not. */
function fieldAfter(page: PageView, target: Target): PageElement | undefined {
  const same = page.elements.filter((element) => element.role === target.role && fold(element.name) === fold(target.name));
  return same.find((element) => element.within === (target.within ?? "")) ?? same[0];
}

export const browserFill = defineTool({
  id: "browser_fill",
  primitive: "browser",
  description: "browser_fill {target,text}: type into a field",
  args: z.object({ target: targetSchema, text: z.string().max(10_000) }),
  async run({ target, text }, { browser, signal }) {
    const outcome = await (await browser()).fill(target, text, signal);
    const field = fieldAfter(outcome.page, target);
    const value = field?.secret ? "" : (field?.value ?? text);
    return report(`Filled ${targetText(target)} with ${value}.`, outcome, value);
  },
});

export const browserSelect = defineTool({
  id: "browser_select",
  primitive: "browser",
  description: "browser_select {target,option}: choose in a list",
  args: z.object({ target: targetSchema, option: z.string().max(1000) }),
  async run({ target, option }, { browser, signal }) {
    const outcome = await (await browser()).select(target, option, signal);
    const field = fieldAfter(outcome.page, target);
    // A page that reloads its list under another name still took the option.
    return report(`Chose ${option} in ${targetText(target)}.`, outcome, field?.value || option);
  },
});

export const browserPress = defineTool({
  id: "browser_press",
  primitive: "browser",
  description: "browser_press {key}: press a key, such as Enter",
  args: z.object({ key: z.enum(["Enter", "Escape", "Tab", "ArrowDown", "ArrowUp", "PageDown", "PageUp"]) }),
  async run({ key }, { browser, signal }) {
    const outcome = await (await browser()).press(key, signal);
    return report(`Pressed ${key}${answered(outcome)}. ${shows(outcome.page)}`, outcome);
  },
});

export const browserWait = defineTool({
  id: "browser_wait",
  primitive: "browser",
  description: "browser_wait {seconds}: wait for the page, 1 to 10 seconds",
  args: z.object({ seconds: z.coerce.number().min(1).max(10) }),
  async run({ seconds }, { browser, signal }) {
    const outcome = await (await browser()).wait(seconds * 1000, signal);
    return report(`Waited ${seconds} s${answered(outcome)}. ${shows(outcome.page)}`, outcome);
  },
});

export const browserSnapshot = defineTool({
  id: "browser_snapshot",
  primitive: "browser",
  description: "browser_snapshot {}: look at the page again",
  args: z.object({}),
  async run(_args, { browser, signal }) {
    const page = await (await browser()).view(signal);
    return { text: shows(page), page, details: { url: page.url, title: page.title, heading: page.heading } };
  },
});

export const browserTools = [
  browserOpen,
  browserClick,
  browserFill,
  browserSelect,
  browserPress,
  browserWait,
  browserSnapshot,
  browserExtract,
  browserExpect,
  browserDownload,
];
