import { fold } from "#base/text.ts";

const asked =
  /^(?:(?:and|so|hi|hello|hey|ok(?:ay)?|please|now|well|und|hallo|hey)[\s,!]+)*(?:(?:can|could|will|would) you\b|are you able to\b|do you (?:have|know how|support)\b|what (?:can|could|do) you (?:do|help|offer)\b|what are you (?:able|good|capable)\b|how can you help\b|(?:kannst|könntest|würdest) du\b|können sie\b|was kannst du\b|was können sie\b)/u;
/** With an address something is to be done there: that is a task, and the page tells what can be done. */
const address = /https?:|\b[\w-]+\.(?:com|org|net|io|de|example)\b/iu;

/**
 * One line where the newest message asks what Knack can do, or whether it can do something: a small model says yes to anything. "" for every other message.
 */
export function abilityLine(text: string): string {
  if (text.length > 200 || address.test(text) || !asked.test(fold(text))) return "";
  return "You can only talk, work on web pages whose address the user gives, and remember what they tell. You cannot read mail, order, buy, book, pay or call. Say so where it is asked.";
}
