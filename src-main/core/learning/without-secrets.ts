import { stripInvisible } from "#base/invisible.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import { mapTexts } from "../skills/index.ts";
import { isSecretLike } from "./unsafe-text.ts";

/**
 * A showing as it may be kept: what was typed into a field and looks like a secret is left out, wherever a page or an address repeats it, and the field
 * counts as a secret one; nothing invisible stays.
 */
export function withoutSecrets(actions: readonly ShownAction[]): ShownAction[] {
  const isHeld = ({ kind, secret, value }: ShownAction): boolean =>
    (kind === "fill" || kind === "select") && !secret && value !== undefined && isSecretLike(value);
  const literals = new Set(
    actions.filter(isHeld).flatMap(({ value = "" }) => [value, encodeURIComponent(value), encodeURIComponent(value).replaceAll("%20", "+")]),
  );
  const clean = (text: string): string => [...literals].reduce((rest, literal) => rest.replaceAll(literal, "***"), stripInvisible(text));
  return actions.map((action) => (isHeld(action) ? { ...mapTexts(action, clean), value: "", secret: true } : mapTexts(action, clean)));
}
