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

/** Ends of file names, which look like the end of a host. */
const fileEnd = /\.(?:pdf|csv|ics|txt|docx?|xlsx?|pptx?|zip|png|jpe?g|gif|md|json|xml|html?|mp3|mp4|odt|ods)$/u;

/** Hosts a goal names, lower case: of addresses with a scheme, and names that stand alone and are neither a file's nor an e-mail's. */
export function hostsIn(goal: string): string[] {
  const hosts = new Set<string>();
  for (const match of goal.matchAll(/\bhttps?:\/\/([a-z0-9.-]+)/giu)) hosts.add((match[1] ?? "").toLowerCase().replace(/\.+$/u, ""));
  for (const match of goal.matchAll(/(?<![\w@./-])((?:[a-z][a-z0-9-]*\.)+[a-z]{2,})(?![\w@-])/giu)) {
    const host = (match[1] ?? "").toLowerCase();
    if (!fileEnd.test(host)) hosts.add(host);
  }
  hosts.delete("");
  return [...hosts];
}
