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
    text = `${text.slice(0, value.start)}${standIn[value.kind] ?? "it"}${text.slice(value.end)}`;
  }
  return squash(text).replace(/\s+(?:from|on|at|in|via|using|with)?\s*[.,;:]*$/iu, "");
}

/** Hosts a goal names, lower case. */
export function hostsIn(goal: string): string[] {
  const hosts = new Set<string>();
  for (const match of goal.matchAll(/\bhttps?:\/\/([a-z0-9.-]+)|\b((?:[a-z0-9-]+\.)+[a-z]{2,})\b/giu)) {
    const host = (match[1] ?? match[2] ?? "").toLowerCase().replace(/\.$/u, "");
    if (host !== "" && !/^\d+(?:\.\d+)*$/u.test(host) && !goal.slice(0, match.index).endsWith("@")) hosts.add(host);
  }
  return [...hosts];
}
