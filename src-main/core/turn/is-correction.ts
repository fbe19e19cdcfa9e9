import { fold } from "#base/text.ts";

/** Words people put before what they have to say. */
const lead =
  /^(?:(?:oh|hm+|um+|er+m?|ah|oops|sorry|apologies|excuse me|wait|stop|hold on|hang on|hey|well|but|please|ok(?:ay)?|unfortunately|i'm afraid(?: that)?|i think|actually|(?:yes|yeah|thanks|thank you|great|good|nice|close)(?=,? but\b))(?![\p{L}\p{N}'])[\s,.!;:-]*)+/u;

/** "No" that contradicts: not the determiner of "no problem", nor the number of "No. 12". */
const no =
  /^(?:no|nope|nah)(?:[\s,.!]+(?:no|nope))*(?:\s*[,!;:-]+\s*|\.+(?!\s*\d)\s*|\s*$|\s+(?=(?:the|that|this|those|these|it|i|you|we|not|wrong|please|sorry|stop|undo|thanks?)\b))/u;

/** Said after "no" it declines or ends, and contradicts nothing. */
const closing =
  /^(?:(?:many )?thanks?(?: you)?(?: very much| so much| a lot)?|cheers|nothing(?: else| more| wrong(?: with (?:that|it|this))?)?|all (?:good|done|set|fine|right)|(?:that|it|this|everything)(?:'s| is| was|'ll be| will be) (?:all|it|fine|ok(?:ay)?|good|great|perfect|everything|enough|right|correct)(?: for (?:now|today))?|that(?:'ll| will) do|(?:i'm|we're|i am|we are) (?:good|fine|ok(?:ay)?|done|all set)|not (?:now|today|yet|at all|needed|necessary|for now)|don't (?:worry|bother)|leave it|never ?mind|i (?:don't|do not) (?:need|want) any\p{L}*(?: (?:else|more))?|no (?:need|problem|worries|rush|hurry))(?![\p{L}'])[\s,.!;:-]*/u;

/** More is wished, nothing taken back. */
const additive = /\b(?:too|also|as well)\b/u;

const done = "(?:that|this|it|these|those|they|everything|something|nothing|which)";
const softly = "(?:(?:just|all|still|completely|totally|clearly|simply|also|quite|so|really|definitely|even) )*";
const amiss =
  "(?:wrong|incorrect|mistaken|false|a mistake|an error|no good|nonsense|useless|broken|the other way|not (?:it|that|this|what|right|correct|true|the|those|these|how|where|who|mine|my|working|complete|done|a|an)\\b)";

/** What was done is said to be wrong, otherwise meant, or to be taken back. */
const wrongness: readonly RegExp[] = [
  new RegExp(`^${done}(?:'s|'re| is| are| was| were| looks?| seems?| sounds?) ${softly}${amiss}`, "u"),
  new RegExp(`^${done}(?:'s|'re| is| are| was| were) ${softly}the wrong\\b`, "u"),
  new RegExp(
    `^${done} (?:is|are|was|were)n't ${softly}(?:it|that|this|what|right|correct|true|the|those|these|how|where|who|mine|my|working|complete|done|a|an)\\b`,
    "u",
  ),
  new RegExp(
    `^${done} (?:did|does|do|has|have)(?:n't| not) ${softly}(?:work|help|look|seem|match|fit|happen|go|change|save|download|arrive|open|show|come|do)`,
    "u",
  ),
  new RegExp(`^${done} (?:went|has gone|goes) (?:\\p{L}+ )?wrong`, "u"),
  // A mistake on something of the user's own is what they want dealt with.
  /^there(?:'s| is| was) (?:a|an|some) (?:mistake|error|mix-?up)(?! (?:on|in|with) (?:my|our))/u,
  new RegExp(`^${done}(?:'s|'re| is| are| was| were) [^.!?]{1,40}, not \\S`, "u"),
  /^(?:the|your) \p{L}+(?: \p{L}+)? (?:is|are|was|were) (?:\p{L}+ )?(?:wrong|incorrect|mistaken|not right|not correct)[.!]*$/u,
  /^you(?:'ve| have)? (?:\p{L}+ )?(?:misread|misunderstood|forgot(?:ten)?|missed|skipped|mixed up|didn't|did not|haven't|have not)\b/u,
  /^you(?:'ve| have|'re| are| were)? (?:[^.!?]+ )?(?:wrong|mistaken|incorrectly)\b/u,
  /^(?:the )?wrong\b|^(?:incorrect|false|nonsense|no good)\b/u,
  /^not\b(?! (?:bad|now|today|tomorrow|yet|at all|to worry|a problem|sure|urgent|much|many|needed|necessary|for|only|until|before|everything|all)\b)/u,
  /^(?:i|we) (?:meant (?!to (?:ask|say|tell|thank|mention|let)\b)|meant$|said|was asking|was after|was looking for|told you|asked (?!to\b)|wanted (?!to (?:ask|know|say|thank|tell|check|let|see (?:if|whether|when))\b)|(?:did(?:n't| not)) (?:mean|ask|want|say))/u,
  /^(?:it|that|this) (?:should(?:'ve| have)|ought to have|was (?:supposed|meant)|were (?:supposed|meant))\b/u,
  /^(?:undo|revert|(?:take|put|roll|change) (?:that|it|this) back|go back)(?: (?:that|it|this|what you did|the last (?:step|one|change)|everything|all))?(?: (?:please|again|now))*[.!]*$/u,
  /^(?:try again|start (?:again|over))(?! (?:tomorrow|later|next|on|at|in|tonight|this))/u,
];

/** A bare piece of a sentence after "actually": what is right instead. */
const fragment = /^actually,? (?:the|that|this|those|these|not|it(?:'s| is| was)|i meant)\b/u;

/** Whether a message corrects what was just done, so that it belongs to the same episode (SPEC 2). A further wish or a polite no does not. */
export function isCorrection(text: string): boolean {
  const said = fold(text);
  if (fragment.test(said.replace(/^(?:(?:oh|no|well|sorry)[\s,]+)+/u, "")) && !additive.test(said)) return true;
  // "Why March? I wanted December."
  const asked = /^(?:why|how come)\b[^.!?]*[?!.]+\s*(?=\S)/u.exec(said)?.[0];
  if (asked !== undefined) return saysWrong(said.slice(asked.length).replace(lead, ""));
  const rest = said.replace(lead, "");
  const contradiction = no.exec(rest)?.[0];
  if (contradiction === undefined) return saysWrong(rest.replace(closing, ""));
  const after = rest.slice(contradiction.length);
  if (!closing.test(after)) return !additive.test(after) || saysWrong(after.replace(lead, ""));
  return saysWrong(after.replace(closing, "").replace(closing, "").replace(lead, ""));
}

function saysWrong(text: string): boolean {
  return wrongness.some((form) => form.test(text));
}

const praise =
  "(?:yes|yep|yeah|yup|perfect(?:ly)?|great|excellent|brilliant|wonderful|fantastic|awesome|amazing|super|superb|lovely|nice|good|exactly|precisely|correct|right|spot on|bravo|bingo|splendid)";
const thanks =
  "(?:many |a thousand )?(?:thanks|thank you|thx|cheers|ta)(?: (?:very|so) much| a (?:lot|million|bunch)| again| indeed)*(?: for (?:that|this|it|(?:your|the) help|everything))?";
const wished = "(?:(?:just |exactly )?what (?:i|we) (?:wanted|needed|asked for|meant|was after|was looking for))";
const it = "(?:that|this|it|everything|all|which)";
const parts = [
  thanks,
  "well done|you did it|got it|all good",
  wished,
  `${it}(?:'s| is| was| looks| seems) (?:all |just |very |really |exactly |quite )*(?:${praise}|it|the one|fine|done|working|${wished})`,
  `${it} (?:(?:has |'s )?worked(?: out)?(?: (?:well|fine|perfectly|great|now))?|works(?: (?:well|fine|perfectly|great|now))?|did (?:it|the trick|the job)|does (?:it|the trick|the job))`,
  `looks (?:very |really |all )?(?:${praise}|fine)`,
  `(?:very |really |so |just |absolutely |how )?${praise}(?: (?:job|work|stuff|one|result|answer))?`,
];
const filler = "(?:ok(?:ay)?|alright|ah|oh|wow|and|so|now|then|cool|sure|indeed)";
const confirmation = new RegExp(`^(?:${filler}[\\s,.!-]+)*(?:(?:${parts.join("|")})(?![\\p{L}'])[\\s,.!-]*(?:${filler}(?![\\p{L}'])[\\s,.!-]*)*)+$`, "u");

/** Whether a message does nothing but confirm what was just done. A mere "ok" says that it was read. */
export function isConfirmation(text: string): boolean {
  return confirmation.test(fold(text));
}
