import type { HostedAgent } from "#app/create-agent.ts";
import { clip } from "#base/text.ts";
import { badInput } from "#contract/errors.ts";

/** Fewest characters of an id that name a conversation. */
const shortest = 3;
const mostNamed = 5;

/** The id of a conversation, from itself or from how it begins or ends. Throws bad-input where none, or more than one, is meant. */
export function conversationNamed(agent: HostedAgent, which: string): string {
  const all = agent.conversations();
  const wanted = which.trim().toUpperCase();
  if (all.some(({ id }) => id === which)) return which;
  const found = wanted.length < shortest ? [] : all.filter(({ id }) => id.toUpperCase().startsWith(wanted) || id.toUpperCase().endsWith(wanted));
  const [only] = found;
  if (only === undefined) throw badInput(`There is no conversation ${which}; see: knack conversations list`);
  if (found.length > 1) {
    const named = found.slice(0, mostNamed).map(({ id, title }) => `${id} (${clip(title, 40)})`);
    throw badInput(`${found.length} conversations could be meant; name more of the id: ${named.join("; ")}${found.length > mostNamed ? " and more" : ""}`);
  }
  return only.id;
}
