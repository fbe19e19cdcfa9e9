import { setTimeout as sleep } from "node:timers/promises";
import type { Frame } from "playwright-core";
import { KnackError } from "#contract/errors.ts";
import type { LoginPart, LoginRequest, LoginSent } from "#core/ports/index.ts";
import { originOf } from "./address-parts.ts";
import type { BrowserWindow } from "./browser-window.ts";
import { findTarget, targetText } from "./find-target.ts";
import { type LoginDocument, type LoginLink, loginLinkOf } from "./login-link.ts";
import type { LoginLook, LoginRefs } from "./login-script.ts";
import type { ReadTree } from "./read-tree.ts";
import { refuseTraces } from "./refuse-traces.ts";
import { watchSubmission } from "./watch-submission.ts";

/** How long a form that is not there yet is waited for, and one whose button cannot be pressed yet. */
const APPEAR_MS = 3_000;
const READY_MS = 3_000;
/** How long a page may take to do something once its form was sent. */
const REACT_MS = 5_000;
const LOOK_AGAIN_MS = 60;

const partOf = { user: "username", password: "password", code: "totp" } as const;

interface Found {
  readonly document: LoginDocument;
  readonly look: LoginLook;
}

/** Notes which fields the page has, as a model has now read them. A page that went away meanwhile has none. */
export async function noteFields(window: BrowserWindow): Promise<void> {
  const link = await loginLinkOf(window.page);
  for (const document of await link.documents()) await document.call("note").catch(() => undefined);
}

/**
 * Security rule 7, in this order: the fields, the origin of their document and of those around it, where the form goes, the vault, all of it again in the
 * moment of filling in, and then it is sent. What is refused is refused before the vault is asked.
 * @param tree the page as it was last read
 * @param onFilled called in the moment a value is in the page
 */
export async function signIn(
  window: BrowserWindow,
  tree: ReadTree | null,
  request: LoginRequest,
  onFilled: () => void,
  signal: AbortSignal,
): Promise<LoginSent> {
  refuseTraces();
  const link = await loginLinkOf(window.page);
  const { document, look } = await findForm(window, link, tree, request, signal);
  requirePlace(look, request.origins);
  const watch = await watchSubmission(window, request);
  try {
    const sent = await request.release(look.origin, look.parts, async (values, stop) => {
      signal.throwIfAborted();
      const texts = Object.fromEntries(look.parts.map((part) => [part, values.take(part)]));
      onFilled();
      const problem = await document.call("fill", texts, request.origins).catch(() => "gone");
      if (problem !== "") throw changedProblem(problem);
      const isSent = await send(document, request.origins, AbortSignal.any([signal, stop])).catch(async (error: unknown) => {
        await document.call("wipe").catch(() => undefined);
        throw stop.aborted ? stop.reason : error;
      });
      return { filled: look.parts, isSent };
    });
    if (sent.isSent) await reaction(window, document, signal);
    await window.settle(window.latest, signal);
    watch.throwIfElsewhere();
    return sent;
  } catch (error) {
    await document.call("wipe").catch(() => undefined);
    throw error;
  } finally {
    await watch.end();
  }
}

