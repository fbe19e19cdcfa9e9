import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Why a request is refused, as an HTTP status and one line for whoever made it. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

/**
 * Who may speak to this server. The loopback address keeps other machines out; this keeps out the other pages in the user's own
 * browser: by Host (a name rebound to 127.0.0.1), by Origin (a page that posts or connects across origins), by a secret nobody else has.
 */
export class Access {
  /** In the opened URL and the token file. */
  readonly token = randomBytes(32).toString("base64url");
  readonly #session = randomBytes(32).toString("base64url");
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Cookies are shared by all ports of a host, so the name tells two shells apart. Strict: no other site's page sends it. */
  cookie(): string {
    return `${this.#cookieName}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  isToken(given: string): boolean {
    return isSame(given, this.token);
  }

  /** Whether the request was meant for this server, and not made by another origin's page. */
  refuseForeign(headers: IncomingHttpHeaders): Refusal | null {
    const host = headers.host ?? "";
    if (host !== `127.0.0.1:${this.#port}` && host !== `localhost:${this.#port}`) {
      return { status: 403, message: `This server answers to 127.0.0.1:${this.#port} only.` };
    }
    if (headers.origin !== undefined && headers.origin !== `http://${host}`) return { status: 403, message: "Requests of another origin's page are refused." };
    return null;
  }

  refuseStranger(headers: IncomingHttpHeaders): Refusal | null {
    const given = cookies(headers.cookie ?? "").get(this.#cookieName) ?? "";
    return isSame(given, this.#session) ? null : { status: 401, message: "Open Knack with the address it printed when it started; the address holds its key." };
  }

  /** A browser names the origin of every WebSocket it opens, so one without is none of ours. */
  refuseUpgrade(headers: IncomingHttpHeaders): Refusal | null {
    if (headers.origin === undefined) return { status: 403, message: "A connection must name its origin." };
    return this.refuseForeign(headers) ?? this.refuseStranger(headers);
  }

  get #cookieName(): string {
    return `knack-${this.#port}`;
  }
}

function cookies(header: string): Map<string, string> {
  return new Map(
    header.split(";").flatMap((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()] as const];
    }),
  );
}

/** In constant time, whatever the lengths. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
