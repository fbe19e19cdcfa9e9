import type { Page } from "playwright-core";
import { stripInvisible } from "#base/invisible.ts";
import { clip, fold } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { BrowserOptions, RecordingSession } from "#core/ports/index.ts";
import { browserProblem } from "./browser-problem.ts";
import { BrowserWindow, type Mark, type WindowOptions } from "./browser-window.ts";
import { doneWithin } from "./done-within.ts";
import type { SeenElement } from "./elements.ts";
import { pageView } from "./page-view.ts";
import { performScript } from "./perform-script.ts";
import { linkRecorder, type RecorderLink, type Report } from "./recorder-link.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { untilAborted } from "./until-aborted.ts";
import { visibleText } from "./visible-text.ts";

const LONGEST_TEXT = 4_000;
/** How long a page may take to report what was done last. */
const LAST_WORDS_MS = 8_000;
/** Ways to a page that a person went by the address bar. */
const TYPED = new Set(["typed", "auto_bookmark", "generated", "keyword", "keyword_generated"]);

export type RecordOptions = BrowserOptions & {
  readonly url: string;
  readonly onAction?: (action: ShownAction) => void;
  readonly onKept?: (actions: readonly ShownAction[]) => void;
};
type Before = Pick<ShownAction, "siblings" | "landmark" | "context" | "options"> & { readonly target?: NonNullable<ShownAction["target"]> };

const NOTHING_BEFORE: Before = { siblings: [], landmark: "", context: "" };

/** Opens a window in which a person shows a task; what is done there is taken down, one action after the other. */
export async function startRecording(windowOptions: WindowOptions, options: RecordOptions, signal: AbortSignal, onEnd: () => void): Promise<RecordingSession> {
  const actions: ShownAction[] = [];
  const never = new AbortController().signal;
  const links = new Map<Page, RecorderLink>();
  const ended = Promise.withResolvers<void>();
  /** What secret fields that were filled are called, by people and in forms. */
  const secretNames = new Set<string>();
  let queue: Promise<void> = Promise.resolve();
  let waiting = 0;
  let reports = 0;
  let isStopped = false;
  let announced = 0;

  const window = await BrowserWindow.open(
    {
      ...windowOptions,
      onPage: async (page) => {
        links.set(
          page,
          await linkRecorder(page.context(), page, (report) => {
            reports += 1;
            enqueue(() => take(report));
          }),
        );
        page.on("framenavigated", (frame) => {
          if (frame === page.mainFrame() && waiting === 0 && !isStopped) enqueue(() => tookAddress(page));
        });
      },
    },
    signal,
  );

  void window.ended.then(finish);

  function finish(): void {
    if (isStopped) return;
    isStopped = true;
    announce(actions.length);
    onEnd();
    void window.close().then(() => windowOptions.egress.close());
    ended.resolve();
  }

  /** Actions are taken down one at a time, in the order in which they were done. */
  function enqueue(work: () => Promise<void>): void {
    waiting += 1;
    queue = queue
      .then(work)
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1;
      });
  }

  /** A fill is announced once it is final: when something else follows it. */
  function announce(until: number): void {
    for (; announced < until; announced += 1) options.onAction?.(actions[announced] as ShownAction);
  }

  function keep(action: ShownAction): void {
    const last = actions.at(-1);
    const isSameField = action.kind === "fill" && last?.kind === "fill" && sameTarget(last, action);
    const isSamePage = action.kind === "open" && last?.kind === "open" && last.value === action.value;
    if (isSameField || isSamePage) actions[actions.length - 1] = action;
    else actions.push(action);
    options.onKept?.(actions);
    announce(action.kind === "fill" || action.kind === "open" ? actions.length - 1 : actions.length);
  }

  async function look(): Promise<Snapshot> {
    return takeSnapshot(window.page, never);
  }

  async function after(): Promise<ShownAction["after"]> {
    const snapshot = await look();
    const view = pageView(snapshot.tree, { url: snapshot.url, title: snapshot.title, notes: window.takeNotes() }, LONGEST_TEXT);
    return { url: withoutSecrets(view.url, secretNames), title: view.title, heading: view.heading, text: clip(view.lines.join("\n"), LONGEST_TEXT) };
  }

  /** Waits for what the action set off and takes it down, with the files it brought. */
  async function complete(mark: Mark, kind: ShownAction["kind"], before: Before, more: { value?: string; secret?: boolean }, at: number): Promise<void> {
    await window.settle(mark, never);
    const seen = await after().catch(() => ({ url: window.isDead ? "" : window.page.url(), title: "", heading: "", text: "" }));
    keep({ kind, ...before, ...(more.value === undefined ? {} : { value: more.value }), secret: more.secret ?? false, after: seen, at });
    for (const file of window.downloads.slice(mark.downloads)) {
      keep({ kind: "download", value: file.name, secret: false, siblings: [], landmark: "", context: "", after: seen, at });
    }
  }

  async function take(report: Report): Promise<void> {
    const at = Date.now();
    await report.tell("mark", report.id);
    const snapshot = await look().finally(() => report.tell("unmark", report.id));
    const element = snapshot.tree.marked;
    const mark = window.mark();
    if (element?.secret === true) secretNames.add(element.name.toLowerCase()).add(element.hint.toLowerCase());
    const before = element === null ? unnamedBefore(report) : beforeOf(element, snapshot.tree.elements);
    if (report.kind === "click") {
      await report.tell("go", report.id);
      if (before.target !== undefined) await complete(mark, "click", before, {}, at);
      return;
    }
    if (report.kind === "field") {
      if (element?.action === "select") {
        await report.tell("go", report.id);
        await complete(mark, "select", before, element.secret ? { value: "", secret: true } : { value: element.value }, at);
        return;
      }
      await report.tell("go", report.id);
      if (element !== null) await complete(mark, "fill", before, element.secret ? { value: "", secret: true } : { value: stripInvisible(element.typed) }, at);
      return;
    }
    await enter(report, snapshot, before, mark, at);
  }

  /** Enter counts when it changed something. */
  async function enter(report: Report, snapshot: Snapshot, before: Before, mark: Mark, at: number): Promise<void> {
    const seenCount = window.activity.count;
    await report.tell("passEnter");
    await report.tell("go", report.id);
    await report.page.keyboard.press("Enter");
    await window.settle(mark, never);
    const now = await look();
    const isMoved = now.url !== snapshot.url || window.activity.count !== seenCount || linesOf(now) !== linesOf(snapshot);
    if (isMoved) await complete(mark, "press", before, { value: "Enter" }, at);
  }

  /** The page went somewhere by itself or by the address bar; only the latter, and going back or forth, is a person's action. */
  let historyIndex = 0;
  let historyLength = 0;
  async function tookAddress(page: Page): Promise<void> {
    const link = links.get(page);
    if (link === undefined || page !== window.page) return;
    const history = await link.history();
    const isTyped = TYPED.has(history.transition);
    const isBackOrForth = history.entries === historyLength && history.index !== historyIndex;
    historyIndex = history.index;
    historyLength = history.entries;
    if (!(isTyped || isBackOrForth) || !/^https?:/u.test(page.url())) return;
    const at = Date.now();
    await complete(window.mark(), "open", NOTHING_BEFORE, { value: page.url() }, at);
  }

  async function rememberHistory(): Promise<void> {
    const history = await links.get(window.page)?.history();
    historyIndex = history?.index ?? 0;
    historyLength = history?.entries ?? 0;
  }

  function openPage(url: string, stop: AbortSignal): Promise<void> {
    const refusal = windowOptions.egress.check(url, "navigate");
    if (refusal !== null) throw new KnackError(refusal.code, refusal.message, { exit: 3, fields: { host: refusal.host } });
    const opened = Promise.withResolvers<void>();
    enqueue(async () => {
      const at = Date.now();
      const mark = window.mark();
      try {
        await window.page.goto(url, { waitUntil: "domcontentloaded", timeout: windowOptions.limits.answerMs, signal: stop });
        await complete(mark, "open", NOTHING_BEFORE, { value: url }, at);
        await rememberHistory();
        opened.resolve();
      } catch (error) {
        const refused = window.refusedSince(mark)[0];
        opened.reject(
          refused === undefined
            ? browserProblem(error, "opening the page")
            : new KnackError(refused.code, refused.message, { exit: 3, fields: { host: refused.host } }),
        );
      }
    });
    return opened.promise;
  }

  async function idle(): Promise<void> {
    for (;;) {
      const current = queue;
      await current;
      if (queue === current && waiting === 0) return;
    }
  }

  async function stop(): Promise<readonly ShownAction[]> {
    if (!isStopped && !window.isDead) {
      const flushed = Promise.all([...links.values()].map((link) => link.tellAll("flush")));
      // What was just reported is on its way through the same pipe as the answer to the last call. A page that hangs answers nothing.
      await doneWithin(LAST_WORDS_MS, flushed.then(idle));
    }
    finish();
    await window.close();
    return actions;
  }

  try {
    await untilAborted(openPage(options.url, signal), signal);
  } catch (error) {
    finish();
    await window.close();
    throw error;
  }

  return {
    actions: () => actions,
    ended: ended.promise,
    stop,
    async view(stopSignal) {
      const snapshot = await takeSnapshot(window.page, stopSignal);
      return pageView(snapshot.tree, { url: snapshot.url, title: snapshot.title, notes: [] }, options.maxChars);
    },
    perform: (script, stopSignal) =>
      untilAborted(
        performScript(script, { window, link: () => links.get(window.page), open: openPage, reports: () => reports, idle }, stopSignal).catch(
          (error: unknown) => {
            throw browserProblem(error, "showing the task");
          },
        ),
        stopSignal,
      ),
  };
}

