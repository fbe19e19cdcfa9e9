/** After an edit the control that made it may be gone or off: whoever works by keyboard goes on at the same row, or at the last one there is. */
export function focusRow(list: HTMLElement | null, at: number): void {
  const rows = list?.children ?? [];
  rows[Math.min(at, rows.length - 1)]?.querySelector("button")?.focus({ preventScroll: true });
}
