/** What a browser has, the page's parts need, and jsdom lacks. */
window.matchMedia ??= ((query: string) => ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} })) as never;
/** Everything has room: a list that draws only what is in sight draws all of it. */
const Observer = class {
  readonly #told: (entries: ResizeObserverEntry[]) => void;
  constructor(told: (entries: ResizeObserverEntry[]) => void) {
    this.#told = told;
  }
  observe(target: Element) {
    const height = target.tagName === "LI" ? 100 : 100_000;
    queueMicrotask(() => this.#told([{ target, contentRect: { width: 800, height } } as never]));
  }
  unobserve() {}
  disconnect() {}
} as never;
globalThis.ResizeObserver ??= Observer;
if (document.defaultView !== null) document.defaultView.ResizeObserver ??= Observer;
// jsdom lays nothing out, and takes everything for hidden.
Object.defineProperty(HTMLElement.prototype, "offsetParent", { configurable: true, get: (): Element => document.body });
Element.prototype.scrollTo ??= () => undefined;
Element.prototype.scrollIntoView ??= () => undefined;
globalThis.CSS ??= { escape: (text: string) => text.replace(/[^\w-]/gu, (character) => `\\${character}`) } as never;
