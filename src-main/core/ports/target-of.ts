import type { Target } from "#contract/skills/schema.ts";
import type { PageElement } from "./browser.ts";

/** How a call names this element. */
export function targetOf({ role, name, within }: PageElement): Target {
  return { role, name, ...(within === "" ? {} : { within }) };
}
