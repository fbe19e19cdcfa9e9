import type { CDPSession, Page } from "playwright-core";
import { LOGIN_GLOBAL, type LoginInPage, loginSource } from "./login-script.ts";

/** The world Playwright keeps for itself in each document; refs of snapshots are there, and no script of the page. */
const WORLD = /^__playwright_utility_world/u;

/** One document of a page: calls go to it and to no other; when it is gone, they fail and nothing was done. */
export interface LoginDocument {
  readonly isMain: boolean;
  call<Method extends keyof LoginInPage>(method: Method, ...args: Parameters<LoginInPage[Method]>): Promise<ReturnType<LoginInPage[Method]>>;
  /** Hands an element in, also one in a closed tree of shadows, by its role and name as assistive technology hears them. False where there is none, or several. */
  adopt(part: string, role: string, name: string): Promise<boolean>;
}

export interface LoginLink {
  /** The documents of this page that run in its own process, the main one first. Documents of another site run in others. */
  documents(): Promise<LoginDocument[]>;
  readonly client: CDPSession;
}

interface Created {
  readonly context: World & { readonly name: string; readonly auxData?: { readonly frameId?: string } };
}

/** `uniqueId` is never used twice; `id` is, once a page went on in another process. */
interface World {
  readonly id: number;
  readonly uniqueId: string;
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly objectId?: string };
  readonly exceptionDetails?: unknown;
}

interface AccessibleNode {
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly backendDOMNodeId?: number;
}

const links = new WeakMap<Page, Promise<LoginLink>>();

/** The link of a page, made at its first use. */
export function loginLinkOf(page: Page): Promise<LoginLink> {
  const there = links.get(page);
  if (there !== undefined) return there;
  const made = link(page);
  links.set(page, made);
  made.catch(() => links.delete(page));
  return made;
}

async function link(page: Page): Promise<LoginLink> {
  const client = await page.context().newCDPSession(page);
  const worlds = new Map<string, World>();
  const ready = new Set<string>();
  client.on("Runtime.executionContextCreated", ({ context }: Created) => {
    const frame = context.auxData?.frameId;
    if (WORLD.test(context.name) && frame !== undefined) worlds.set(frame, context);
  });
  client.on("Runtime.executionContextDestroyed", (event: { executionContextId: number }) => {
    for (const [frame, { id }] of worlds) if (id === event.executionContextId) worlds.delete(frame);
  });
  client.on("Runtime.executionContextsCleared", () => worlds.clear());
  await client.send("Runtime.enable");
  await client.send("Page.enable");

  async function call({ uniqueId }: World, source: string, args: readonly unknown[]): Promise<unknown> {
    if (!ready.has(uniqueId)) {
      await client.send("Runtime.evaluate", { uniqueContextId: uniqueId, expression: loginSource(), silent: true });
      ready.add(uniqueId);
    }
    const answer = (await client.send("Runtime.callFunctionOn", {
      uniqueContextId: uniqueId,
      functionDeclaration: source,
      arguments: args.map((value) => ({ value })),
      returnByValue: true,
      silent: true,
    })) as Evaluated;
    if (answer.exceptionDetails !== undefined) throw new Error("the document did not answer");
    return answer.result.value;
  }

  async function adopt(world: World, frame: string, part: string, role: string, name: string): Promise<boolean> {
    const { nodes } = (await client.send("Accessibility.getFullAXTree", { frameId: frame })) as { nodes: readonly AccessibleNode[] };
    const found = nodes.filter((node) => isCalled(node, role, name));
    const [only] = found;
    if (only?.backendDOMNodeId === undefined || found.length > 1) return false;
    await call(world, "function () { return true; }", []);
    const { object } = (await client.send("DOM.resolveNode", { backendNodeId: only.backendDOMNodeId, executionContextId: world.id })) as {
      object: { objectId?: string };
    };
    if (object.objectId === undefined) return false;
    const answer = (await client.send("Runtime.callFunctionOn", {
      objectId: object.objectId,
      functionDeclaration: `function (part) { return globalThis.${LOGIN_GLOBAL}.adopt(part, this); }`,
      arguments: [{ value: part }],
      returnByValue: true,
      silent: true,
    })) as Evaluated;
    return answer.result.value === true;
  }

  return {
    client,
    async documents() {
      const { frameTree } = (await client.send("Page.getFrameTree")) as { frameTree: FrameTree };
      return framesOf(frameTree).flatMap((frame, index) => {
        const world = worlds.get(frame);
        if (world === undefined) return [];
        const one: LoginDocument = {
          isMain: index === 0,
          call: async (method, ...args) => (await call(world, `function (...args) { return globalThis.${LOGIN_GLOBAL}.${method}(...args); }`, args)) as never,
          adopt: (part, role, name) => adopt(world, frame, part, role, name),
        };
        return [one];
      });
    },
  };
}

function framesOf({ frame, childFrames = [] }: FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(framesOf)];
}

function isCalled(node: AccessibleNode, role: string, name: string): boolean {
  const plain = (text: unknown): string =>
    String(text ?? "")
      .replace(/\s+/gu, " ")
      .trim()
      .toLowerCase();
  const isField = (text: string): boolean => text === "textbox" || text === "searchbox" || text === "spinbutton";
  const [own, wanted] = [plain(node.role?.value), plain(role)];
  return (own === wanted || (isField(own) && isField(wanted))) && plain(node.name?.value) === plain(name);
}
