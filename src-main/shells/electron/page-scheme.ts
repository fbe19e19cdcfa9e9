import { protocol } from "electron";
import { pageHeaders, readPageFile } from "#app/page.ts";
import { PAGE_SCHEME } from "./own-page.ts";

/** Before the app is ready: a scheme with an origin, as https has. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: PAGE_SCHEME, privileges: { standard: true, secure: true } }]);
}

/** Serves the built page in `folder`, and only it, to the scheme. */
export function servePage(folder: string): void {
  // Electron before 25 knows only the callback form; it runs as a stand-in in tests.
  if (typeof protocol.handle === "function") {
    protocol.handle(PAGE_SCHEME, async ({ method, url }) => {
      const { status, headers, body } = await answer(folder, method, url);
      return new Response(body, { status, headers });
    });
    return;
  }
  protocol.registerBufferProtocol(PAGE_SCHEME, ({ method, url }, callback) => {
    void answer(folder, method, url).then(({ status, headers, body }) =>
      callback({ statusCode: status, headers, mimeType: headers["content-type"]?.split(";")[0] ?? "text/plain", data: body }),
    );
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer<ArrayBuffer>;
}

async function answer(folder: string, method: string, address: string): Promise<Answer> {
  const url = new URL(address);
  const file = method === "GET" && url.host === "app" ? await readPageFile(folder, url.pathname, []) : null;
  if (file === null) return { status: 404, headers: { "content-type": "text/plain", ...pageHeaders([]) }, body: Buffer.from("There is no such file.\n") };
  return { status: 200, headers: { ...file.headers }, body: file.body };
}
