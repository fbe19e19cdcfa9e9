/** What a page asks of a login, told by the page's own world of scripts to the host; never a value. */
export interface LoginLook {
  /** Why nothing can be filled in: no such field, several that fit, another than was seen before, one that takes no secret. Null where it can. */
  readonly problem: "none" | "ambiguous" | "stale" | "field" | null;
  readonly parts: readonly ("username" | "password" | "totp")[];
  /** Origin of the document that holds the fields. */
  readonly origin: string;
  /** Origins of the documents around it, nearest first. */
  readonly ancestors: readonly string[];
  /** Origins that its form, and each control that sends it, would send it to. */
  readonly actions: readonly string[];
}

export type LoginRefs = Readonly<Partial<Record<"username" | "password" | "totp", string>>>;

export interface LoginInPage {
  /** Takes down which fields there are, and in which forms: what a model has now seen. */
  note(): void;
  /** Finds the fields: by their refs, else by the page's markup; only parts the entry holds. */
  look(refs: LoginRefs, has: readonly string[]): string;
  /** Takes an element that only its own tree of shadows knows as one of the fields of the next look. */
  adopt(part: string, element: Element): boolean;
  /** Looks at it all again and fills it in, without a moment in between; "" or why it did not. */
  fill(values: Readonly<Record<string, string>>, origins: readonly string[]): string;
  /** Presses what sends it. */
  send(origins: readonly string[]): "sent" | "waiting" | "none" | "action";
  isThere(): boolean;
  /** Empties what was filled in. */
  wipe(): void;
}

export const LOGIN_GLOBAL = "knackLogin";

/**
 * Runs in Playwright's own world of each document, which no script of the page can reach into, and where the refs of the latest snapshot are. What is asked
 * of a form is asked past the names of its fields, which a form answers to before its own properties.
 */
