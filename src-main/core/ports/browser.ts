import type { Destination } from "#contract/grants/schema.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { Target } from "#contract/skills/schema.ts";
import type { CredentialValues } from "./credentials.ts";
import type { OnDecision } from "./egress.ts";

/** One thing on a page that can be acted on. */
export interface PageElement {
  readonly role: string;
  /** Accessible name, one line, invisible characters removed. */
  readonly name: string;
  /** What the model and the grammar call it, unique on the page: "link Services", and where names are equal "button Download (June 2026)". */
  readonly label: string;
  /** What tells equal names apart: text of the row or section; "" when the name is unique for its role. */
  readonly within: string;
  readonly landmark: string;
  /** Text of the row, list item, card or section it stands in; also for names that are unique. */
  readonly context: string;
  readonly action: "click" | "fill" | "select";
  readonly disabled: boolean;
  /** Options of a list, in order. */
  readonly options: readonly string[];
  /** Current value of a field or list; never of a secret field, where it is "". */
  readonly value: string;
  readonly secret: boolean;
  /** What a field takes, where it takes one form only: "2027-02-14", "2027-02", "14:30", "12.5". */
  readonly format?: "date" | "month" | "time" | "number";
  /** Of a radio button: what is the same for all of which one is picked. */
  readonly group?: string;
  /** It opens something that is closed now: a menu, a folded section. */
  readonly isClosed?: true;
  /** A field that takes a means of payment, or a control that sends such a field; the browser tells it by the page's markup, whatever the names are. */
  readonly payment?: boolean;
  /** Origin of the frame it stands in, also where that is the page's own; absent outside of frames. */
  readonly frame?: string;
  /** Where a link leads, as the browser would open it; absent where it leads nowhere. */
  readonly href?: string;
}

/** A table or list of a page, row by row as a person sees it. */
export interface PageTable {
  readonly kind: "table" | "list";
  /** What it is called, unique on the page: its caption or label, else the heading above it, else "table" or "list". */
  readonly name: string;
  /** Names of the columns; empty where the page has none, and for lists. */
  readonly header: readonly string[];
  /** Cells by column: what spans several stands in each of them. An item of a list is one cell, its level in front of it as "- " for each outer list. */
  readonly rows: readonly (readonly string[])[];
  /** Origin of the frame it stands in; absent outside of frames. */
  readonly frame?: string;
  /** Rows that are not given. */
  readonly leftOut: number;
}

/** What is known of a page at one moment. Everything in it is data from the page's origin. */
export interface PageView {
  readonly url: string;
  readonly title: string;
  /** Text of the first level-1 heading, else of the first heading, else "". */
  readonly heading: string;
  /** Compact text of the page for the model, elements by their labels, at most `maxChars`. */
  readonly text: string;
  /** Readable lines of the page without the elements' labels, for reading answers. */
  readonly lines: readonly string[];
  readonly elements: readonly PageElement[];
  readonly truncated: boolean;
  /** In page order; absent where there are none. */
  readonly tables?: readonly PageTable[];
  /** Characters that nobody sees and that were taken out of its texts; absent where there were none. */
  readonly invisible?: number;
}

export interface DownloadedFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly fromUrl: string;
}

/** The page after an action, with what the action caused. */
export interface ActionOutcome {
  readonly page: PageView;
  /** HTTP status of the document the action led to; absent where it led to none. */
  readonly status?: number;
  readonly downloads: readonly DownloadedFile[];
  /** Requests the egress proxy refused meanwhile: host and reason. */
  readonly refused: readonly Refusal[];
}

export interface Refusal {
  /** Typed reason, e.g. "dest.host", "hop.host", "dest.ip". */
  readonly code: string;
  readonly host: string;
  readonly message: string;
}

/** Fields of a login that are named; the others are found by the page's markup. */
export interface LoginFields {
  readonly user?: Target;
  readonly password?: Target;
  readonly code?: Target;
}

/** What a login fills in: the account's name, its secret, the one-time code. */
export type LoginPart = "username" | "password" | "totp";

