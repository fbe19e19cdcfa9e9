import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
  /** Base64 SHA-256 of the public key, as Chromium's `--ignore-certificate-errors-spki-list` wants it. */
  readonly spki: string;
}

const DAY = 86_400_000;

/** One DER value: tag, length, content (X.690 8.1). */
function der(tag: number, ...parts: readonly (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)));
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length: number[] = [];
  for (let rest = body.length; rest > 0; rest >>= 8) length.unshift(rest & 0xff);
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length, ...length]), body]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts);
const octets = (inner: Buffer): Buffer => der(0x04, inner);
const bits = (inner: Buffer): Buffer => der(0x03, [0], inner);
const COMMON_NAME = der(0x06, [0x55, 0x04, 0x03]);
const ALTERNATIVE_NAMES = der(0x06, [0x55, 0x1d, 0x11]);
const ECDSA_WITH_SHA256 = sequence(der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));

function time(milliseconds: number): Buffer {
  const text = `${new Date(milliseconds).toISOString().replace(/[-:T]/gu, "").slice(0, 14)}Z`;
  return der(0x18, Buffer.from(text, "latin1"));
}

function name(commonName: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))));
}

function pem(label: string, body: Buffer): string {
  return `-----BEGIN ${label}-----\n${body.toString("base64").replace(/.{1,64}/gu, "$&\n")}-----END ${label}-----\n`;
}

function tbs(hosts: readonly string[], publicKey: Buffer, now: number): Buffer {
  const names = sequence(...hosts.map((host) => der(0x82, Buffer.from(host, "latin1"))));
  const serial = der(0x02, [0x01], randomBytes(8));
  const version = der(0xa0, der(0x02, [2]));
  const extensions = der(0xa3, sequence(sequence(ALTERNATIVE_NAMES, octets(names))));
  const subject = name("Knack test sites");
  return sequence(version, serial, ECDSA_WITH_SHA256, subject, sequence(time(now - DAY), time(now + 7 * DAY)), subject, publicKey, extensions);
}

/** A self-signed certificate for these hosts, good for a week: for sites of tests and evaluation only. */
export function makeCertificate(hosts: readonly string[], now: number = Date.now()): Certificate {
  const pair: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = pair.publicKey.export({ type: "spki", format: "der" });
  const body = tbs(hosts, publicKey, now);
  const signature = sign("sha256", body, pair.privateKey);
  return {
    key: pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: pem("CERTIFICATE", sequence(body, ECDSA_WITH_SHA256, bits(signature))),
    spki: createHash("sha256").update(publicKey).digest("base64"),
  };
}