function loginInPage(): LoginInPage {
  type Part = "username" | "password" | "totp";
  type Fields = Partial<Record<Part, HTMLElement[]>>;
  const world = globalThis as unknown as { knackHeld?: WeakSet<Element> };
  const held = (world.knackHeld ??= new WeakSet<Element>());
  const past = <T>(kind: { readonly prototype: object }, name: string): ((of: Node) => T) => {
    const get = Object.getOwnPropertyDescriptor(kind.prototype, name)?.get as (this: Node) => T;
    return (of) => get.call(of);
  };
  const setting = (kind: { readonly prototype: object }, name: string): ((of: Node, text: string) => void) => {
    const set = Object.getOwnPropertyDescriptor(kind.prototype, name)?.set as (this: Node, text: string) => void;
    return (of, text) => set.call(of, text);
  };
  const setInput = setting(HTMLInputElement, "value");
  const setArea = setting(HTMLTextAreaElement, "value");
  const setText = setting(Node, "textContent");
  const baseOf = past<string>(Node, "baseURI");
  const isConnected = past<boolean>(Node, "isConnected");
  const parentOf = past<Node | null>(Node, "parentNode");
  const shadowOf = past<ShadowRoot | null>(Element, "shadowRoot");
  const textOf = past<string | null>(Node, "textContent");
  const attributeOf = (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name);
  const within = (root: ParentNode, selector: string): HTMLElement[] => {
    const kind = root instanceof Element ? Element : root instanceof Document ? Document : DocumentFragment;
    return [...(kind.prototype.querySelectorAll.call(root, selector) as NodeListOf<HTMLElement>)];
  };
  const plain = (text: string | null): string => (text ?? "").replace(/\s+/gu, " ").trim();

  const userWords =
    /(?:^|[^a-z])(?:user|login|log ?on|e-?mail|account|customer|member|client|identifier|benutzer|konto|kennung|kunden|utilisateur|usuario|utente|gebruiker)/u;
  const secretWords = /(?:^|[^a-z])(?:pass(?:word|code|phrase|wd|wort)?|pwd|pin|kennwort|mot de passe|contraseña|wachtwoord|secret)(?:[^a-z]|$)/u;
  const codeWords = /(?:^|[^a-z])(?:otp|totp|2fa|mfa|one ?time|verification|authenticat\w+|security code|einmal\w*|bestätigungs\w*)(?:[^a-z]|$)/u;
  const sendWords =
    /^(?:log ?(?:in|on)|sign ?(?:in|on)|next|continue|submit|verify|confirm|go|enter|anmelden|einloggen|weiter|bestätigen|connexion|se connecter|suivant|continuer|valider|entrar|acceder|iniciar sesión|siguiente|continuar|accedi|avanti|inloggen|volgende|verder|zaloguj(?: się)?|dalej|logga in|nästa|log ind|næste|logg inn|neste|kirjaudu(?: sisään)?|seuraava)(?: now)?[ →»›>]*$/iu;
  const textTypes = new Set(["text", "email", "tel", "number", "url", "password"]);

  /** Fields as they were when the page was last read, with their forms, and what would have been filled in. */
  let noted: WeakMap<Element, Element | null> | null = null;
  let notedPick: Fields | null = null;
  let chosen: Fields = {};
  let adopted: Fields = {};
  let forms = new Map<Element, Element | null>();
  let written: HTMLElement[] = [];

  function formOf(element: Element): Element | null {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLButtonElement) return element.form;
    return Element.prototype.closest.call(element, "form");
  }

  function* everything(root: Document | ShadowRoot): Generator<HTMLElement> {
    for (const element of within(root, "*")) {
      yield element;
      const shadow = shadowOf(element);
      if (shadow !== null) yield* everything(shadow);
    }
  }

  function wordsOf(element: Element): string {
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((label) => plain(textOf(label)).slice(0, 80)) : [];
    return ["name", "id", "autocomplete", "aria-label", "placeholder", "title"]
      .map((name) => attributeOf(element, name) ?? "")
      .concat(labels)
      .join(" | ")
      .replace(/([a-z])([A-Z])/gu, "$1 $2")
      .replace(/[_\-.[\]]+/gu, " ")
      .toLowerCase();
  }

  function isSeen(element: Element): boolean {
    const box = Element.prototype.getBoundingClientRect.call(element);
    if (box.width < 2 || box.height < 2 || box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return false;
    return Element.prototype.checkVisibility.call(element, { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  }

  function isUsable(element: Element): boolean {
    if (!isConnected(element) || !isSeen(element) || Element.prototype.matches.call(element, ":disabled")) return false;
    return !((element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && element.readOnly);
  }

  const autocompleteOf = (element: Element): string => ` ${(attributeOf(element, "autocomplete") ?? "").toLowerCase()} `;
  const isPassword = (element: Element): boolean => element instanceof HTMLInputElement && element.type === "password";
  const isCode = (element: Element): boolean =>
    autocompleteOf(element).includes(" one-time-code ") || (!isPassword(element) && codeWords.test(wordsOf(element)));
  const isSearch = (element: Element): boolean =>
    attributeOf(element, "role") === "searchbox" || Element.prototype.closest.call(element, "[role=search]") !== null;

  /** What takes a secret: a password's field, what draws its letters as dots, or what is called so. */
  function takesSecret(element: Element): boolean {
    const { webkitTextSecurity = "none" } = getComputedStyle(element) as CSSStyleDeclaration & { webkitTextSecurity?: string };
    return isPassword(element) || held.has(element) || (webkitTextSecurity !== "none" && webkitTextSecurity !== "") || secretWords.test(wordsOf(element));
  }

  function typedFields(): HTMLInputElement[] {
    return within(document, "input").filter(
      (element): element is HTMLInputElement => element instanceof HTMLInputElement && textTypes.has(element.type) && isUsable(element),
    );
  }

  function isBefore(a: Element, b: Element): boolean {
    return (Node.prototype.compareDocumentPosition.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  }

  /** The account's field that belongs to a password: in its form, else before it and in no other form. */
  function userBefore(password: Element, fields: readonly HTMLInputElement[]): HTMLInputElement | null {
    const form = formOf(password);
    const before = fields.filter((field) => !isPassword(field) && !isCode(field) && !isSearch(field) && isBefore(field, password));
    const own = before.filter((field) => formOf(field) === form);
    const named = own.find((field) => autocompleteOf(field).includes(" username ")) ?? own.findLast((field) => userWords.test(wordsOf(field)));
    if (named !== undefined) return named;
    if (form !== null && own.length > 0) return own.at(-1) ?? null;
    const loose = before.filter((field) => formOf(field) === null && (autocompleteOf(field).includes(" username ") || userWords.test(wordsOf(field))));
    return loose.at(-1) ?? null;
  }

  /** A code's field, or its boxes of a digit each. */
  function codeFields(fields: readonly HTMLInputElement[]): HTMLInputElement[] {
    const boxes = fields.filter((field) => field.maxLength === 1 && !isSearch(field));
    const codes = fields.filter((field) => isCode(field) && field.maxLength !== 1);
    return codes.length > 0 ? codes : boxes.length >= 6 && boxes.length <= 8 && new Set(boxes.map(formOf)).size === 1 ? boxes : [];
  }

  function pick(named: Fields, has: readonly string[]): Fields | "none" | "ambiguous" {
    const fields = typedFields();
    const found: Fields = { ...named };
    const anchor = (named.password ?? named.username ?? named.totp)?.[0];
    const inReach = anchor === undefined ? fields : fields.filter((field) => formOf(field) === formOf(anchor));
    const passwords = inReach.filter(isPassword);
    if (has.includes("password") && found.password === undefined && found.totp === undefined) {
      if (passwords.length > 1) return "ambiguous";
      const [only] = passwords;
      if (only !== undefined && !autocompleteOf(only).includes(" new-password ")) found.password = [only];
      else if (only !== undefined && anchor === undefined) return "none";
    }
    const password = found.password?.[0];
    if (password !== undefined && found.username === undefined && has.includes("username")) {
      const user = userBefore(password, fields);
      if (user !== null) found.username = [user];
    }
    if (has.includes("totp") && found.totp === undefined) {
      const codes = codeFields(password === undefined ? inReach : fields.filter((field) => formOf(field) === formOf(password)));
      if (codes.length > 1 && codes[0]?.maxLength !== 1) return "ambiguous";
      if (codes.length > 0) found.totp = codes;
    }
    if (Object.keys(found).length > 0) return found;
    if (!has.includes("username")) return "none";
    const users = fields.filter(
      (field) => !isSearch(field) && !isCode(field) && (autocompleteOf(field).includes(" username ") || userWords.test(wordsOf(field))),
    );
    const [user, other] = users;
    return user === undefined ? "none" : other === undefined ? { username: [user] } : "ambiguous";
  }

  function elementOf(ref: string): HTMLElement | null {
    for (const element of everything(document)) if ((element as { _ariaRef?: { ref: string } })._ariaRef?.ref === ref) return element;
    return null;
  }

  const all = (fields: Fields): [Part, HTMLElement][] =>
    (Object.entries(fields) as [Part, HTMLElement[]][]).flatMap(([part, elements]) => elements.map((element): [Part, HTMLElement] => [part, element]));

  /** Another element, or another form around it, than a model saw when it last read the page. */
  function isStale(fields: Fields, named: Fields): boolean {
    for (const [part, element] of all(fields)) {
      const form = noted?.get(element);
      if (form !== undefined && form !== formOf(element)) return true;
      if (named[part] !== undefined) continue;
      const before = notedPick?.[part]?.[0];
      if (before !== undefined && before !== fields[part]?.[0]) return true;
    }
    return false;
  }

  function originOf(address: string | null): string {
    try {
      const url = new URL((address ?? "").trim() === "" ? location.href : (address as string), baseOf(document));
      return url.origin;
    } catch {
      return "null";
    }
  }

  /** Where each control that may send this form would send it. */
  function actionsOf(fields: Fields): string[] {
    const around = new Set(all(fields).map(([, element]) => formOf(element)));
    return [...around].flatMap((form) => {
      if (form === null) return [];
      const root = Node.prototype.getRootNode.call(form) as Document | ShadowRoot;
      const own = within(root, "button, input").filter((control) => formOf(control) === form && attributeOf(control, "formaction") !== null);
      return [originOf(attributeOf(form, "action")), ...own.map((control) => originOf(attributeOf(control, "formaction")))];
    });
  }

  function problemOf(fields: Fields, named: Fields): LoginLook["problem"] {
    if (new Set(all(fields).flatMap(([, element]) => formOf(element) ?? [])).size > 1) return "ambiguous";
    if (all(fields).some(([part, element]) => part === "password" && !takesSecret(element))) return "field";
    return isStale(fields, named) ? "stale" : null;
  }

  /** The same place in the same moment: what `look` saw still holds. */
  function changed(origins: readonly string[]): string {
    const origin = globalThis.origin;
    if (!origins.includes(origin)) return "origin";
    if ([...location.ancestorOrigins].some((other) => other !== origin)) return "ancestor";
    const isSame = all(chosen).every(([, element]) => element.ownerDocument === document && isUsable(element) && forms.get(element) === formOf(element));
    if (!isSame || all(chosen).length === 0) return "stale";
    return actionsOf(chosen).every((action) => origins.includes(action)) ? "" : "action";
  }

  function write(element: HTMLElement, text: string): void {
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    // Frameworks compare what a field holds with what they last gave it; only the browser's own setter goes around their watch, as a person's typing does.
    if (isField) (element instanceof HTMLTextAreaElement ? setArea : setInput)(element, text);
    else setText(element, text);
  }

  function type(element: HTMLElement, text: string): void {
    held.add(element);
    written.push(element);
    HTMLElement.prototype.focus.call(element);
    const tell = (event: Event): boolean => EventTarget.prototype.dispatchEvent.call(element, event);
    tell(new KeyboardEvent("keydown", { bubbles: true, composed: true, key: "Unidentified" }));
    write(element, text);
    tell(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertText" }));
    tell(new KeyboardEvent("keyup", { bubbles: true, composed: true, key: "Unidentified" }));
    tell(new Event("change", { bubbles: true }));
  }

  /** What sends what was filled in: the form's own button, else the one beside the fields that is called so; null where the form has none. */
  function sender(): { readonly control: HTMLElement | null; readonly form: HTMLFormElement | null } | null {
    const last = (chosen.totp ?? chosen.password ?? chosen.username)?.at(-1);
    if (last === undefined) return null;
    const form = formOf(last) as HTMLFormElement | null;
    const root = Node.prototype.getRootNode.call(last) as Document | ShadowRoot;
    const isSubmit = (control: Element): boolean =>
      (control instanceof HTMLButtonElement && control.type === "submit") || (control instanceof HTMLInputElement && /^(?:submit|image)$/u.test(control.type));
    const nameOf = (control: HTMLElement): string =>
      plain(attributeOf(control, "aria-label") ?? (control instanceof HTMLInputElement ? control.value : textOf(control)));
    const controls = (around: ParentNode): HTMLElement[] =>
      within(around, "button, input[type=submit], input[type=image], input[type=button], [role=button]").filter(isSeen);
    if (form !== null) {
      const own = controls(root).filter((control) => formOf(control) === form);
      const control = own.find(isSubmit) ?? own.find((each) => sendWords.test(nameOf(each))) ?? null;
      return { control, form };
    }
    for (let at = parentOf(last); at !== null; at = parentOf(at) ?? (at instanceof ShadowRoot ? at.host : null)) {
      if (!(at instanceof Element || at instanceof ShadowRoot)) continue;
      const there = controls(at).filter((control) => formOf(control) === null);
      const called = there.filter((control) => sendWords.test(nameOf(control)));
      if (called.length > 0) return { control: called[0] as HTMLElement, form: null };
      if (there.length === 1) return { control: there[0] as HTMLElement, form: null };
    }
    return null;
  }

  return {
    note() {
      noted = new WeakMap();
      for (const element of everything(document))
        if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element.isContentEditable) noted.set(element, formOf(element));
      const found = pick({}, ["username", "password", "totp"]);
      notedPick = typeof found === "string" ? null : found;
    },
    look(refs, has) {
      const named: Fields = { ...adopted };
      adopted = {};
      const told = (problem: LoginLook["problem"], fields: Fields): string => {
        chosen = fields;
        forms = new Map(all(fields).map(([, element]) => [element, formOf(element)]));
        const look: LoginLook = {
          problem,
          parts: Object.keys(fields) as Part[],
          origin: globalThis.origin,
          ancestors: [...location.ancestorOrigins],
          actions: actionsOf(fields),
        };
        return JSON.stringify(look);
      };
      for (const [part, ref] of Object.entries(refs) as [Part, string][]) {
        const element = elementOf(ref);
        if (element === null) return told("none", {});
        named[part] = [element];
      }
      const found = pick(named, has);
      if (typeof found === "string") return told(found, {});
      return told(problemOf(found, named), found);
    },
    adopt(part, element) {
      if (!(element instanceof HTMLElement)) return false;
      adopted = { ...adopted, [part]: [element] };
      return true;
    },
    fill(values, origins) {
      written = [];
      // The name first: what a page does on hearing of it comes before the secret is typed.
      for (const part of ["username", "password", "totp"] as const) {
        const text = values[part];
        const elements = text === undefined ? [] : (chosen[part] ?? []);
        for (const [at, element] of elements.entries()) {
          // What the page did on hearing of the field before may have changed everything.
          const problem = changed(origins);
          if (problem !== "") {
            this.wipe();
            return problem;
          }
          const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element.isContentEditable;
          if (!isField) {
            this.wipe();
            return "field";
          }
          type(element, elements.length > 1 ? (text?.[at] ?? "") : (text ?? ""));
        }
      }
      return "";
    },
    send(origins) {
      if (!actionsOf(chosen).every((action) => origins.includes(action))) return "action";
      const found = sender();
      if (found === null) return "none";
      const { control, form } = found;
      if (control !== null) {
        if (Element.prototype.matches.call(control, ":disabled") || attributeOf(control, "aria-disabled") === "true") return "waiting";
        HTMLElement.prototype.click.call(control);
        return "sent";
      }
      if (form === null) return "none";
      HTMLFormElement.prototype.requestSubmit.call(form);
      return "sent";
    },
    isThere: () => all(chosen).some(([, element]) => isConnected(element) && isSeen(element)),
    wipe() {
      for (const element of written) if (isConnected(element)) write(element, "");
      written = [];
    },
  };
}

/** The script as text; once in a world, however often it is run. */
export function loginSource(): string {
  return `globalThis.${LOGIN_GLOBAL} ??= (${loginInPage.toString()})();`;
}
