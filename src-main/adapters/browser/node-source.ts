/**
 * Tells nodes of a document apart, and the forms they belong to. Runs in the page's isolated world, where it lives as long as the document: it is handed
 * over as text and holds all it needs.
 */
export function nodeSource(): {
  /** Told apart from every other document. */
  readonly born: string;
  /** The same number for the same node, for as long as the document lives. */
  numberOf(element: Element): number;
  /** The form an element sends or belongs to, with its method and address without the query; "" for none. */
  formOf(element: Element): string;
} {
  const numbers = new WeakMap<Element, number>();
  let last = 0;
  const attributeOf = (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name);

  function numberOf(element: Element): number {
    const known = numbers.get(element);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(element, last);
    return last;
  }

  function ownerOf(element: Element): Element | null {
    const named = attributeOf(element, "form");
    if (named === null) return Element.prototype.closest.call(element, "form");
    const root = Node.prototype.getRootNode.call(element);
    const found = root instanceof ShadowRoot ? root.getElementById(named) : Document.prototype.getElementById.call(root as Document, named);
    return found instanceof HTMLFormElement ? found : null;
  }

  function formOf(element: Element): string {
    const form = ownerOf(element);
    if (form === null) return "";
    const base = element.baseURI;
    // A form with a field called "action" still has the attribute.
    const target = attributeOf(element, "formaction") ?? attributeOf(form, "action") ?? "";
    const url = URL.canParse(target, base) ? new URL(target, base) : null;
    const method = (attributeOf(element, "formmethod") ?? attributeOf(form, "method") ?? "get").toLowerCase();
    return `${numberOf(form)} ${method} ${url === null ? target : `${url.origin}${url.pathname}`}`;
  }

  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return { born: [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""), numberOf, formOf };
}