/** One page of signing in. */
export interface LoginRequest {
  readonly fields: LoginFields;
  /** What the vault entry holds. */
  readonly has: readonly string[];
  /** Origins it is bound to, in their canonical form. */
  readonly origins: readonly string[];
  /** Hands the values out to a document of this origin for as long as `use` runs; `stop` aborts when the vault is locked meanwhile. */
  readonly release: (
    origin: string,
    parts: readonly LoginPart[],
    use: (values: CredentialValues, stop: AbortSignal) => Promise<LoginSent>,
  ) => Promise<LoginSent>;
  /** Whether a text holds a value that was handed out, in whatever encoding. */
  readonly holdsValue: (text: string) => boolean;
}

/** What came of a page of signing in once it was filled in. */
export interface LoginSent {
  readonly filled: readonly LoginPart[];
  /** False where nothing on the page sends what was filled in. */
  readonly isSent: boolean;
}

export interface LoginOutcome extends ActionOutcome, LoginSent {}

/** A fresh browser for one task. Every method rejects with KnackError (code "browser.*" or the refusal's code) and leaves the session usable. */
export interface BrowserSession {
  open(url: string, signal: AbortSignal): Promise<ActionOutcome>;
  view(signal: AbortSignal): Promise<PageView>;
  click(target: Target, signal: AbortSignal): Promise<ActionOutcome>;
  fill(target: Target, text: string, signal: AbortSignal): Promise<ActionOutcome>;
  select(target: Target, option: string, signal: AbortSignal): Promise<ActionOutcome>;
  press(key: string, signal: AbortSignal): Promise<ActionOutcome>;
  /**
   * Fills in what this page asks of a login, sends it, and waits for what comes of it (security rule 7). Nothing is handed out before the element, its
   * document, its form and the documents around it were looked at, and they are looked at again in the moment it is filled in. Rejects with "cred.none",
   * "cred.origin", "cred.frame", "cred.ancestor", "cred.action", "cred.field", "ref.ambiguous", "ref.stale", "config.trace", and what `release` rejects with.
   */
  login(request: LoginRequest, signal: AbortSignal): Promise<LoginOutcome>;
  back(signal: AbortSignal): Promise<ActionOutcome>;
  wait(milliseconds: number, signal: AbortSignal): Promise<ActionOutcome>;
  /** Everything downloaded in this session, in order. */
  downloads(): readonly DownloadedFile[];
  /** Grants apply to the next request; revoked ones close their connections. */
  setDestinations(destinations: readonly Destination[]): void;
  close(): Promise<void>;
}

/** A browser window in which a person shows a task. */
export interface RecordingSession {
  /** Actions so far, in order. */
  actions(): readonly ShownAction[];
  /** Resolves when the person closes the window, or `stop` is called. */
  readonly ended: Promise<void>;
  /** Waits until every action seen has been taken down, closes the window, returns all actions. */
  stop(): Promise<readonly ShownAction[]>;
  /** The page in front. */
  view(signal: AbortSignal): Promise<PageView>;
  /**
   * Performs actions in the window as a person would, to bring it to a step, and for tests and evaluation: ["open", address], ["click", role, name, row?],
   * ["fill", field, text, row?], ["select", list, option, row?], ["press", key]; by accessible name.
   */
  perform(script: readonly (readonly string[])[], signal: AbortSignal): Promise<void>;
}

export interface BrowserOptions {
  readonly destinations: readonly Destination[];
  readonly downloadFolder: string;
  readonly downloadsAllowed: boolean;
  /** Most characters of PageView.text. */
  readonly maxChars: number;
  /** Told what the browser talks to, and what it is kept from. */
  readonly onDecision?: OnDecision;
}

export interface BrowserLauncher {
  /** Throws KnackError "browser.missing" with the way on when no browser is installed. */
  launch(options: BrowserOptions, signal: AbortSignal): Promise<BrowserSession>;
  record(
    options: BrowserOptions & {
      readonly url: string;
      readonly headed: boolean;
      /** Told of each action once it is final. */
      readonly onAction?: (action: ShownAction) => void;
      /** Told of all actions whenever one was taken down, also of one that may still change. */
      readonly onKept?: (actions: readonly ShownAction[]) => void;
    },
    signal: AbortSignal,
  ): Promise<RecordingSession>;
  dispose(): Promise<void>;
}
