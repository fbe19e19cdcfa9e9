import { fold, squash, words } from "#base/text.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { tellingStems } from "../../skills/values/index.ts";
import { factKeys, factSlot } from "./find-facts.ts";

type Named = Pick<Fact, "id" | "text">;

/** Fewest characters of an id that name a fact. */
const shortestId = 4;

/**
 * The facts that are meant: by id, or the beginning or end of one; by what it says, however it is worded; else by a description, all of whose telling words
 * stand in it. One where it is clear, several where it is not. Pure.
 */
export function factsNamed<One extends Named>(facts: readonly One[], which: string): One[] {
  const wanted = which.trim();
  const exact = facts.find(({ id }) => id === wanted);
  if (exact) return [exact];
  const shortened = wanted.toUpperCase();
  const byId =
    wanted.length < shortestId || /\s/u.test(wanted)
      ? []
      : facts.filter(({ id }) => id.toUpperCase().startsWith(shortened) || id.toUpperCase().endsWith(shortened));
  if (byId.length > 0) return byId;
  const same = facts.filter(({ text }) => fold(text) === fold(wanted));
  if (same.length > 0) return same;
  const keys = factKeys(wanted);
  const alike = facts.filter(({ text }) => factKeys(text).some((key) => keys.includes(key)));
  if (alike.length > 0) return alike;
  const telling = tellingStems(wanted);
  const described =
    telling.length === 0
      ? []
      : facts.filter(({ text }) => {
          const said = new Set(tellingStems(text));
          return telling.every((word) => said.has(word));
        });
  // As little of an id as this names a fact only where nothing else is meant by it.
  return described.length > 0 || /\s/u.test(wanted) || wanted === "" ? described : facts.filter(({ id }) => id.toUpperCase().startsWith(shortened));
}

/** Everything that is kept of a person: "everything about me", "all you know", and not "all about tea". */
const wholeOfMe =
  /(?<!\b(?:it|that|this|them|after) )\b(?:everything|all|anything)(?: (?:of it|(?:that )?(?:you(?:'ve| have)? (?:know|remember|kept|keep|stored|noted|saved|learned|learnt|got)\b.*|i(?:'ve| have)? (?:said|told|mentioned)\b.*)|(?:there is |you know )?(?:about|on|of) (?:me|myself|us)\b.*|(?:my|the|your) (?:facts?|memor(?:y|ies)|data|details)\b.*))?[\s.!]*$|\balles(?: (?:über|von) (?:mich|mir|uns)\b.*|,? was (?:du|sie|ich)\b.*)?[\s.!]*$|\b(?:your|the) (?:whole |entire )?memory of me\b/iu;

/** Of what a person is spoken of where a fact says it in other words: "forget my name" means "Call me Sam" as well. */
const spoken: Readonly<Record<string, RegExp>> = {
  name: /\bmy (?:first |full |last )?name\b|\bwho i am\b|\bwhat i(?:'m| am) called\b|\bwhat (?:you|to) call me\b|\bmeinen? (?:vor|nach)?namen?\b|\bwie ich hei(?:ß|ss)e\b|\bwer ich bin\b/iu,
  home: /\bwhere i(?:'m| am)?(?: live| living| based)?\b|\bmy (?:home|home ?town|address|location|city|town|place)\b|\bwo ich (?:wohne|lebe)\b|\bmeinen? (?:wohnort|adresse|stadt)\b/iu,
  origin: /\bwhere i(?:'m| am| come)? from\b|\bmy (?:origin|home ?town)\b|\bwoher ich komme\b|\bmeine herkunft\b/iu,
  role: /\bwhat i (?:do|work as)\b|\bmy (?:job|role|profession|occupation|work|career)\b|\bmeinen? (?:beruf|job|arbeit)\b|\bwas ich (?:mache|arbeite)\b/iu,
  employer: /\bwhere i work\b|\bwho i work for\b|\bmy (?:employer|job|work|company)\b|\bwo ich arbeite\b|\bmeinen? (?:arbeit|arbeitgeber)\b/iu,
  business: /\bwhat i (?:run|do|own)\b|\bmy (?:business|company|work)\b|\bmeine firma\b/iu,
};

/** What a person says of forgetting itself tells no fact from another. */
const ofForgetting = new Set(
  tellingStems(
    "forget forgot unremember delete remove erase drop memory remember know stored saved kept noted told said fact facts please thing things information vergiss vergessen lösche bitte dass mein meine meinen ich der die das ist",
  ),
);

export interface SpokenOf<One extends Named> {
  readonly facts: readonly One[];
  /** More than one fits what was said of one, and it is not said that all are meant. */
  readonly isUnclear: boolean;
}

/**
 * The facts a message speaks of, clause by clause: all of them where it says so, else those that share most of its telling words, by id, by value or by what
 * such a fact is called. "Forget my cat" does not speak of the user's name. Pure.
 */
export function factsSpokenOf<One extends Named>(message: string, facts: readonly One[]): SpokenOf<One> {
  const text = message.replace(/[’]/gu, "'");
  if (wholeOfMe.test(squash(text))) return { facts: [...facts], isUnclear: false };
  const found = new Set<One>();
  let isUnclear = false;
  for (const clause of text.split(/[,;]|\b(?:and|or|und|oder|sowie)\b/iu)) {
    const best = bestOf(clause, facts);
    for (const fact of best) found.add(fact);
    isUnclear ||= best.length > 1 && !areOneThing(best) && !/\b(?:all|everything|anything|both|each|every|alles|alle|beides?)\b/iu.test(clause);
  }
  return { facts: facts.filter((fact) => found.has(fact)), isUnclear };
}

/** Whether a message speaks of this fact among these. */
export function speaksOf(message: string, fact: Named, facts: readonly Named[] = [fact]): boolean {
  return factsSpokenOf(message, facts).facts.some(({ id }) => id === fact.id);
}

/** Two words for what a person has one of: whoever means one means both. */
function areOneThing(facts: readonly Named[]): boolean {
  const [slot, ...others] = facts.map(({ text }) => factSlot(text));
  return slot !== null && others.every((other) => other === slot);
}

function bestOf<One extends Named>(clause: string, facts: readonly One[]): One[] {
  const said = new Set(tellingStems(clause).filter((word) => !ofForgetting.has(word)));
  const parts = clause.split(/\s+/u);
  const scores = facts.map((fact) => scoreOf(fact, clause, said, parts));
  const best = Math.max(0, ...scores);
  return best === 0 ? [] : facts.filter((_, index) => scores[index] === best);
}

function scoreOf({ id, text }: Named, clause: string, said: ReadonlySet<string>, parts: readonly string[]): number {
  if (parts.includes(id)) return Number.MAX_SAFE_INTEGER;
  const slot = factSlot(text);
  const form = slot === null ? undefined : spoken[slot];
  // Of one that has a form the words of the form are told by the whole phrase: "the cat's name" is not the user's.
  const telling = new Set(tellingStems(text).filter((word) => !ofForgetting.has(word) && (form === undefined || !formWords.has(word))));
  const shared = [...telling].filter((word) => said.has(word)).length;
  return shared + (form?.test(clause) ? 2 : 0);
}

const formWords = new Set(words("name call live home work job role").flatMap(tellingStems));
