/** What is asked of nodes past the names that a form's fields may hide. */
interface Asks {
  plain(text: string | null): string;
  nodesOf(of: Node): NodeListOf<ChildNode>;
  textOf(of: Node): string | null;
  parentOf(of: Node): Element | null;
  tagOf(of: Node): string;
  documentOf(of: Node): Document;
  boxOf(element: Element): DOMRect;
}

/** Judges what of a page a person sees. Runs in the page's isolated world: it is handed over as text and holds all it needs. */
export function sightSource({ plain, nodesOf, textOf, parentOf, tagOf, documentOf, boxOf }: Asks): {
  opacityOf(style: CSSStyleDeclaration): number;
  cutAway(element: Element, style: CSSStyleDeclaration): "" | "flow" | "all";
  isBeside(element: Element, style: CSSStyleDeclaration, clips: readonly DOMRect[]): boolean;
  isFaint(element: Element, style: CSSStyleDeclaration, opacity: number): boolean;
  isCamouflaged(element: Element, style: CSSStyleDeclaration): boolean;
  hasOwnText(element: Element): boolean;
} {
  /** How much of a colour is laid on, 0 to 1. */
  function alphaOf(color: string): number {
    if (color === "transparent") return 0;
    const written = /(?:\/\s*|rgba\((?:[^,]+,){3}\s*)([\d.e-]+)(%?)\s*\)$/u.exec(color);
    return written === null ? 1 : Number(written[1]) / (written[2] === "%" ? 100 : 1);
  }

  const painted = (color: string): boolean => alphaOf(color) > 0;
  const inkOf = (style: CSSStyleDeclaration): string => style.webkitTextFillColor || style.color;

  /** Opacity of an element alone, its filter's and its mask's included; what is blurred beyond reading is not there. */
  function opacityOf(style: CSSStyleDeclaration): number {
    const blurred = /blur\(([\d.]+)px\)/u.exec(style.filter);
    if (blurred !== null && Number(blurred[1]) >= 8) return 0;
    const stops = style.maskImage.includes("gradient(") ? (style.maskImage.match(/rgba?\([^)]*\)|transparent/gu) ?? []) : [];
    if (stops.length > 0 && !stops.some(painted)) return 0;
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
    if ((style as CSSStyleDeclaration & { readonly contentVisibility?: string }).contentVisibility === "hidden") return "all";
    const box = boxOf(element);
    if (style.transform !== "none" && (box.width < 1 || box.height < 1)) return "all";
    if (box.width > 0 && (box.right + scrollX < 0 || box.bottom + scrollY < 0)) return "all";
    const isFlat = (style.overflowX !== "visible" && box.width <= 1) || (style.overflowY !== "visible" && box.height <= 1);
    if (!isFlat || style.display === "inline" || style.display === "contents" || plain(textOf(element)) === "") return "";
    return style.position === "static" ? "flow" : "all";
  }

  /**
   * Beside what a box around it lets through, and not to be scrolled to. Of what hangs below a box only what is far from it, or hangs out of hardly a line:
   * lists are scrolled by scripts, and long texts unfold.
   */
  function isBeside(element: Element, style: CSSStyleDeclaration, clips: readonly DOMRect[]): boolean {
    if (clips.length === 0 || style.display === "contents" || style.display === "inline") return false;
    const box = boxOf(element);
    if (box.width === 0 || box.height === 0) return false;
    return clips.some((clip) => {
      const reach = clip.height <= 40 ? 0 : 3_000;
      return box.right <= clip.left || box.left >= clip.right || box.bottom <= clip.top - reach || box.top >= clip.bottom + reach;
    });
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

  return { opacityOf, cutAway, isBeside, isFaint, isCamouflaged, hasOwnText };
}
