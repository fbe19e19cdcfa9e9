/** What the script tells the host; never a value. */
export interface SeenInPage {
  readonly id: number;
  readonly kind: "click" | "field" | "enter";
  /** Short text of the element, for one that has no accessible name. */
  readonly text: string;
}

export interface RecorderInPage {
  /** Puts the mark on the element of a report, so that a snapshot can say which it is. */
  mark(id: number): void;
  unmark(id: number): void;
  /** Lets the held action happen. */
  go(id: number): void;
  /** The next Enter is the host's. */
  passEnter(): void;
  /** Reports a field that was typed into and not reported yet. */
  flush(): void;
  /** While true, changes made by a driver count as a person's. */
  drive(isDriven: boolean): void;
}

export const RECORDER_WORLD = "knack-recorder";
export const RECORDER_BINDING = "knackReport";
export const RECORDER_GLOBAL = "knackRecorder";
const MARK = "data-knack-shown";

/**
 * Runs in every frame in a world of its own. Clicks, changes and Enter of a person are held in the capture phase, reported,
 * and let happen once the host has taken them down: so nothing is lost to a navigation.
 */
function recorder(report: (text: string) => void, markName: string): RecorderInPage {
  const control =
    "a[href],button,input,label,summary,[role=button],[role=link],[role=tab],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=option],[role=checkbox],[role=radio],[role=switch],[role=treeitem],[role=combobox],[onclick],[tabindex]";
  const clickedTypes = new Set(["checkbox", "radio", "submit", "button", "image", "reset"]);
  const held = new Map<number, { element: HTMLElement; happen: () => void }>();
  const reported = new WeakMap<Element, string>();
  let lastId = 0;
  let dirty: HTMLElement | null = null;
  let isPassing = false;
  let isEnterPassing = false;
  let isDriven = false;

  const isTyped = (node: EventTarget | null | undefined): node is HTMLInputElement => {
    if (!(node instanceof HTMLElement)) return false;
    if (node instanceof HTMLTextAreaElement || node.isContentEditable) return true;
    return node instanceof HTMLInputElement && !clickedTypes.has(node.type) && node.type !== "file";
  };
  const contentOf = (element: HTMLElement): string =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
      ? element.value
      : (element.textContent ?? "");
  const isPerson = (event: Event): boolean => event.isTrusted || isDriven;

  function hold(kind: "click" | "field" | "enter", element: HTMLElement, happen: () => void): void {
    if (kind === "click" && [...held.values()].some((each) => each.element === element)) return;
    lastId += 1;
    held.set(lastId, { element, happen });
    const text =
      isTyped(element) || element instanceof HTMLSelectElement
        ? ""
        : (element.textContent ?? "")
            .replace(/\s+/gu, " ")
            .trim()
            .slice(0, 120)
            .replace(/[\uD800-\uDBFF]$/u, "");
    report(JSON.stringify({ id: lastId, kind, text }));
  }

  /** Reports the field that was typed into last, unless what it holds was reported already. */
  function flush(): void {
    const field = dirty;
    dirty = null;
    if (field === null || !field.isConnected || reported.get(field) === contentOf(field)) return;
    reported.set(field, contentOf(field));
    hold("field", field, () => undefined);
  }

  function controlAt(event: Event): HTMLElement | null {
    for (const node of event.composedPath()) {
      if (!(node instanceof HTMLElement)) continue;
      if (node instanceof HTMLSelectElement || node instanceof HTMLOptionElement || isTyped(node)) return null;
      if (node instanceof HTMLLabelElement) {
        const labelled = node.control;
        if (labelled instanceof HTMLInputElement && clickedTypes.has(labelled.type)) return labelled;
        if (labelled !== null) return null;
        continue;
      }
      if (node instanceof HTMLInputElement) return clickedTypes.has(node.type) ? node : null;
      if (node.matches(control) && (!node.matches("[tabindex]") || node.tabIndex >= 0)) return node;
    }
    const target = event.composedPath()[0];
    const inner = target instanceof HTMLElement ? target : null;
    return inner !== null && getComputedStyle(inner).cursor === "pointer" ? inner : null;
  }

  function stop(event: Event): void {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  addEventListener(
    "click",
    (event) => {
      if (isPassing || !event.isTrusted || event.button !== 0) return;
      const element = controlAt(event);
      if (element === null) return;
      flush();
      if (element.matches(":disabled")) return;
      stop(event);
      hold("click", element, () => {
        isPassing = true;
        try {
          element.click();
        } finally {
          isPassing = false;
        }
      });
    },
    true,
  );

  addEventListener(
    "input",
    (event) => {
      const field = event.composedPath()[0];
      if (!isPassing && isPerson(event) && isTyped(field)) {
        if (dirty !== null && dirty !== field) flush();
        dirty = field;
      }
    },
    true,
  );

  addEventListener(
    "change",
    (event) => {
      if (isPassing || !isPerson(event)) return;
      const field = event.composedPath()[0];
      const isList = field instanceof HTMLSelectElement;
      if (!isList && !isTyped(field)) return;
      if (dirty === field) dirty = null;
      if (reported.get(field) === contentOf(field) && !isList) return;
      reported.set(field, contentOf(field));
      event.stopImmediatePropagation();
      hold("field", field, () => {
        isPassing = true;
        try {
          field.dispatchEvent(new Event("change", { bubbles: true }));
        } finally {
          isPassing = false;
        }
      });
    },
    true,
  );

  addEventListener(
    "focusout",
    (event) => {
      if (dirty !== null && event.composedPath()[0] === dirty) flush();
    },
    true,
  );

  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter" || !event.isTrusted || event.isComposing) return;
      if (isEnterPassing) {
        isEnterPassing = false;
        return;
      }
      const field = event.composedPath()[0];
      if (!isTyped(field) || field instanceof HTMLTextAreaElement || field.isContentEditable) return;
      flush();
      stop(event);
      hold("enter", field, () => undefined);
    },
    true,
  );

  return {
    mark: (id) => held.get(id)?.element.setAttribute(markName, ""),
    unmark: (id) => held.get(id)?.element.removeAttribute(markName),
    go(id) {
      const waiting = held.get(id);
      held.delete(id);
      waiting?.element.removeAttribute(markName);
      if (waiting?.element.isConnected === true) waiting.happen();
    },
    passEnter: () => {
      isEnterPassing = true;
    },
    flush,
    drive: (next) => {
      isDriven = next;
    },
  };
}

/** The script as text, for a world that knows the binding. */
export function recorderSource(): string {
  return `if (globalThis.${RECORDER_GLOBAL} === undefined) globalThis.${RECORDER_GLOBAL} = (${recorder.toString()})((text) => globalThis.${RECORDER_BINDING}(text), ${JSON.stringify(MARK)});`;
}
