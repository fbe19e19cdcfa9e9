/** "Don't forget" asks for the opposite. */
const keepInMind =
  /\b(?:don'?t|do not|never|won'?t|not to) (?:\p{L}+ )?forget\b|\b(?:vergiss|vergesst|vergessen sie)(?: \p{L}+){0,2} nicht\b|\bnicht (?:zu )?vergessen\b/giu;
const forgets =
  /\b(?:forget|unremember|(?:delete|remove|erase|drop|take)\b.{0,60}\b(?:from (?:your )?memory|you (?:know|remember|kept|noted|saved|stored)|(?:i|we) told you|the facts?|out of (?:your )?memory)|(?:don't|do not|stop) (?:keep|keeping|remember|remembering|store|storing)|vergiss|vergessen sie|(?:lösche?|streiche?|entferne?)\b.{0,60}\b(?:aus deinem gedächtnis|du (?:weißt|kennst|gespeichert hast)|über mich))(?!\p{L})/iu;
const changes =
  /\b(?:no longer|not any ?more|any ?more|(?:has|have|'ve|'s) changed|changed my|i(?:'ve| have)? moved|instead of|actually|correct(?:ion)?|update (?:that|what|your memory|my)|change (?:that|what you|your memory))\b/iu;
const pasts =
  /\b(?:what did (?:i|we|you) (?:say|tell|talk|discuss|decide|find|do)|did (?:i|we) (?:ever )?(?:say|tell|talk|discuss|mention|ask)|when did (?:i|we)|last time|earlier conversations?|past conversations?|previous(?:ly)?|(?:we|i) (?:talked|spoke|discussed|mentioned|told you)|the other day|a while ago|back then)\b/iu;

/** Whether a person asks to have something taken out of memory. */
export function asksToForget(text: string): boolean {
  return forgets.test(text.replace(/[’]/gu, "'").replace(keepInMind, ""));
}

/** What people say around a request to forget; what is left of it besides is something else that is wanted. */
const besides =
  /https?:|\b(?:open|download|book|find|search|send|write|order|buy|show|tell|translate|then|instead|öffne|lade|buche|suche|schreibe?|zeige?|danach|stattdessen)(?!\p{L})/iu;
const startsSo =
  /^(?:(?:please|can you|could you|would you|ok(?:ay)?|now|and|hey|hi|knack|you can|i want you to|i'd like you to|bitte|kannst du|und|jetzt)[\s,]+)*(?:forget|unremember|delete|remove|erase|drop|take|don't|do not|stop|vergiss|vergessen|lösche?|streiche?|entferne?)(?!\p{L})/iu;

const remembers =
  /\b(?:remember|keep in mind|note (?:that|down)|make a note|take note|don'?t forget|memori[sz]e|(?:save|keep) (?:this|that|my)|bear in mind|merke? dir|notiere?|vergiss nicht)(?!\p{L})/iu;

/** Whether a person asks to have something kept. */
export function asksToRemember(text: string): boolean {
  return remembers.test(text.replace(/[’]/gu, "'"));
}

/** Whether that is all they ask for. */
export function asksToForgetAlone(text: string): boolean {
  return asksToForget(text) && startsSo.test(text.trim()) && !besides.test(text) && !/[.!?]\s+\S/u.test(text.trim());
}

/** Whether a person says that something is not as it was. */
export function saysItChanged(text: string): boolean {
  return changes.test(text.replace(/[’]/gu, "'"));
}

/** Whether a person asks for what was said before. */
export function asksForPast(text: string): boolean {
  return pasts.test(text.replace(/[’]/gu, "'"));
}
