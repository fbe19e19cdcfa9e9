/** One instruction of a person's advice: "press Search", "open it", "tell me the day". */
export interface Clause {
  readonly text: string;
  /** Only if need be ("press Next if it is not on the page", "press Older until it is listed"): a way to look further, never a step by itself. */
  readonly isConditional: boolean;
  /** Asks for words, not for a step. */
  readonly tells: boolean;
}

const verbs =
  "press|click|tap|open|go|choose|select|pick|fill|type|enter|tick|check|untick|tell|say|read|look|note|report|answer|download|save|confirm|submit|send|search|find|put|set|change|move|mark|add|remove|book|reserve|apply|continue|finish|place|post|publish|upload|write|use|take|get|give|show|follow|switch";
/** Between instructions; an "and" only before a verb, since names of controls hold it too ("Parking and streets"). */
const separator = new RegExp(String.raw`\s*[;,]\s*(?:and\s+)?(?:then\s+)?|\.\s+|\s+(?:and\s+)?then\s+|\s+and\s+(?=(?:${verbs})\b)`, "iu");
const conditional = /\b(?:until|if|unless|when(?:ever)?|where needed|as needed|as often as)\b/iu;
const telling = /^(?:tell|say|read|note|answer|report back|let me know|look (?:at|up|for) (?:the|what|when|how|which)|see (?:what|when|which|how))\b/iu;

/** The advice as instructions in order. What stands in brackets is one of its own, after the one it stands in. */
export function clausesOf(hint: string): Clause[] {
  return hint
    .replace(/[.!]+\s*$/u, "")
    .split(/\(([^)]*)\)/u)
    .flatMap((part, index) => (index % 2 === 1 ? [clauseOf(part, true)] : part.split(separator).map((text) => clauseOf(text, false))))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function clauseOf(text: string, inBrackets: boolean): Clause {
  const trimmed = text.trim();
  return { text: trimmed, isConditional: inBrackets || conditional.test(trimmed), tells: telling.test(trimmed) };
}
