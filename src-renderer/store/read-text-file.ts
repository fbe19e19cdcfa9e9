import { longestAttachment } from "#contract/chat/schema.ts";
import { badInput } from "#contract/errors.ts";

/** No character takes more than four bytes. */
const mostBytes = longestAttachment * 4;

/** The text of a file as it goes with a message. Rejects with bad-input for one that holds no text, or too much, and says what to do instead. */
export async function readTextFile(file: File): Promise<{ readonly name: string; readonly text: string }> {
  const name = file.name.trim() === "" ? "file" : file.name;
  if (file.size > mostBytes)
    throw badInput(`“${name}” is too long: at most ${longestAttachment.toLocaleString("en")} characters go with a message. Cut it in parts.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = decoded(bytes);
  if (text === null || text.includes("\0"))
    throw badInput(
      `“${name}” is no text file, so Knack cannot read it. Text, Markdown, CSV, JSON, code and the like can be attached; export it as one of those.`,
    );
  if (text.length > longestAttachment)
    throw badInput(`“${name}” is too long: at most ${longestAttachment.toLocaleString("en")} characters go with a message. Cut it in parts.`);
  if (text.trim() === "") throw badInput(`“${name}” is empty.`);
  return { name: name.slice(0, 255), text };
}

/** By its mark where it has one, else as UTF-8, and null for what is neither. */
function decoded(bytes: Uint8Array): string | null {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
