import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { KnackError } from "#contract/errors.ts";
import { Refused } from "./refused.ts";

export interface MarkdownPage {
  readonly title: string;
  readonly markdown: string;
}

/**
 * A page as markdown. Markup can be made to cost any amount of time and memory, so it is read in a thread of its own that is given up after `withinMs`
 * or beyond 256 MB. Rejects with Refused "stop.time" or "stop.memory", KnackError "fetch.content", or the signal's reason.
 */
export async function htmlToMarkdown(html: string, host: string, withinMs: number, signal: AbortSignal): Promise<MarkdownPage> {
  signal.throwIfAborted();
  const worker = new Worker(`(${convertInThread.toString()})()`, {
    eval: true,
    env: {},
    workerData: { html, library: fileURLToPath(import.meta.resolve("turndown")) },
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<MarkdownPage>();
  const place = { host, port: 0 };
  const stop = (): void => reject(signal.reason);
  const timer = setTimeout(() => reject(new Refused("stop.time", `The page of ${host} took too long to be read.`, place)), withinMs);
  signal.addEventListener("abort", stop, { once: true });
  worker.once("message", resolve);
  worker.once("error", (error: NodeJS.ErrnoException) =>
    reject(
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? new Refused("stop.memory", `The page of ${host} takes more memory than a page may.`, place)
        : new KnackError("fetch.content", `The page of ${host} cannot be read: its markup is nested beyond measure or broken.`),
    ),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

/** Runs as text in the thread, so it names nothing from outside of itself. */
function convertInThread(): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { createRequire: requireFrom } = process.getBuiltinModule("node:module");
  const { html, library } = workerData as { html: string; library: string };
  const Turndown = requireFrom(library)(library) as new (options: object) => { remove(what: readonly string[]): void; turndown(html: string): string };
  const service = new Turndown({ headingStyle: "atx", bulletListMarker: "-", codeBlockStyle: "fenced", hr: "---" });
  // What is not shown is not read: code, and what a person does not see.
  service.remove(["script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas", "head", "title"]);
  const title = /<title[^>]*>([^<]{0,500})/iu.exec(html)?.[1] ?? "";
  const markdown = service
    .turndown(html)
    .replace(/!\[([^\]]*)\]\([^)]*\)/gu, (_all: string, alternative: string) => alternative)
    .replace(/\n{3,}/gu, "\n\n")
    .trim();
  parentPort?.postMessage({ title: title.replace(/\s+/gu, " ").trim(), markdown });
}
