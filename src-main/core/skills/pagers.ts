const pagerName =
  /^(?:(?:show|load|see|view) )?(?:older|newer|more|next|earlier|later|previous|forward)(?: (?!about\b|info|details?\b|help\b|from\b|on\b|ways?\b|steps?\b|options?\b|services?\b|news\b)\p{L}+){0,2}\s*[›»>→…]*$|^[›»>→]$/iu;
const backName = /^(?:newer|previous|later|back|forward)\b|^[‹«<←]$/iu;

/** Whether a control's name says that it shows more of the same list. */
export function isPager(name: string): boolean {
  return pagerName.test(name.trim());
}

/** Whether it goes the way one has come from rather than on. */
export function isBackward(name: string): boolean {
  return backName.test(name.trim());
}
