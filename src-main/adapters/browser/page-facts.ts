import { type Locator, type Page, selectors } from "playwright-core";
import { invisiblePattern } from "#base/invisible.ts";
import { nodeSource } from "./node-source.ts";
import { sightSource } from "./sight-source.ts";

/** What the accessibility tree does not say of a form field. */
export interface FieldFact {
  readonly tag: "input" | "textarea" | "select" | "editable";
  /** `type` of an input: "text", "date", "month" …; "" for others. */
  readonly type: string;
  readonly secret: boolean;
  /** Takes a means of payment, by its markup. */
  readonly payment: boolean;
  /** "" for secret fields: their value never leaves the page. */
  readonly value: string;
  readonly readOnly: boolean;
  readonly multiple: boolean;
  /** Labels of a native list, in order; disabled ones left out. */
  readonly options: readonly string[];
  /** Something to call a field by that has no accessible name. */
  readonly hint: string;
}

export interface FrameFacts {
  /** Origin of the frame's document as the browser has it; "null" for one that is cut off from all others. */
  readonly origin: string;
  /** Told apart from every other document, also from the next one at the same address. */
  readonly document: string;
  /** Which node a ref stands for: the same number as long as it is the same node, whatever it is called. */
  readonly nodes: Readonly<Record<string, number>>;
  /** The form an element belongs to and where that sends, by its ref; absent where it belongs to none. */
  readonly forms: Readonly<Record<string, string>>;
  /** Characters in its words that nobody sees. */
  readonly invisible: number;
  /** How many columns and rows a cell takes up, by its ref; absent where it is one of each. */
  readonly spans: Readonly<Record<string, readonly [columns: number, rows: number]>>;
  readonly fields: Readonly<Record<string, FieldFact>>;
  /** Refs of what opens something that is closed now: a menu's button, the head of a folded section. */
  readonly closed: readonly string[];
  /** Text of the cells of earlier rows that reach down into a row, by its ref. */
  readonly reaching: Readonly<Record<string, string>>;
  /** Refs of elements a person cannot see. */
  readonly unseen: readonly string[];
  /** Text without a ref of its own that a person cannot see, by the ref it stands in. */
  readonly unseenText: Readonly<Record<string, readonly string[]>>;
  /** Text before and after a line break, by the ref they stand in: the snapshot writes both as one word. */
  readonly breaks: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** Refs laid out inside a line. */
  readonly inline: readonly string[];
  /** Refs of controls that send a form with a payment field, whatever they are called. */
  readonly paying: readonly string[];
  /** Refs of `<summary>` elements. */
  readonly summaries: readonly string[];
  /** Refs of the element the recorder marked and of what it stands in, nearest first. */
  readonly marked: readonly string[];
}

const ENGINE = "knackfacts";

/**
 * Runs in the page's isolated world (no script of the page can reach in), where Playwright keeps the refs of its latest
 * snapshot on the elements. A selector engine can only hand back elements, so the facts travel as text of a loose one.
 */
