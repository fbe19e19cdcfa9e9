/** SHA-256 of UTF-8 text, lower-case hex. */
export type Digest = (text: string) => string;
