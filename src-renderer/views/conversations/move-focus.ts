import type { KeyboardEvent } from "react";

/** Up and Down go from one link of a list to the next; Tab still reaches everything. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.indexOf(event.target as HTMLAnchorElement);
  if (at < 0) return;
  event.preventDefault();
  links[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}
