import { setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { fold } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { Target } from "#contract/skills/schema.ts";
import { checkValue } from "./bad-value.ts";
import type { SeenElement } from "./elements.ts";
import { ambiguousTarget, findTarget, missingTarget, targetText } from "./find-target.ts";
import { requireShown, staleTarget } from "./shown-elements.ts";
import { takeSnapshot } from "./snapshot.ts";

const ACTION_TIMEOUT_MS = 5_000;
/** A click is over when it was made: what it sets off is waited for by `settle`, whose patience is that of a navigation. */
const MADE = { noWaitAfter: true } as const;
/** How long a target that is not there yet is waited for. */
const APPEAR_MS = 1_500;
const LOOK_AGAIN_MS = 150;

export interface FoundElement {
  readonly page: Page;
  readonly target: Target;
  readonly element: SeenElement;
  readonly locator: Locator;
}

/** The one element a target means on the page as it is now. Throws browser.target-missing, -ambiguous or -disabled; ref.stale for another node than was shown. */
export async function locate(page: Page, target: Target, signal: AbortSignal): Promise<FoundElement> {
  const until = Date.now() + APPEAR_MS;
  for (;;) {
    const { tree } = await takeSnapshot(page, signal);
    const found = findTarget(tree.elements, target);
    if (found.kind === "several") throw ambiguousTarget(target, found.elements);
    const isReady = found.kind === "one" && !found.element.disabled;
    if (found.kind === "one") requireShown(page, target, found.element);
    if (isReady) return { page, target, element: found.element, locator: page.getByRef(found.element.ref) };
    if (Date.now() >= until) {
      if (found.kind === "missing") throw missingTarget(target, tree.elements);
      throw new KnackError("browser.target-disabled", `The ${targetText(target)} is there and cannot be used now: it is disabled.`, { fields: { target } });
    }
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** Does something to the very node that was found. One that the page took away meanwhile is waited for in vain, and is stale. */
async function onNode(found: FoundElement, signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  await work.catch(async (error: unknown) => {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    const now = isTimeout ? await takeSnapshot(found.page, signal).catch(() => null) : null;
    const { node } = found.element;
    const documentOf = (id: string): string => id.slice(0, id.indexOf(" "));
    const isSameDocument = now?.tree.elements.some((each) => each.node !== "" && documentOf(each.node) === documentOf(node)) ?? false;
    if (isSameDocument && !now?.tree.elements.some((each) => each.node === node)) throw staleTarget(found.target, "the page took it away");
    throw error;
  });
}

export async function clickElement(found: FoundElement, signal: AbortSignal): Promise<void> {
  await onNode(found, signal, pressed(found, signal));
}

async function pressed(found: FoundElement, signal: AbortSignal): Promise<void> {
  const isMark = found.element.role === "checkbox" || found.element.role === "radio" || found.element.role === "switch";
  if (!isMark) {
    await found.locator.click({ ...MADE, timeout: ACTION_TIMEOUT_MS, signal });
    return;
  }
  // Styled marks are often drawn by their label over an input that cannot be hit.
  await found.locator.click({ ...MADE, timeout: 1_000, signal }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== "TimeoutError") throw error;
    return found.locator.dispatchEvent("click", undefined, { timeout: ACTION_TIMEOUT_MS, signal });
  });
}

export async function fillElement(found: FoundElement, text: string, signal: AbortSignal): Promise<void> {
  const { element, locator } = found;
  if (element.action === "click") throw new KnackError("browser.wrong-action", `"${element.label}" cannot be typed into; it can be clicked.`);
  if (element.readOnly) throw new KnackError("browser.target-disabled", `The field "${element.name}" is read-only.`);
  checkValue(element.type, text, element.name);
  await onNode(found, signal, locator.fill(text, { timeout: ACTION_TIMEOUT_MS, signal }));
}

/** Chooses by the label a person sees. Throws browser.option-missing with the labels there are. */
export async function selectOption(page: Page, found: FoundElement, option: string, signal: AbortSignal): Promise<void> {
  const { element, locator } = found;
  if (element.action === "select") {
    const labels = element.options;
    const wanted = labels.find((label) => label === option) ?? labels.find((label) => fold(label) === fold(option));
    if (wanted === undefined) throw missingOption(option, element.name, labels);
    await onNode(found, signal, locator.selectOption({ label: wanted }, { timeout: ACTION_TIMEOUT_MS, signal }));
    return;
  }
  if (element.role !== "combobox") throw new KnackError("browser.wrong-action", `"${element.label}" is not a list to choose from.`);
  await locator.click({ ...MADE, timeout: ACTION_TIMEOUT_MS, signal });
  const until = Date.now() + APPEAR_MS;
  for (;;) {
    const { tree } = await takeSnapshot(page, signal);
    const options = tree.elements.filter((each) => each.role === "option");
    const wanted = options.find((each) => fold(each.name) === fold(option));
    if (wanted !== undefined) {
      await page.getByRef(wanted.ref).click({ ...MADE, timeout: ACTION_TIMEOUT_MS, signal });
      return;
    }
    if (Date.now() >= until) {
      await page.keyboard.press("Escape");
      throw missingOption(
        option,
        element.name,
        options.map((each) => each.name),
      );
    }
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

function missingOption(option: string, list: string, labels: readonly string[]): KnackError {
  const shown = labels.slice(0, 30).join(", ");
  return new KnackError("browser.option-missing", `The list "${list}" has no "${option}". It has: ${shown}${labels.length > 30 ? ", …" : ""}.`, {
    fields: { options: labels },
  });
}
