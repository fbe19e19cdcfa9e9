import { squash } from "#base/text.ts";
import { findValues, withoutUrls } from "./values/index.ts";

const standIn: Record<string, string> = {
  date: "that day",
  month: "that month",
  time: "that time",
  number: "that number",
  amount: "that amount",
  id: "that number",
  email: "that address",
  text: "it",
};

/**
 * A goal as recall compares it: addresses out, typed values replaced by a word for their kind, because the kind of a task does not depend on
 * its month or number.
 */
export function recallText(goal: string, now: Date): string {
  const values = findValues(goal, now);
  let text = withoutUrls(goal);
  for (const value of [...values].reverse()) {
    const before = text.slice(0, value.start).replace(/\b(?:the|my|a|an)\s+$/iu, "");
    text = `${before}${standIn[value.kind] ?? "it"}${text.slice(value.end)}`;
  }
  return squash(text).replace(/\s+(?:from|on|at|in|via|using|with)?\s*[.,;:]*$/iu, "");
}

/** Ends of file names and of technologies, which look like the end of a host. */
const fileEnd =
  /\.(?:pdf|csv|tsv|ics|txt|rtf|docx?|xlsx?|pptx?|zip|tar|gz|rar|png|jpe?g|gif|svg|webp|heic|md|json|ya?ml|toml|ini|log|xml|html?|css|[cm]?jsx?|[cm]?tsx?|sql|exe|dmg|iso|apk|bak|tmp|eml|vcf|epub|mp[34]|mov|avi|wav|odt|ods)$/u;
/** What follows a full stop with no space behind it. No top-level domain is such a word. */
const sentenceWord =
  /\.(?:the|then|and|but|for|from|that|this|these|those|with|when|what|where|which|who|after|before|please|also|you|your|they|there|open|close)$/u;

/**
 * Hosts a goal names, lower case: of addresses with a scheme, and names that stand alone and are neither a file's nor an e-mail's. Without a scheme
 * or "www." the part after a dot is written small: "Mr.Smith" and "it.Then" are two words.
 */
export function hostsIn(goal: string): string[] {
  const hosts = new Set<string>();
  for (const match of goal.matchAll(/\bhttps?:\/\/([a-z0-9.-]+)/giu)) hosts.add((match[1] ?? "").toLowerCase().replace(/\.+$/u, ""));
  for (const match of goal.matchAll(/(?<![\w@./-])((?:[a-z][a-z0-9-]*\.)+[a-z]{2,24})(?![\w@-])/giu)) {
    const written = match[1] ?? "";
    const host = written.toLowerCase();
    const isWritten = /^www\./iu.test(written) || !/\.[a-z0-9-]*[A-Z]/u.test(written);
    if (isWritten && !fileEnd.test(host) && !sentenceWord.test(host)) hosts.add(host);
  }
  hosts.delete("");
  return [...hosts];
}
