import { asksForPast, asksToForget, type Offer, saysItChanged, toolRegistry } from "../tools/index.ts";
import type { Scene } from "./scene.ts";

/** Words with which people ask to have something kept or looked up; else the tools of memory are not offered (few tools at a time). */
const aboutMemory =
  /\b(?:remember|forget|note (?:that|down)|keep in mind|make a note|recall|what did i (?:say|tell)|do you know (?:my|what i)|my name is|call me|i live|i work|i prefer|merke? dir|denke? (?:daran|dran)|notiere?|erinner\p{L}*|mein name|ich heiße|nenn mich|ich wohne)(?!\p{L})/iu;
/** Asked for in so many words, whatever was kept already. */
const asks = /\b(?:remember|note (?:that|down)|keep in mind|make a note|recall|merke? dir|denke? (?:daran|dran)|notiere?|erinner\p{L}*)(?!\p{L})/iu;
/** Whether a message is about what Knack remembers. */
export function speaksOfMemory(text: string): boolean {
  return aboutMemory.test(text) || asksToForget(text) || saysItChanged(text);
}

/** Facts that may be named where one is to be changed or forgotten. */
const mostNamed = 5;

/**
 * The tools of memory for what the user says, in a free turn; null where they do not speak of it, and where memory is off. To change, to forget and to look
 * further back are no part of the kernel: a small model chooses worse among more tools, and the kernel's bytes stay the same in every turn.
 */
export function memorySpokenOf({ world, input, kept }: Pick<Scene, "world" | "input" | "kept">): Offer["memory"] {
  if (!world.settings().memory) return null;
  const { text } = input;
  const known = (): string[] => world.stores.facts.search(text, mostNamed).map((fact) => fact.text);
  // What is to be forgotten the host sees to, before the model is asked.
  if (asksToForget(text)) return { tools: ["recall"], known: [] };
  if (kept.length > 0 && !asks.test(text)) return null;
  if (asksForPast(text)) return { tools: ["search_past_conversations", "recall"], known: [] };
  if (saysItChanged(text) && known().length > 0) return { tools: ["update_memory", "remember", "recall"], known: known() };
  return aboutMemory.test(text) ? { tools: ["remember", "recall"], known: [] } : null;
}

/** What those of them are that the kernel does not name; "" where there are none. */
export function memoryToolsText(spoken: Offer["memory"]): string {
  const more = (spoken?.tools ?? []).filter((id) => id !== "remember" && id !== "recall");
  return more.length === 0 ? "" : ["Tools for memory:", ...more.map((id) => `- ${toolRegistry.get(id)?.description ?? id}`)].join("\n");
}
