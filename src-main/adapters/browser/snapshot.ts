import { errors, type Frame, type Page } from "playwright-core";
import { type DocumentShape, readFacts, readShape } from "./page-facts.ts";
import { type ReadTree, readTree } from "./read-tree.ts";
import type { FactsOfFrame } from "./seen-text.ts";
import { isTreeOf } from "./shown-elements.ts";
import { contentOf, type TreeNode } from "./tree.ts";
import { untilAborted } from "./until-aborted.ts";
import { visibleText } from "./visible-text.ts";

export interface Snapshot {
  readonly tree: ReadTree;
  readonly url: string;
  readonly title: string;
}

const SNAPSHOT_TIMEOUT_MS = 8_000;

/** Reads the page as it is now: elements with refs that are good until the next snapshot. */
export async function takeSnapshot(page: Page, signal: AbortSignal): Promise<Snapshot> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new errors.TimeoutError("the page does not answer")), SNAPSHOT_TIMEOUT_MS);
  try {
    const snapshot = await untilAborted(read(page, signal), AbortSignal.any([signal, late.signal]));
    isTreeOf(snapshot.tree, page);
    return snapshot;
  } finally {
    clearTimeout(timer);
  }
}

async function read(page: Page, signal: AbortSignal): Promise<Snapshot> {
  const shape = await readShape(page.mainFrame(), signal);
  if (!shape.hasBody || shape.contentType === "application/pdf")
    return { tree: readTree(plainRoots(shape), []), url: page.url(), title: visibleText(await page.title()) };
  const roots = (await page.ariaSnapshotJSON({ mode: "ai", timeout: SNAPSHOT_TIMEOUT_MS, signal })) as unknown as readonly TreeNode[];
  const frames = await framesOf(page, roots);
  const [title, ...facts] = await Promise.all([
    page.title(),
    // A frame may go away meanwhile. The page itself is not read without its facts: they say which text and which fields a person sees.
    ...frames.map(async ({ ref, frame }): Promise<FactsOfFrame | null> => {
      const facts = await readFacts(frame, signal).catch((error: unknown) => (ref === "" ? Promise.reject(error as Error) : null));
      return facts && { ...facts, ref };
    }),
  ]);
  return {
    tree: readTree(
      roots,
      facts.filter((each): each is FactsOfFrame => each !== null),
    ),
    url: page.url(),
    title: visibleText(title),
  };
}

/** What can be said of a document that is no page. */
function plainRoots(shape: DocumentShape): TreeNode[] {
  const isPdf = shape.contentType === "application/pdf";
  const said = isPdf
    ? "This is a PDF file as the browser shows it; its text cannot be read here."
    : `This is a file of the type ${shape.contentType}, not a page.`;
  return [said, ...shape.text.split("\n")].map((line) => ({ role: "paragraph", children: [line] }));
}

/** The main frame and every frame the snapshot went into, each with its ref. */
async function framesOf(page: Page, roots: readonly TreeNode[]): Promise<{ readonly ref: string; readonly frame: Frame }[]> {
  const refs: string[] = [];
  const gather = (node: TreeNode | string): void => {
    if (typeof node === "string") return;
    if (node.role === "iframe" && node.ref !== undefined && node.children !== undefined) refs.push(node.ref);
    for (const child of contentOf(node)) gather(child);
  };
  for (const root of roots) gather(root);
  const inner = await Promise.all(
    refs.map(async (ref) => {
      const handle = await page
        .getByRef(ref)
        .elementHandle({ timeout: 1_000 })
        .catch(() => null);
      const frame = (await handle?.contentFrame()) ?? null;
      await handle?.dispose();
      return frame === null ? [] : [{ ref, frame }];
    }),
  );
  return [{ ref: "", frame: page.mainFrame() }, ...inner.flat()];
}
