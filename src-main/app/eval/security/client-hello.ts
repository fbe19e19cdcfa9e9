/** The first bytes of a TLS connection that names these servers (RFC 8446 4.1.2, RFC 6066 3); an honest one names one. */
export function clientHello(...names: readonly string[]): Buffer {
  const list = Buffer.concat(names.map((name) => Buffer.concat([Buffer.from([0]), sized(Buffer.from(name), 2)])));
  const extension = Buffer.concat([Buffer.from([0, 0]), sized(sized(list, 2), 2)]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32),
    Buffer.from([0]),
    sized(Buffer.from([0x13, 1]), 2),
    Buffer.from([1, 0]),
    sized(extension, 2),
  ]);
  return Buffer.concat([Buffer.from([22, 3, 1]), sized(Buffer.concat([Buffer.from([1]), sized(body, 3)]), 2)]);
}

/** Bytes with their length before them. */
function sized(bytes: Buffer, width: number): Buffer {
  const length = Buffer.alloc(width);
  length.writeUIntBE(bytes.length, 0, width);
  return Buffer.concat([length, bytes]);
}
