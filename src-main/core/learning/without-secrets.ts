import { stripInvisible } from "#base/invisible.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import { mapTexts } from "../skills/index.ts";
import { leafText, mapLeaves } from "./call-leaves.ts";
import type { LearnableEpisode } from "./collect.ts";
import { accountsOf } from "./join-logins.ts";
import { isSecretLike, withoutSecretText } from "./unsafe-text.ts";

/** Names of fields and arguments that hold a secret, whatever it looks like. */
const secretName =
  /(?:^|[^\p{L}])(?:pass ?(?:word|code|phrase|wort)|passwd|pwd|kennwort|pin(?: ?(?:code|number))?|cvv2?|cvc2?|security code|api ?key|access ?key|client ?secret|secret ?key|(?:access|auth|bearer|refresh|session) ?token|token|secret)$/iu;

function namesSecret(name: string): boolean {
  return secretName.test(
    name
      .replace(/([a-z])([A-Z])/gu, "$1 $2")
      .replace(/[_.-]+/gu, " ")
      .trim(),
  );
}

/** What was typed into a field, or given to a tool, and is a secret. */
function heldIn({ kind, secret, value, target, call }: ShownAction): string[] {
  if (call) {
    const held: string[] = [];
    mapLeaves(call.args, (leaf) => {
      const text = leafText(leaf.value);
      if (text !== "" && (isSecretLike(text) || (typeof leaf.value === "string" && leaf.path.some(namesSecret)))) held.push(text);
    });
    return held;
  }
  const isField = (kind === "fill" || kind === "select") && !secret && value !== undefined && value !== "";
  return isField && (isSecretLike(value) || namesSecret(target?.name ?? "")) ? [value] : [];
}

/** Shorter names of accounts stand in other words as well. */
const shortestName = 4;

/** Takes these literals out of a text, as they are and as an address writes them. */
function cleaner(literals: readonly string[]): (text: string) => string {
  const forms = new Set(literals.flatMap((text) => [text, encodeURIComponent(text), encodeURIComponent(text).replaceAll("%20", "+")]));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, literal) => rest.replaceAll(literal, "***"), stripInvisible(text));
}

function cleaned(action: ShownAction, clean: (text: string) => string): ShownAction {
  const held = heldIn(action);
  if (held.length === 0) return mapTexts(action, clean);
  return { ...mapTexts(action, clean), ...(action.call ? {} : { value: "" }), secret: true };
}

/**
 * A showing as it may be kept: what was typed into a field and is a secret is left out, wherever a page or an address repeats it, and the field counts as
 * a secret one; so is the name of an account that was typed with it; nothing invisible stays.
 */
export function withoutSecrets(actions: readonly ShownAction[]): ShownAction[] {
  const accounts = accountsOf(actions);
  const names = [...accounts].flatMap(({ value = "" }) => (value.length < shortestName ? [] : [value]));
  const clean = cleaner([...actions.flatMap(heldIn), ...names]);
  return actions.map((action) => (accounts.has(action) ? { ...cleaned(action, clean), value: "" } : cleaned(action, clean)));
}

/** A run as it may be learned from: beside what it typed, nothing of its goal, pages and results that looks like a secret stays (UNT-03). */
export function withoutSecretsOf<Run extends LearnableEpisode>(run: Run): Run {
  const literals = cleaner(run.actions.flatMap(heldIn));
  const clean = (text: string): string => withoutSecretText(literals(text));
  const { goal } = run.episode;
  return { ...run, episode: { ...run.episode, goal: clean(goal) }, actions: run.actions.map((action) => cleaned(action, clean)) };
}
