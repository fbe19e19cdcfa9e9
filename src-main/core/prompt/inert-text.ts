/** Marks by which chat templates part the speakers, in the spellings of the common ones. */
const templateMark =
  /<(?=\||｜|\/?(?:s|bos|eos|pad|unk|system|assistant|user|human|model|think|tool_(?:call|response|result)s?|function_calls?|(?:start|end)_of_turn|(?:start|end)_header_id|eot_id)>)|<(?=<\/?SYS>>)|\[(?=\/?(?:INST|SYS|SYSTEM|AVAILABLE_TOOLS|TOOL_(?:CALLS|RESULTS))\])/giu;

/**
 * Untrusted text as it may stand in a prompt: without the fence's marker, however it is nested, and with the marks of chat templates broken by a space,
 * so that no text can close its fence or speak for somebody else.
 */
export function inertText(text: string, marker: string): string {
  let rest = text;
  while (marker !== "" && rest.includes(marker)) rest = rest.replaceAll(marker, "");
  return rest.replace(templateMark, (opening) => `${opening} `);
}
