/** What a step's JSON says. */
export interface WrittenStep {
  readonly tool: string;
  readonly args: Record<string, string>;
}

/** Reads one step; undefined when it is not `{"tool":…,"args":{…}}` with text arguments. */
export function readStep(text: string): WrittenStep | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { tool, args } = value as { tool?: unknown; args?: unknown };
  if (typeof tool !== "string" || typeof args !== "object" || args === null) return undefined;
  const read: Record<string, string> = {};
  for (const key of Object.keys(args)) {
    const inner = (args as Record<string, unknown>)[key];
    if (typeof inner !== "string") return undefined;
    read[key] = inner;
  }
  return { tool, args: read };
}

/** The JSON text of a step the host made, in the bytes the grammar would give. */
export function writeStep(tool: string, args: Readonly<Record<string, string>>): string {
  return JSON.stringify({ tool, args });
}

const opening = /^\{"tool":"(?:reply|ask_user)","args":\{"(?:text|question)":"/u;

/** Passes on the text of a reply while its JSON is still being written. */
export function replyStream(onText: (text: string) => void): (piece: string) => void {
  let written = "";
  let passed = 0;
  return (piece) => {
    written += piece;
    const start = opening.exec(written)?.[0].length;
    if (start === undefined) return;
    const open = written.slice(start);
    const end = /(?<!\\)(?:\\\\)*"/u.exec(open);
    const safe = end ? open.slice(0, end.index + end[0].length - 1) : open;
    let text: string;
    try {
      text = JSON.parse(`"${safe}"`) as string;
    } catch {
      return;
    }
    if (text.length > passed) onText(text.slice(passed));
    passed = text.length;
  };
}
