/** UTF-8 bytes of a text; a lone surrogate becomes U+FFFD, as in every encoder. */
export function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0) as number;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}

export function utf16le(text: string): number[] {
  return [...Array(text.length).keys()].flatMap((index) => [text.charCodeAt(index) & 255, text.charCodeAt(index) >> 8]);
}

export function hex(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The base64 characters that `bytes` alone decide when they begin `offset` bytes (0–2) into a group of three. */
export function base64Core(bytes: readonly number[], offset: 0 | 1 | 2): string {
  const bits = [...Array<number>(offset).fill(0), ...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const first = Math.ceil((offset * 8) / 6);
  const whole = Math.floor(bits.length / 6);
  let text = "";
  for (let index = first; index < whole; index += 1) text += alphabet[Number.parseInt(bits.slice(index * 6, index * 6 + 6), 2)] as string;
  return text;
}
