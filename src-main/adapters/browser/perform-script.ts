import { setTimeout as sleep } from "node:timers/promises";
import { fold } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { BrowserWindow } from "./browser-window.ts";
import type { SeenElement } from "./elements.ts";
import { findTarget } from "./find-target.ts";
import type { RecorderLink } from "./recorder-link.ts";
import { takeSnapshot } from "./snapshot.ts";

export interface Stage {
  readonly window: BrowserWindow;
  readonly link: () => RecorderLink | undefined;
  /** Opens a page and takes it down. */
  readonly open: (url: string, signal: AbortSignal) => Promise<void>;
  /** Reports of the recorder so far. */
  readonly reports: () => number;
  /** Resolves when everything reported has been taken down. */
  readonly idle: () => Promise<void>;
}

const ACTION_TIMEOUT_MS = 5_000;
const APPEAR_MS = 3_000;
const REPORT_MS = 2_000;

/** Performs a showing in the window with real mouse and keyboard input; each action has been taken down before the next begins. */
export async function performScript(script: readonly (readonly string[])[], stage: Stage, signal: AbortSignal): Promise<void> {
  for (const [index, line] of script.entries()) {
    signal.throwIfAborted();
    await performLine(line, stage, signal).catch((error: unknown) => {
      if (error instanceof KnackError)
        throw new KnackError(error.code, `Line ${index + 1} (${line.join(" ")}): ${error.message}`, { exit: error.exit, fields: error.fields });
      throw error;
    });
  }
}

async function performLine(line: readonly string[], stage: Stage, signal: AbortSignal): Promise<void> {
  const [verb, first = "", second = "", row = ""] = line;
  switch (verb) {
    case "open":
      return stage.open(first, signal);
    case "click":
      return taken(stage, signal, async () => {
        const found = await find(stage, signal, (elements) => byRoleAndName(elements, first, second, row), `${first} "${second}"`);
        await locatorOf(stage, found).click({ timeout: ACTION_TIMEOUT_MS, signal });
      });
    case "fill":
      return taken(stage, signal, async () => {
        const found = await find(
          stage,
          signal,
          (elements) =>
            byName(
              elements.filter((each) => each.action === "fill"),
              first,
              row,
            ),
          `field "${first}"`,
        );
        await driven(stage, () => locatorOf(stage, found).fill(second, { timeout: ACTION_TIMEOUT_MS, signal }));
        await stage.link()?.tellAll("flush");
      });
    case "select":
      return taken(stage, signal, async () => {
        const found = await find(
          stage,
          signal,
          (elements) =>
            byName(
              elements.filter((each) => each.action === "select"),
              first,
              row,
            ),
          `list "${first}"`,
        );
        const label = found.options.find((option) => option === second) ?? found.options.find((option) => fold(option) === fold(second));
        if (label === undefined) throw new KnackError("browser.option-missing", `The list "${first}" has no "${second}". It has: ${found.options.join(", ")}.`);
        await driven(stage, () => locatorOf(stage, found).selectOption({ label }, { timeout: ACTION_TIMEOUT_MS, signal }));
      });
    case "press":
      return taken(stage, signal, () => stage.window.page.keyboard.press(first));
    default:
      throw new KnackError("bad-input", `"${verb ?? ""}" cannot be shown; expected open, click, fill, select or press.`, { exit: 2 });
  }
}

function locatorOf(stage: Stage, element: SeenElement) {
  return stage.window.page.getByRef(element.ref);
}

/** Fields set by a driver raise events that are not a person's; for this moment they count as one. */
async function driven(stage: Stage, work: () => Promise<unknown>): Promise<void> {
  await stage.link()?.tellAll("drive", true);
  await work();
  await stage.link()?.tellAll("drive", false);
}

/** Does something and waits until the recorder has seen it and taken it down. */
async function taken(stage: Stage, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const before = stage.reports();
  await work();
  const until = Date.now() + REPORT_MS;
  while (stage.reports() === before && Date.now() < until) await sleep(10, undefined, { signal });
  await stage.idle();
}

async function find(
  stage: Stage,
  signal: AbortSignal,
  choose: (elements: readonly SeenElement[]) => SeenElement | undefined,
  what: string,
): Promise<SeenElement> {
  const until = Date.now() + APPEAR_MS;
  for (;;) {
    const { tree } = await takeSnapshot(stage.window.page, signal);
    const found = choose(tree.elements);
    if (found !== undefined) return found;
    if (Date.now() > until)
      throw new KnackError(
        "browser.target-missing",
        `There is no ${what} on this page. There is: ${tree.elements
          .slice(0, 20)
          .map((each) => each.label)
          .join(", ")}.`,
      );
    await sleep(100, undefined, { signal });
  }
}

function byRoleAndName(elements: readonly SeenElement[], role: string, name: string, row: string): SeenElement | undefined {
  const exact = findTarget(elements, { role, name, ...(row === "" ? {} : { within: row }) });
  if (exact.kind === "one") return exact.element;
  if (exact.kind === "several") return exact.elements[0];
  return byName(
    elements.filter((each) => each.role === role),
    name,
    row,
  );
}

/** Exact first, then folded, then as a part; the first of several. With a row only those in it. */
function byName(all: readonly SeenElement[], name: string, row: string): SeenElement | undefined {
  const wanted = fold(name);
  const elements = row === "" ? all : all.filter((each) => fold(`${each.within} ${each.around}`).includes(fold(row)));
  return (
    elements.find((each) => each.name === name) ??
    elements.find((each) => fold(each.name) === wanted) ??
    elements.find((each) => fold(each.name).includes(wanted))
  );
}
