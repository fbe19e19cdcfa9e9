/** What the first bytes of a tunnel are. `more` asks for more bytes. */
export type FirstBytes =
  | { readonly kind: "more" }
  | { readonly kind: "tls"; readonly serverName: string }
  /** A request that asks for a web socket, with the host it names. */
  | { readonly kind: "upgrade"; readonly host: string }
  | { readonly kind: "other" };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/** A ClientHello longer than this is not waited for. */
const LONGEST = 65_536;
const LONGEST_HEAD = 16_384;

/** Reads the server name out of a TLS ClientHello (RFC 8446 4.1.2, RFC 6066 3), or says what else is spoken. */
export function readFirstBytes(bytes: Buffer): FirstBytes {
  if (bytes.length === 0) return { kind: "more" };
  if (bytes[0] !== HANDSHAKE) return readUpgrade(bytes);
  const message = joinRecords(bytes);
  if (message === "other" || bytes.length > LONGEST) return { kind: "other" };
  if (message.length < 4) return { kind: "more" };
  if (message[0] !== CLIENT_HELLO) return { kind: "other" };
  const length = message.readUIntBE(1, 3);
  if (message.length < 4 + length) return { kind: "more" };
  const serverName = findServerName(message.subarray(4, 4 + length));
  return serverName === null ? { kind: "other" } : { kind: "tls", serverName };
}

/** The opening of a web socket (RFC 6455 4.1): a GET with one Host that asks for the upgrade. */
function readUpgrade(bytes: Buffer): FirstBytes {
  if (bytes.subarray(0, 4).toString("latin1") !== "GET ".slice(0, bytes.length)) return { kind: "other" };
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return bytes.length > LONGEST_HEAD ? { kind: "other" } : { kind: "more" };
  const lines = bytes.subarray(0, end).toString("latin1").split("\r\n").slice(1);
  const valuesOf = (name: string): string[] => lines.flatMap((line) => (line.toLowerCase().startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []));
  const [host, ...more] = valuesOf("host");
  const asks = valuesOf("upgrade").some((value) => value.toLowerCase() === "websocket");
  return host === undefined || more.length > 0 || !asks ? { kind: "other" } : { kind: "upgrade", host };
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

/** "" when the hello names no server; null when it is malformed, or names more than one: servers differ in which they take. */
function findServerName(hello: Buffer): string | null {
  try {
    const names: string[] = [];
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
      if (type === SERVER_NAME) names.push(onlyName(hello.subarray(at + 4, at + 4 + length)));
      at += 4 + length;
    }
    return names.length > 1 ? null : (names[0] ?? "");
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The one host name of a list that holds nothing else. Throws RangeError for any other list. */
function onlyName(list: Buffer): string {
  const length = list.readUInt16BE(3);
  if (list.readUInt8(2) !== HOST_NAME || list.readUInt16BE(0) !== 3 + length || list.length !== 5 + length) throw new RangeError("not one host name");
  return list.subarray(5).toString("latin1").toLowerCase();
}
