export const COMPOSER_ID = "composer";

/** After the view has changed, the composer may first have to be drawn. */
export function focusComposer(): void {
  requestAnimationFrame(() => document.getElementById(COMPOSER_ID)?.focus());
}

export const SEARCH_ID = "search-messages";

/** Where the sidebar is a drawer it has to be opened first. */
export function focusSearch(): void {
  const find = () => document.querySelector<HTMLInputElement>(`#${SEARCH_ID} input`);
  const isShown = (element: HTMLElement) => element.offsetParent !== null;
  const there = find();
  if (there === null || !isShown(there)) document.querySelector<HTMLElement>("[data-opens=menu] button")?.click();
  requestAnimationFrame(() => [...document.querySelectorAll<HTMLInputElement>(`#${SEARCH_ID} input`)].findLast(isShown)?.focus());
}