function engineSource(
  { numberOf, formOf, born }: ReturnType<typeof nodeSource>,
  makeSight: typeof sightSource,
  invisible: RegExp,
): {
  queryAll(root: Node, wanted: string): Element[];
  query(root: Node, wanted: string): Element | undefined;
} {
  const secretWords =
    /(?:^|[^a-z])(?:pass(?:word|code|phrase|wd)?|pwd|pin(?: ?(?:code|number))?|cvv2?|cvc2?|csc|otp|one ?time|security (?:code|answer|number)|card ?(?:number|no)|secret|iban|sort ?code|account ?number|social security|ssn)(?:[^a-z]|$)/u;
  const secretAutocomplete = /(?:^|\s)(?:cc-\S+|one-time-code|current-password|new-password)(?:\s|$)/u;
  const paymentAutocomplete = /(?:^|\s)(?:cc-\S+|transaction-\S+)(?:\s|$)/u;
  const paymentWords =
    /(?:^|[^a-z])(?:(?:credit|debit|bank|payment) ?card|card ?(?:number|num|no|holder|cvc|cvv|expiry|exp)|cc ?(?:number|num|no|exp|month|year|csc|cvc|cvv|name|holder)|cvv2?|cvc2?|csc|iban)(?:[^a-z]|$)/u;
  const otherCard = /(?:library|member|membership|loyalty|student|staff|travel|patient|insurance|id|identity) ?card/u;
  const everSecret = new WeakSet<Element>();

  /**
   * A form answers to the names of its fields before its own properties: `form.children` may be a field called "children". So what
   * is asked of an element of any kind is asked past such names.
   */
  const past = <T>(kind: { readonly prototype: object }, name: string): ((of: Node) => T) => {
    const get = Object.getOwnPropertyDescriptor(kind.prototype, name)?.get as (this: Node) => T;
    return (of) => get.call(of);
  };
  const childrenOfElement = past<HTMLCollectionOf<HTMLElement>>(Element, "children");
  const childrenOfDocument = past<HTMLCollectionOf<HTMLElement>>(Document, "children");
  const childrenOfFragment = past<HTMLCollectionOf<HTMLElement>>(DocumentFragment, "children");
  const nodesOf = past<NodeListOf<ChildNode>>(Node, "childNodes");
  const textOf = past<string | null>(Node, "textContent");
  const parentOf = past<Element | null>(Node, "parentElement");
  const tagOf = past<string>(Element, "tagName");
  const shadowOf = past<ShadowRoot | null>(Element, "shadowRoot");
  const outerOf = past<Node | null>(Node, "parentNode");
  const documentOf = past<Document>(Node, "ownerDocument");
  const bodyOf = past<HTMLElement | null>(Document, "body");
  const editableOf = past<boolean>(HTMLElement, "isContentEditable");
  const isEditable = (element: Element | null): boolean => element instanceof HTMLElement && editableOf(element);
  const attributeOf = (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name);
  const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
  const childrenOf = (root: Document | ShadowRoot | Element): HTMLCollectionOf<HTMLElement> =>
    root instanceof Element ? childrenOfElement(root) : root instanceof Document ? childrenOfDocument(root) : childrenOfFragment(root);

  const plain = (text: string | null): string => (text ?? "").replace(/\s+/gu, " ").trim();
  const { opacityOf, cutAway, isBeside, isFaint, isCamouflaged, hasOwnText } = makeSight({ plain, nodesOf, textOf, parentOf, tagOf, documentOf, boxOf });
  const words = (text: string): string =>
    text
      .replace(/([a-z])([A-Z])/gu, "$1 $2")
      .replace(/[_\-.[\]]+/gu, " ")
      .toLowerCase();

  function isSecret(element: HTMLElement): boolean {
    // Where a value of the vault was typed, whatever the field is by now (security rule 8).
    const { knackHeld } = globalThis as { knackHeld?: WeakSet<Element> };
    if (everSecret.has(element) || knackHeld?.has(element) === true) return true;
    const input = element as HTMLInputElement;
    const labels = [...(input.labels ?? [])].map((label) => plain(label.textContent)).filter((text) => text.length <= 60);
    const named = [input.name ?? "", input.id, attributeOf(input, "aria-label") ?? "", input.placeholder ?? "", ...labels].map(words);
    // The number of a library's card is typed like a name; the secret of one is not.
    const isOther = named.some((text) => otherCard.test(text));
    const style = getComputedStyle(element) as CSSStyleDeclaration & { webkitTextSecurity?: string };
    const isMasked = style.webkitTextSecurity !== undefined && style.webkitTextSecurity !== "" && style.webkitTextSecurity !== "none";
    const found =
      input.type === "password" ||
      isMasked ||
      secretAutocomplete.test((attributeOf(input, "autocomplete") ?? "").toLowerCase()) ||
      named.some((text) => secretWords.test(isOther ? text.replace(/card ?(?:number|no)\b/gu, " ") : text));
    if (found) everSecret.add(element);
    return found;
  }

  function takesPayment(element: HTMLElement): boolean {
    const input = element as HTMLInputElement;
    if (paymentAutocomplete.test((attributeOf(input, "autocomplete") ?? "").toLowerCase())) return true;
    const labels = [...(input.labels ?? [])].map((label) => plain(label.textContent)).filter((text) => text.length <= 60);
    const named = words(
      [attributeOf(input, "name") ?? "", attributeOf(element, "id") ?? "", attributeOf(input, "aria-label") ?? "", input.placeholder ?? "", ...labels].join(
        " | ",
      ),
    );
    return paymentWords.test(named) && !otherCard.test(named);
  }

  /** Of the page as it is now. */
  let paymentForms = new WeakMap<Element, boolean>();

  /** Does pressing this send a form that holds a payment field? A link that leads nowhere is pressed like a button. */
  function sendsPayment(element: HTMLElement): boolean {
    const role = attributeOf(element, "role");
    const isPressed =
      tagOf(element) === "BUTTON" ||
      role === "button" ||
      (tagOf(element) === "INPUT" && /^(?:submit|image|button)$/u.test((element as HTMLInputElement).type)) ||
      (tagOf(element) === "A" && /^(?:$|#|javascript:)/iu.test(attributeOf(element, "href") ?? ""));
    if (!isPressed) return false;
    const form = (element as HTMLButtonElement).form ?? element.closest("form");
    if (form === null || form === undefined) return false;
    let holds = paymentForms.get(form);
    if (holds === undefined) {
      holds = [...(Element.prototype.querySelectorAll.call(form, "input, select, textarea") as NodeListOf<HTMLElement>)].some(takesPayment);
      paymentForms.set(form, holds);
    }
    return holds;
  }

  function field(element: HTMLElement): object | null {
    const tag = tagOf(element);
    const hint = plain(attributeOf(element, "name") ?? attributeOf(element, "id"))
      .replace(/[_\-.[\]]+/gu, " ")
      .trim();
    if (tag === "SELECT") {
      const list = element as HTMLSelectElement;
      const secret = isSecret(element);
      const options = [...list.options].filter((option) => !option.disabled && !option.hidden).map((option) => plain(option.label || option.textContent));
      const value = secret ? "" : [...list.selectedOptions].map((option) => plain(option.label || option.textContent)).join(", ");
      return { tag: "select", type: "", secret, payment: takesPayment(element), value, readOnly: false, multiple: list.multiple, options, hint };
    }
    if (tag === "INPUT" || tag === "TEXTAREA") {
      const input = element as HTMLInputElement;
      const secret = isSecret(element);
      const isMark = input.type === "checkbox" || input.type === "radio";
      return {
        tag: tag.toLowerCase(),
        type: tag === "INPUT" ? input.type : "",
        secret,
        payment: !isMark && input.type !== "hidden" && takesPayment(element),
        value: secret || isMark || input.type === "file" ? "" : input.value,
        readOnly: input.readOnly,
        multiple: false,
        options: [],
        hint,
      };
    }
    if (isEditable(element) && !isEditable(parentOf(element))) {
      const secret = isSecret(element);
      return {
        tag: "editable",
        type: "",
        secret,
        payment: takesPayment(element),
        value: secret ? "" : plain(textOf(element)),
        readOnly: false,
        multiple: false,
        options: [],
        hint,
      };
    }
    return null;
  }

  function isClosed(element: Element): boolean {
    if (attributeOf(element, "aria-expanded") === "false") return true;
    const details = tagOf(element) === "SUMMARY" ? parentOf(element) : null;
    return details?.tagName === "DETAILS" && !(details as HTMLDetailsElement).open;
  }

  function reachingInto(row: HTMLTableRowElement): string {
    const rows = [...childrenOf(parentOf(row) as Element)].filter((each): each is HTMLTableRowElement => each.tagName === "TR");
    const at = rows.indexOf(row);
    return rows
      .slice(Math.max(0, at - 100), at)
      .flatMap((earlier, index) => [...earlier.cells].filter((cell) => cell.rowSpan === 0 || cell.rowSpan > at - (Math.max(0, at - 100) + index)))
      .map((cell) => plain(cell.textContent))
      .filter((text) => text !== "" && text.length <= 120)
      .join(" | ");
  }

  const drawn = /^(?:img|svg|picture|video|canvas|input|select|textarea|iframe|object|embed)$/iu;

  /** What stands directly before and after a line break, without a space between; null where there is one. */
  function besideBreak(element: Element): [string, string] | null {
    const [before, after] = [element.previousSibling, element.nextSibling].map((node) => (node === null ? "" : (textOf(node) ?? "")));
    if (!before || !after || /\s$/u.test(before) || /^\s/u.test(after)) return null;
    return [plain(before).slice(-40), plain(after).slice(0, 40)];
  }

  function collect(document: Document): string {
    const fields: Record<string, unknown> = {};
    const unseen: string[] = [];
    const unseenText: Record<string, string[]> = {};
    const breaks: Record<string, [string, string][]> = {};
    const inline: string[] = [];
    const summaries: string[] = [];
    const closed: string[] = [];
    const reaching: Record<string, string> = {};
    const paying: string[] = [];
    paymentForms = new WeakMap();
    const nodes: Record<string, number> = {};
    const forms: Record<string, string> = {};
    const spans: Record<string, [number, number]> = {};
    let invisibles = 0;
    const marked: string[] = [];
    const markedIn = (element: Element): void => {
      for (let at: Node | null = element; at !== null; at = outerOf(at) ?? (at instanceof ShadowRoot ? at.host : null)) {
        const ref = (at as { _ariaRef?: { ref: string } })._ariaRef?.ref;
        if (ref !== undefined) marked.push(ref);
      }
    };
    /** Returns whether anything in it can be seen. `flow` and `placed` are the boxes that cut what stands in line, and what is placed by itself. */
    const visit = (
      root: Document | ShadowRoot | Element,
      owner: string,
      cut: "" | "flow" | "all",
      above: number,
      flow: readonly DOMRect[],
      placed: readonly DOMRect[],
    ): boolean => {
      let showsAny = false;
      for (const element of childrenOf(root) as Iterable<HTMLElement & { _ariaRef?: { ref: string } }>) {
        if (tagOf(element) === "SCRIPT" || tagOf(element) === "STYLE" || tagOf(element) === "TEMPLATE" || tagOf(element) === "HEAD") continue;
        const style = getComputedStyle(element);
        if (style.display === "none") continue;
        const ref = element._ariaRef?.ref ?? "";
        if (tagOf(element) === "BR") {
          const sides = besideBreak(element);
          if (sides !== null) (breaks[owner] ??= []).push(sides);
        }
        if (attributeOf(element, "data-knack-shown") !== null) markedIn(element);
        for (const node of nodesOf(element)) if (node.nodeType === 3) invisibles += (node.nodeValue ?? "").match(invisible)?.length ?? 0;
        const opacity = above * opacityOf(style);
        const isPlaced = style.position === "fixed" || style.position === "absolute";
        const outer = cut === "flow" && isPlaced ? "" : cut;
        const inner = outer === "all" || opacity < 0.05 ? "all" : cutAway(element, style) || outer;
        const into = ref === "" ? owner : ref;
        const shadow = shadowOf(element);
        const clips = style.position === "fixed" ? [] : style.position === "absolute" ? placed : flow;
        // The root's own overflow is the window's: that scrolls, or will once a notice is gone.
        const cuts = /hidden|clip/u.test(`${style.overflowX} ${style.overflowY}`) && tagOf(element) !== "BODY" && tagOf(element) !== "HTML";
        const within = cuts && style.display !== "inline" && style.display !== "contents" ? [...clips, boxOf(element)] : clips;
        const isHolder = style.position !== "static" || style.transform !== "none";
        const around = isHolder ? within : placed;
        const showsShadow = shadow !== null && visit(shadow, into, inner, opacity, within, around);
        const showsInside = visit(element, into, inner, opacity, within, around) || showsShadow;
        const isUnseen = inner !== "" || isBeside(element, style, clips) || isFaint(element, style, opacity) || isCamouflaged(element, style);
        if (isUnseen) {
          // What is in it may be drawn otherwise.
          const own = showsInside ? [...nodesOf(element)].map((node) => (node.nodeType === 3 ? node.nodeValue : " ")).join("") : textOf(element);
          if (ref !== "" && !showsInside) unseen.push(ref);
          else if (plain(own) !== "") (unseenText[into] ??= []).push(plain(own));
        }
        showsAny ||= showsInside || (!isUnseen && (drawn.test(tagOf(element)) || style.backgroundImage !== "none" || hasOwnText(element)));
        if (ref !== "") {
          const found = field(element);
          if (found !== null) fields[ref] = found;
          if (style.display.startsWith("inline") || style.display === "contents") inline.push(ref);
          if (tagOf(element) === "SUMMARY") summaries.push(ref);
          if (isClosed(element)) closed.push(ref);
          nodes[ref] = numberOf(element);
          const form = formOf(element);
          if (form !== "") forms[ref] = form;
          if (tagOf(element) === "TD" || tagOf(element) === "TH") {
            const { colSpan, rowSpan } = element as unknown as HTMLTableCellElement;
            if (colSpan !== 1 || rowSpan !== 1) spans[ref] = [colSpan, rowSpan];
          }
          if (tagOf(element) === "TR") {
            const text = reachingInto(element as unknown as HTMLTableRowElement);
            if (text !== "") reaching[ref] = text;
          }
          if (sendsPayment(element)) paying.push(ref);
        }
      }
      return showsAny;
    };
    visit(document, "", "", 1, [], []);
    return JSON.stringify({
      ...{ origin: globalThis.origin, document: born, nodes, forms, spans, invisible: invisibles },
      ...{ fields, unseen, unseenText, breaks, inline, summaries, closed, reaching, paying, marked },
    });
  }

  /** What kind of document it is; its words only where there is no page around them. */
  function shape(document: Document): string {
    const hasBody = bodyOf(document) !== null;
    return JSON.stringify({ hasBody, contentType: document.contentType, text: hasBody ? "" : (document.documentElement?.textContent ?? "").slice(0, 100_000) });
  }

  function carrier(root: Node, wanted: string): Element {
    const document = root.ownerDocument ?? (root as Document);
    const loose = (Document.prototype.createElement as (this: Document, tag: string) => HTMLElement).call(document, "p");
    // From now on the value of this field is never told, whatever the page makes of the field.
    if (wanted === "hold" && root instanceof Element) everSecret.add(root);
    loose.textContent = wanted === "hold" ? "" : wanted === "shape" ? shape(document) : collect(document);
    return loose;
  }

  return {
    queryAll: (root, wanted) => [carrier(root, wanted)],
    query: (root, wanted) => carrier(root, wanted),
  };
}

let registered: Promise<void> | undefined;

/** Must have been awaited once before the first browser of this process starts. */
export function registerFacts(): Promise<void> {
  registered ??= selectors.register(
    ENGINE,
    `(${engineSource.toString()})((${nodeSource.toString()})(), ${sightSource.toString()}, new RegExp(${JSON.stringify(invisiblePattern)}, "gu"))`,
    { contentScript: true },
  );
  return registered;
}

/** Facts of one frame for the refs of the latest snapshot. */
export async function readFacts(frame: ReturnType<Page["mainFrame"]>, signal: AbortSignal): Promise<FrameFacts> {
  const text = await frame.locator(`${ENGINE}=all`).textContent({ timeout: 5_000, signal });
  return JSON.parse(text ?? "null") as FrameFacts;
}

export interface DocumentShape {
  /** False for what is no page: a picture as svg, xml. */
  readonly hasBody: boolean;
  readonly contentType: string;
  /** All words of a document without a body. */
  readonly text: string;
}

export async function readShape(frame: ReturnType<Page["mainFrame"]>, signal: AbortSignal): Promise<DocumentShape> {
  const text = await frame.locator(`${ENGINE}=shape`).textContent({ timeout: 5_000, signal });
  return JSON.parse(text ?? "null") as DocumentShape;
}

/** The value of a field is not told from now on, by the field itself and not by what it holds: for fields that are given a value from the vault. */
export async function holdSecret(field: Locator, signal: AbortSignal): Promise<void> {
  await field.locator(`${ENGINE}=hold`).textContent({ timeout: 5_000, signal });
}
