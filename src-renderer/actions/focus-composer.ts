export const COMPOSER_ID = "composer";

/** After the view has changed, the composer may first have to be drawn. */
export function focusComposer(): void {
  requestAnimationFrame(() => document.getElementById(COMPOSER_ID)?.focus());
}
