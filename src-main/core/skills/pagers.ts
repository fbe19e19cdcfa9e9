const pagerName =
  /^(?:show |load |see |view )?(?:older|newer|more|next|earlier|later|previous|forward)(?: (?:page|results?|entries|items|messages|posts|statements|orders|notices|ads|posts|bills|invoices|months?|listings?|transactions?|events?|records?))?\s*[›»>→…]*$|^[›»>→]$|^load (?:more|older).*$|^show more.*$/iu;
const backName = /^(?:newer|previous|later|back|forward)\b|^[‹«<←]$/iu;

/** Whether a control's name says that it shows more of the same list. */
export function isPager(name: string): boolean {
  return pagerName.test(name.trim());
}

/** Whether it goes the way one has come from rather than on. */
export function isBackward(name: string): boolean {
  return backName.test(name.trim());
}
