import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";

/** What controls are called by what they do, in general English; a word behind the first ("up", "in") is no part of it. */
const deeds: ReadonlySet<string> = new Set(
  `accept add apply approve archive attach book borrow buy call cancel change check claim clear close collect complete compose confirm continue copy create
  decline delete deliver deny download draft edit email enrol enter exchange export extend file filter find finish fetch follow forward get hire import insert
  join leave list lock log mail make mark message move mute next open order pause pay pin post print publish put read refund register reject release remove rename
  renew rent reopen repeat reply report request reschedule reserve reset restore resume return review revoke save schedule search select send set share show sign
  skip sort start stop submit subscribe switch tell track transfer undo unfollow unlock unsubscribe update upgrade upload use verify view withdraw write`
    .split(/\s+/u)
    .filter(Boolean),
);

/** Where a word of the goal says what is to be done: at the head of a clause, behind who is to do it, or behind what presses a control. */
const doing =
  /(?:^|[.!?:;,\n(–—-]|\b(?:please|then|and|to|me|us|you|we|i|should|must|could|can|will|would|let['’]s|now|just|press|click|push|tap|hit|choose|select|pressing|clicking)(?:\s+(?:on|the|button|link|then|please))*)\s*["'“‘]?$/iu;
/** Where a clause begins, whatever the word. */
const heading = /(?:^|[.!?:;\n]|\b(?:please|then|(?:want|like|need|have|me|us)\s+to))\s*$/iu;

/**
 * Whether a control's whole name is what the goal says is to be done ("Send" of "Send the message to Ada", or of "… and send it"), and so no value that
 * may be another one next time. `before` is the goal up to it. A thing that a button is called by ("Medium" of "a medium latte") is a value.
 */
export function isDeed(name: string, role: string, before: string): boolean {
  if (role !== "button" && role !== "link" && role !== "menuitem") return false;
  const telling = words(name).filter((word) => !stopWords.has(word));
  const [verb, ...more] = telling;
  if (verb === undefined || more.length > 0) return false;
  return deeds.has(verb) ? doing.test(before) : role === "button" && heading.test(before);
}
