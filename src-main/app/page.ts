import { readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";

/** What the built page may consist of; a file of another kind is not served. */
const KINDS: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

export interface PageFile {
  readonly body: Buffer<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One file of the built page by the path of its URL ("/" is index.html), or null when there is none.
 * Never leaves `folder`: not by dots, encoded or not, not by a link that points out of it (SBX-10).
 * `connect` lists what the page may open connections to, as CSP sources.
 */
export async function readPageFile(folder: string, urlPath: string, connect: readonly string[]): Promise<PageFile | null> {
  const relative = decodedPath(urlPath);
  const kind = relative === null ? undefined : KINDS[extname(relative)];
  if (relative === null || kind === undefined) return null;
  try {
    const [home, file] = await Promise.all([realpath(folder), realpath(join(folder, relative))]);
    if (!file.startsWith(home + sep)) return null;
    const isPage = kind.startsWith("text/html");
    // Built files carry their hash in their name; the page itself must be asked for each time.
    return {
      body: await readFile(file),
      headers: { "content-type": kind, "cache-control": isPage ? "no-store" : "private, max-age=31536000, immutable", ...pageHeaders(connect) },
    };
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** Headers of every answer of a shell: nothing from elsewhere, nothing inline, framed by nobody. */
export function pageHeaders(connect: readonly string[]): Record<string, string> {
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${connect.length === 0 ? "'none'" : connect.join(" ")}`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  };
}

/** The path below the folder, or null when it is none: it must start with "/", and no part may be hidden, "..", or hold a separator. */
function decodedPath(urlPath: string): string | null {
  if (!urlPath.startsWith("/")) return null;
  let path: string;
  try {
    path = decodeURIComponent(urlPath.slice(1));
  } catch {
    return null;
  }
  if (path === "") return "index.html";
  if (/[\\:\0]/u.test(path) || path.split("/").some((part) => part === "" || part.startsWith("."))) return null;
  return path;
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EISDIR");
}
