/** What a browser has, the page's parts need, and jsdom lacks. */
window.matchMedia ??= ((query: string) => ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} })) as never;
Element.prototype.scrollIntoView ??= () => undefined;
globalThis.CSS ??= { escape: (text: string) => text.replace(/[^\w-]/gu, (character) => `\\${character}`) } as never;