/** A form that is sent by GET puts its fields into the address; a secret one is taken out of it. */
function withoutSecrets(address: string, names: ReadonlySet<string>): string {
  if (names.size === 0 || !URL.canParse(address)) return address;
  const url = new URL(address);
  const secret = [...url.searchParams.keys()].filter((name) =>
    names.has(
      name
        .replace(/[_\-.[\]]+/gu, " ")
        .trim()
        .toLowerCase(),
    ),
  );
  for (const name of secret) url.searchParams.delete(name);
  return secret.length === 0 ? address : url.href;
}

function sameTarget(a: ShownAction, b: ShownAction): boolean {
  return a.target?.role === b.target?.role && a.target?.name === b.target?.name && (a.target?.within ?? "") === (b.target?.within ?? "");
}

function beforeOf(element: SeenElement, elements: readonly SeenElement[]): Before {
  const { role, name, within } = element;
  const siblings = elements.filter((each) => each.role === role && each.ref !== element.ref && each.group === element.group).map((each) => each.name);
  return {
    target: within === "" ? { role, name } : { role, name, within },
    siblings: [...new Set(siblings)],
    landmark: element.landmark,
    context: clip(element.around, 400),
    ...(element.action === "select" ? { options: [...element.options].slice(0, 100) } : {}),
  };
}

function unnamedBefore(report: Report): Before {
  const name = clip(visibleText(report.text), 80);
  return name === "" ? NOTHING_BEFORE : { ...NOTHING_BEFORE, target: { role: "button", name } };
}

function linesOf(snapshot: Snapshot): string {
  return fold(JSON.stringify(snapshot.tree.lines.map((line) => line.pieces.map((piece) => (typeof piece === "string" ? piece : "")))));
}
