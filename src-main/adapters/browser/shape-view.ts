import type { PageElement, PageView } from "#core/ports/index.ts";
import { kindWord } from "./elements.ts";
import type { ReadTree } from "./read-tree.ts";

/**
 * A page while values are on their way through it: what kinds of elements there are, and nothing the page calls them, for it may call them by what was just
 * typed.
 */
export function shapeView(tree: ReadTree, url: string): PageView {
  const counts = new Map<string, number>();
  const elements = tree.elements.map(({ role, action, disabled }): PageElement => {
    const kind = kindWord(role, action);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const label = `${kind} ${count}`;
    return { role, name: "", label, within: "", landmark: "", context: "", action, disabled, options: [], value: "", secret: action !== "click" };
  });
  const address = URL.canParse(url) ? `${new URL(url).origin}/` : url;
  const lines = ["The login is being sent; what the page shows meanwhile is not read."];
  return { url: address, title: "", heading: "", text: [...lines, ...elements.map(({ label }) => `[${label}]`)].join("\n"), lines, elements, truncated: false };
}
