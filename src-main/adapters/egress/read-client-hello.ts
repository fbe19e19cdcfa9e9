/** What the first bytes of a tunnel are. `more` asks for more bytes. */
export type FirstBytes =
  | { readonly kind: "more" }
  | { readonly kind: "tls"; readonly serverName: string }
  | { readonly kind: "http" }
  | { readonly kind: "other" };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
/** A ClientHello longer than this is not waited for. */
const LONGEST = 65_536;

/** Reads the server name out of a TLS ClientHello (RFC 8446 4.1.2, RFC 6066 3), or says what else is spoken. */
export function readFirstBytes(bytes: Buffer): FirstBytes {
  if (bytes.length === 0) return { kind: "more" };
  if (bytes[0] !== HANDSHAKE) {
    if (bytes.length < 4) return { kind: "more" };
    return bytes.subarray(0, 4).toString("latin1") === "GET " ? { kind: "http" } : { kind: "other" };
  }
  const message = joinRecords(bytes);
  if (message === "other" || bytes.length > LONGEST) return { kind: "other" };
  if (message.length < 4) return { kind: "more" };
  if (message[0] !== CLIENT_HELLO) return { kind: "other" };
  const length = message.readUIntBE(1, 3);
  if (message.length < 4 + length) return { kind: "more" };
  const serverName = findServerName(message.subarray(4, 4 + length));
  return serverName === null ? { kind: "other" } : { kind: "tls", serverName };
}

function joinRecords(bytes: Buffer): Buffer | "other" {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3) return "other";
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + 5, end));
    at = end;
  }
  return Buffer.concat(parts);
}

/** "" when the hello names no server; null when it is malformed. */
function findServerName(hello: Buffer): string | null {
  try {
    let at = 2 + 32;
    at += 1 + hello.readUInt8(at);
    at += 2 + hello.readUInt16BE(at);
    at += 1 + hello.readUInt8(at);
    if (at === hello.length) return "";
    const end = at + 2 + hello.readUInt16BE(at);
    at += 2;
    while (at + 4 <= end) {
      const type = hello.readUInt16BE(at);
      const length = hello.readUInt16BE(at + 2);
      const body = hello.subarray(at + 4, at + 4 + length);
      if (type === SERVER_NAME)
        return body
          .subarray(5, 5 + body.readUInt16BE(3))
          .toString("latin1")
          .toLowerCase();
      at += 4 + length;
    }
    return "";
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
