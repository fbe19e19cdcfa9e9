import type { Page } from "playwright-core";
import { KnackError } from "#contract/errors.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { SeenElement } from "./elements.ts";
import { findTarget, targetText } from "./find-target.ts";
import type { ReadTree } from "./read-tree.ts";

const pages = new WeakMap<ReadTree, Page>();
const shown = new WeakMap<Page, ReadTree>();

/** Notes which page a tree was read from. */
export function isTreeOf(tree: ReadTree, page: Page): void {
  pages.set(tree, page);
}

/** The tree left this room: whoever names an element of its page from now on means one that stands in it. */
export function wasShown(tree: ReadTree): void {
  const page = pages.get(tree);
  if (page !== undefined) shown.set(page, tree);
}

/**
 * The element a target means now must be the very node that was shown under that name, in the same form. A name that was not shown yet, or stood for
 * several, binds nothing. Throws "ref.stale"; nothing has been done then.
 */
export function requireShown(page: Page, target: Target, now: SeenElement): void {
  const tree = shown.get(page);
  const before = tree === undefined ? undefined : findTarget(tree.elements, target);
  if (before?.kind !== "one") return;
  const then = before.element;
  if (then.node === "" || now.node === "" || (then.node === now.node && then.form === now.form)) return;
  throw staleTarget(target, then.node === now.node ? "it belongs to another form now" : "another element has taken its place");
}

export function staleTarget(target: Target, why: string): KnackError {
  return new KnackError("ref.stale", `The ${targetText(target)} is not the one that was shown: ${why}. Nothing was done; look at the page again.`, {
    fields: { target },
  });
}