/** Waits for the form while the page is still building itself. */
async function findForm(window: BrowserWindow, link: LoginLink, tree: ReadTree | null, request: LoginRequest, signal: AbortSignal): Promise<Found> {
  const main = originOf(window.page.url());
  // Told apart before anything is looked for: a document of another site around the right one is the trick itself.
  if (!request.origins.includes(main) && window.page.frames().some((frame) => frame.parentFrame() !== null && request.origins.includes(originOf(frame.url()))))
    throw refusal("cred.ancestor", `Not filled in: the login stands inside a page of ${main}, which could watch it.`);
  const refs = refsOf(tree, request);
  const until = Date.now() + APPEAR_MS;
  for (;;) {
    signal.throwIfAborted();
    const found = await lookIn(await link.documents(), refs, request);
    if (found !== null && found.look.problem === null) return found;
    if (found?.look.problem === "ambiguous")
      throw refusal(
        "ref.ambiguous",
        "Not filled in: there are several forms this could be. Say which password field is meant, and the account's in the same form.",
      );
    if (found?.look.problem === "field") throw refusal("cred.field", "Not filled in: that field takes no password.");
    if (found?.look.problem === "stale")
      throw refusal("ref.stale", "Not filled in: the field is not the one that was there when the page was read. Look at the page again.");
    const foreign = await foreignFrame(window, refs, tree);
    if (foreign !== null) throw foreignProblem(foreign, main, request.origins);
    const isLate = Date.now() >= until;
    // A node that went away does not come back; another in its place is another.
    if (Object.keys(refs.byRef).length > 0 || (isLate && refs.missing.length > 0))
      throw refusal("ref.stale", "Not filled in: the field is not there any more. Look at the page again.");
    if (isLate) {
      throw refusal("cred.none", "There is nothing on this page that the login could be filled into.");
    }
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

interface Refs {
  readonly byRef: LoginRefs;
  /** Named, and not in the tree: what only a closed tree of shadows holds. */
  readonly missing: readonly { readonly part: LoginPart; readonly role: string; readonly name: string }[];
}

/** The elements that are named, as they were when the page was last read. */
function refsOf(tree: ReadTree | null, { fields }: LoginRequest): Refs {
  const byRef: { -readonly [Part in LoginPart]?: string } = {};
  const missing: { part: LoginPart; role: string; name: string }[] = [];
  for (const key of ["user", "password", "code"] as const) {
    const target = fields[key];
    if (target === undefined) continue;
    const found = findTarget(tree?.elements ?? [], target);
    if (found.kind === "several")
      throw refusal("ref.ambiguous", `Not filled in: there are several of ${targetText(target)} on this page. Say which by its row or section.`);
    if (found.kind === "one") byRef[partOf[key]] = found.element.ref;
    else missing.push({ part: partOf[key], role: target.role, name: target.name });
  }
  return { byRef, missing };
}

async function lookIn(documents: readonly LoginDocument[], refs: Refs, request: LoginRequest): Promise<Found | null> {
  let last: Found | null = null;
  for (const document of documents) {
    try {
      let isWhole = true;
      for (const { part, role, name } of refs.missing) isWhole &&= await document.adopt(part, role, name);
      if (!isWhole) continue;
      const look = JSON.parse(await document.call("look", refs.byRef, request.has)) as LoginLook;
      if (look.problem !== "none") return { document, look };
      last = { document, look };
    } catch {
      // A document that went away holds nothing.
    }
  }
  return last;
}

/** A frame in a process of its own that holds what is named, or, where nothing is named, a field for a secret. */
async function foreignFrame(window: BrowserWindow, refs: Refs, tree: ReadTree | null): Promise<Frame | null> {
  const named = Object.values(refs.byRef);
  const wanted =
    named.length > 0 ? named : (tree?.elements ?? []).filter((element) => element.secret && element.action === "fill").map((element) => element.ref);
  for (const ref of wanted) {
    const handle = await window.page
      .getByRef(ref)
      .elementHandle({ timeout: 500 })
      .catch(() => null);
    const frame = (await handle?.ownerFrame().catch(() => null)) ?? null;
    await handle?.dispose().catch(() => undefined);
    if (frame !== null && frame !== window.page.mainFrame()) return frame;
  }
  return null;
}

function foreignProblem(frame: Frame, main: string, origins: readonly string[]): KnackError {
  const own = originOf(frame.url());
  return origins.includes(own)
    ? refusal("cred.ancestor", `Not filled in: the login stands inside a page of ${main}, which could watch it.`)
    : refusal("cred.frame", `Not filled in: the field belongs to ${own}, not to the page around it.`);
}

/** The document, those around it and the form are of origins the entry is bound to; the text names the page's side alone. */
function requirePlace(look: LoginLook, origins: readonly string[]): void {
  const isTop = look.ancestors.length === 0;
  if (!origins.includes(look.origin))
    throw isTop
      ? refusal("cred.origin", `Not filled in: no vault entry of this name is bound to ${look.origin}.`)
      : refusal("cred.frame", `Not filled in: the field belongs to ${look.origin}, not to the page around it.`);
  const other = look.ancestors.find((origin) => origin !== look.origin);
  if (other !== undefined) throw refusal("cred.ancestor", `Not filled in: the login stands inside a page of ${other}, which could watch it.`);
  const away = look.actions.find((action) => !origins.includes(action));
  if (away !== undefined) throw refusal("cred.action", `Not filled in: this form would send the login to ${away}, which the vault entry is not bound to.`);
}

/** What `fill` found to be another than it was a moment before. */
function changedProblem(problem: string): KnackError {
  if (problem === "origin" || problem === "gone") return refusal("cred.origin", "Not filled in: the page went somewhere else in that moment.");
  if (problem === "ancestor") return refusal("cred.ancestor", "Not filled in: the login stands inside another page.");
  if (problem === "action") return refusal("cred.action", "Not filled in: the form was changed to send the login somewhere else.");
  if (problem === "field") return refusal("cred.field", "Not filled in: that is no field that can be typed into.");
  return refusal("ref.stale", "Not filled in: the page changed its fields in that moment. Look at the page again.");
}

/** Presses what sends it, once it can be pressed. False where there is nothing to press. */
async function send(document: LoginDocument, origins: readonly string[], signal: AbortSignal): Promise<boolean> {
  const until = Date.now() + READY_MS;
  for (;;) {
    signal.throwIfAborted();
    // A page that went on by itself was sent.
    const sent = await document.call("send", origins).catch(() => "sent" as const);
    if (sent === "action") throw changedProblem("action");
    if (sent === "sent" || sent === "none") return sent === "sent";
    if (Date.now() > until) return false;
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** Until the page does something about it: goes somewhere, asks its site, or takes the fields away. */
async function reaction(window: BrowserWindow, document: LoginDocument, signal: AbortSignal): Promise<void> {
  const before = window.activity.count;
  const until = Date.now() + REACT_MS;
  while (Date.now() < until && window.activity.count === before && !window.activity.isNavigating(window.page)) {
    if (window.isDead || !(await document.call("isThere").catch(() => false))) return;
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

function refusal(code: string, message: string): KnackError {
  return new KnackError(code, message, { exit: 3 });
}
