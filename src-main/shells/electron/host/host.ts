import type { News } from "#contract/news.ts";

/** The running agent host, as main sees it. `Port` is Electron's MessagePortMain; a name of its own keeps the supervisor free of Electron. */
export interface Host<Port> {
  /** Hands over the host's end of a page's channel. */
  connect(port: Port): void;
  /** The machine goes to sleep, or its screen is locked: what is open for the person at it is closed. */
  suspend(): void;
  /** Asks the host to put everything away and end; ends it by force when it takes longer than `patienceMs`. */
  close(patienceMs: number): Promise<void>;
  /** Settles with one line saying how it ended, when it has. */
  readonly ended: Promise<string>;
}

/** What main hears of a host. */
export interface HostEars {
  /** Every line it writes. */
  line(line: string): void;
  news(news: News): void;
}

/** One of two ways to start the host: utility process, or Node child process. */
export interface HostStarter<Port> {
  start(hears: HostEars): Host<Port>;
}

/** Main → host. Ports travel beside "page" to a utility process; a Node process gets each page's frames by number instead. */
export type HostMessage =
  | { readonly type: "page"; readonly page: number }
  | { readonly type: "frame"; readonly page: number; readonly data: string }
  | { readonly type: "gone"; readonly page: number }
  | { readonly type: "suspend" }
  | { readonly type: "close" };

/** Host → main. Frames come of a Node host only: a utility process has the ports themselves. */
export type MainMessage = { readonly type: "frame"; readonly page: number; readonly data: string } | { readonly type: "news"; readonly news: News };
