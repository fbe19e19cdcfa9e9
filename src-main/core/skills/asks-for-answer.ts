import { fold } from "#base/text.ts";
import { quotedIn, withoutUrls } from "./values/index.ts";

/** A deed asked for politely: the question mark is a courtesy. */
const polite =
  /^(?:please,? )?(?:(?:could|can|would|will) (?:you|u)(?: please| kindly| just| mind)* |(?:can|could|may) (?:i|we)(?: please)? (?=(?:have|get|book|borrow|reserve|order|hire|rent)\b))/u;
/** The same at the end: "…, would you?", "Can you do it?" as a sentence of its own. */
const politeEnd =
  /(?:(?<=[.!?;]) +|, *(?:(?:so|and|but) )?|(?<!^) +[-–] *|\()(?:could|can|would|will) (?:you|u)\b(?!.*\b(?:tell|say|what|when|where|which|who|why|how|if|whether)\b)[^.!?]*\?\s*\)?\s*$|,? (?:please|ok|okay|alright|thanks)\?\s*$/u;
const question =
  /\?\s*(?:\(|$)|^(?:(?:on|at|in|by|for|from|to|with|until|since) )?(?:what|when|where|which|who|whose|why|how|is|am|are|was|were|does|do|did|can|could|should|will|has|have)(?:'s|n't)?\b/u;
const wantsTelling =
  /\b(?:tell me|let me know|find out|look up|look for|check (?:when|what|whether|if|how|which|where|who|the|my|on)|(?:see|show me|show) (?:when|what|whether|if|how|which|where|who)|say (?:when|what|how)|report back|read me|give me the|i want to know|i(?:'d| would) like to know|need to know|wonder|what(?:'s| is)(?![^.?!]{0,30}:)|when(?:'s| is)|how (?:much|many|long|far|old|often))\b/u;
/** Lists and whereabouts are answers. */
const wantsListing = /^(?:please )?(?:list|track|count)\b/u;
/** Something that is said in a few words, as the object of getting it: "find the price of the desk", not "find the desk". */
const wantsFact =
  /\b(?:find|get|show|give|fetch|read|see|check)(?: me| us)?(?: the| my| our| its| his| her| their)(?: [\p{L}-]+){0,2} (?:price|cost|fee|balance|allowance|total|sum|amount|status|state|hours|times|time|date|day|deadline|address|phone|number|name|result|results|score|temperature|forecast|weather|rate|tariff|size|weight|age)\b(?! (?:bill|form|file|list|page|card|field)\b)(?!.* and (?:then )?\p{L}+ (?:it|them)\b)|\bgive me (?:my|our)\b/u;

/** What is quoted is to be written or found, whatever it says. */
function withoutQuoted(text: string): string {
  return quotedIn(text).reduceRight((rest, { start, end }) => `${rest.slice(0, start)}it${rest.slice(end)}`, text);
}

/** Whether a goal asks for an answer in words, so that its last step is to read and reply (SHO-06). */
export function asksForAnswer(goal: string): boolean {
  const said = fold(withoutQuoted(withoutUrls(goal)))
    .replace(/^please,? /u, "")
    .replace(politeEnd, "");
  const asked = said.replace(polite, "");
  const isPolite = asked !== said;
  return (!isPolite && question.test(said)) || wantsTelling.test(asked) || wantsListing.test(asked) || wantsFact.test(asked);
}
