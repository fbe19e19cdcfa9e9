export const COMPOSER_ID = "composer";

/** After the view has changed, the composer may first have to be drawn. */
export function focusComposer(): void {
  requestAnimationFrame(() => document.getElementById(COMPOSER_ID)?.focus());
}

export const SEARCH_ID = "search-messages";

/** Where the sidebar is a drawer it has to be opened first. */
export function focusSearch(): void {
  const shown = () => [...document.querySelectorAll<HTMLInputElement>(`#${SEARCH_ID} input`)].findLast((element) => element.offsetParent !== null);
  const field = shown();
  if (field !== undefined) return field.focus();
  document.querySelector<HTMLElement>("[data-opens=menu] button")?.click();
  requestAnimationFrame(() => shown()?.focus());
}
