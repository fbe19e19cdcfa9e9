const correction =
  /^\s*(?:no\b(?!\.?\s*\d)|nope\b|not (?:that|this|what)|wrong\b|that(?:'s| is| was) (?:wrong|not)|this is wrong|incorrect|undo\b|i meant\b|actually,?\s+(?:i|it|the|not)|try again|that did(?:n't| not) work|instead\b(?! of\b))/iu;

/** Whether a message corrects what was just done, so that it belongs to the same episode (SPEC 2). */
export function isCorrection(text: string): boolean {
  return correction.test(text);
}

const confirmation =
  /^\s*(?:(?:yes|yep|perfect|great|thanks?(?: you)?|thank you|that(?:'s| is) (?:right|it|correct|perfect)|that worked|it worked|well done|good(?: job)?|correct)\b[\s,.!]*)+$/iu;

/** Whether a message does nothing but confirm what was just done. */
export function isConfirmation(text: string): boolean {
  return confirmation.test(text);
}
