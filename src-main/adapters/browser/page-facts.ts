import { type Page, selectors } from "playwright-core";

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
function engineSource(): { queryAll(root: Node, wanted: string): Element[]; query(root: Node, wanted: string): Element | undefined } {
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

  /** How much of a colour is laid on, 0 to 1. */
  function alphaOf(color: string): number {
    if (color === "transparent") return 0;
    const written = /(?:\/\s*|rgba\((?:[^,]+,){3}\s*)([\d.e-]+)(%?)\s*\)$/u.exec(color);
    return written === null ? 1 : Number(written[1]) / (written[2] === "%" ? 100 : 1);
  }

  const painted = (color: string): boolean => alphaOf(color) > 0;
  const inkOf = (style: CSSStyleDeclaration): string => style.webkitTextFillColor || style.color;

  /** Opacity of an element alone, its filter's included. */
  function opacityOf(style: CSSStyleDeclaration): number {
    const filtered = /opacity\(([\d.e-]+)(%?)\)/u.exec(style.filter);
    return Number(style.opacity) * (filtered === null ? 1 : Number(filtered[1]) / (filtered[2] === "%" ? 100 : 1));
  }

  /** Cut to nothing, or set beside the page, with all that is in it; "flow": but for what is placed by itself. */
  function cutAway(element: Element, style: CSSStyleDeclaration): "" | "flow" | "all" {
    if (
      /inset\((?:[^)]*\s)?100%|inset\(50%\)|(?:circle|ellipse)\((?:0(?:px|%)?\b)|polygon\((?:\s*0(?:px|%)? 0(?:px|%)?,?)+\)/u.test(style.clipPath) ||
      /^rect\(0(?:px)?,? 0(?:px)?,? 0(?:px)?,? 0(?:px)?\)$/u.test(style.clip) ||
      /^rect\(1px,? 1px,? 1px,? 1px\)$/u.test(style.clip)
    )
      return "all";
    const box = boxOf(element);
    if (style.transform !== "none" && (box.width < 1 || box.height < 1)) return "all";
    if (box.width > 0 && (box.right + scrollX < 0 || box.bottom + scrollY < 0)) return "all";
    const isFlat = (style.overflowX !== "visible" && box.width <= 1) || (style.overflowY !== "visible" && box.height <= 1);
    if (!isFlat || style.display === "inline" || style.display === "contents" || plain(textOf(element)) === "") return "";
    return style.position === "static" ? "flow" : "all";
  }

  /** What stands directly before and after a line break, without a space between; null where there is one. */
  function besideBreak(element: Element): [string, string] | null {
    const [before, after] = [element.previousSibling, element.nextSibling].map((node) => (node === null ? "" : (textOf(node) ?? "")));
    if (!before || !after || /\s$/u.test(before) || /^\s/u.test(after)) return null;
    return [plain(before).slice(-40), plain(after).slice(0, 40)];
  }

  function hasOwnText(element: Element): boolean {
    return [...nodesOf(element)].some((node) => node.nodeType === 3 && plain(node.nodeValue) !== "");
  }

  /** Its own words are drawn too small, too thin or beside the page, wherever the element itself is. */
  function isFaint(element: Element, style: CSSStyleDeclaration, opacity: number): boolean {
    if (Number.parseFloat(style.fontSize) < 2) return true;
    if (alphaOf(inkOf(style)) * opacity < 0.1 && style.backgroundClip !== "text" && style.textShadow === "none") return true;
    const box = boxOf(element);
    // Words moved off what carries a picture stand for that picture.
    const isPictured = style.backgroundImage !== "none" && box.width > 4 && box.height > 4;
    if (isPictured || tagOf(element) === "OPTION" || tagOf(element) === "OPTGROUP" || !hasOwnText(element)) return false;
    const range = Document.prototype.createRange.call(documentOf(element));
    return [...nodesOf(element)]
      .filter((node) => node.nodeType === 3 && plain(node.nodeValue) !== "")
      .every((node) => {
        range.selectNodeContents(node);
        const words = range.getBoundingClientRect();
        return words.width < 1 || words.height < 2 || words.right + scrollX <= 0 || words.bottom + scrollY <= 0;
      });
  }

  /** Numbers of a colour written as rgb; null for other ways of writing. */
  function channels(color: string): number[] | null {
    const written = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)/u.exec(color);
    return written === null ? null : written.slice(1, 4).map(Number);
  }

  function isNear(a: readonly number[], b: readonly number[]): boolean {
    return a.every((value, index) => Math.abs(value - (b[index] as number)) <= 8);
  }

  /** Colours laid one over the other, the topmost first, on a last one that lets nothing through; null where one cannot be reckoned with. */
  function blended(layers: readonly string[], ground: readonly number[]): readonly number[] | null {
    let below: readonly number[] = ground;
    for (const layer of [...layers].reverse()) {
      const [own, alpha] = [channels(layer), alphaOf(layer)];
      if (own === null) return null;
      const under = below;
      below = own.map((value, index) => alpha * value + (1 - alpha) * (under[index] as number));
    }
    return below;
  }

  /** Text in the colour of the plain surface it stands on; surfaces that let others through are laid over these. */
  function isCamouflaged(element: Element, style: CSSStyleDeclaration): boolean {
    if (!hasOwnText(element)) return false;
    const layers: string[] = [];
    for (let at: Element | null = element; at !== null; at = parentOf(at)) {
      const surface = at === element ? style : getComputedStyle(at);
      if (surface.backgroundImage !== "none" || surface.position === "absolute" || surface.position === "fixed" || surface.textShadow !== "none") return false;
      if (painted(surface.backgroundColor)) layers.push(surface.backgroundColor);
      if (alphaOf(surface.backgroundColor) >= 1) break;
    }
    const ground = blended(layers, [255, 255, 255]);
    const ink = ground === null ? null : blended([inkOf(style)], ground);
    return ground === null || ink === null ? layers[0] === inkOf(style) : isNear(ground, ink);
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
    const marked: string[] = [];
    const markedIn = (element: Element): void => {
      for (let at: Node | null = element; at !== null; at = outerOf(at) ?? (at instanceof ShadowRoot ? at.host : null)) {
        const ref = (at as { _ariaRef?: { ref: string } })._ariaRef?.ref;
        if (ref !== undefined) marked.push(ref);
      }
    };
    /** Returns whether anything in it can be seen. */
    const visit = (root: Document | ShadowRoot | Element, owner: string, cut: "" | "flow" | "all", above: number): boolean => {
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
        const opacity = above * opacityOf(style);
        const isPlaced = style.position === "fixed" || style.position === "absolute";
        const outer = cut === "flow" && isPlaced ? "" : cut;
        const inner = outer === "all" || opacity < 0.05 ? "all" : cutAway(element, style) || outer;
        const into = ref === "" ? owner : ref;
        const shadow = shadowOf(element);
        const showsShadow = shadow !== null && visit(shadow, into, inner, opacity);
        const showsInside = visit(element, into, inner, opacity) || showsShadow;
        const isUnseen = inner !== "" || isFaint(element, style, opacity) || isCamouflaged(element, style);
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
          if (tagOf(element) === "TR") {
            const text = reachingInto(element as unknown as HTMLTableRowElement);
            if (text !== "") reaching[ref] = text;
          }
          if (sendsPayment(element)) paying.push(ref);
        }
      }
      return showsAny;
    };
    visit(document, "", "", 1);
    return JSON.stringify({ fields, unseen, unseenText, breaks, inline, summaries, closed, reaching, paying, marked });
  }

  /** What kind of document it is; its words only where there is no page around them. */
  function shape(document: Document): string {
    const hasBody = bodyOf(document) !== null;
    return JSON.stringify({ hasBody, contentType: document.contentType, text: hasBody ? "" : (document.documentElement?.textContent ?? "").slice(0, 100_000) });
  }

  function carrier(root: Node, wanted: string): Element {
    const document = root.ownerDocument ?? (root as Document);
    const loose = document.createElement("p");
    loose.textContent = wanted === "shape" ? shape(document) : collect(document);
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
  registered ??= selectors.register(ENGINE, `(${engineSource.toString()})()`, { contentScript: true });
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
