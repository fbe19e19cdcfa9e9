import type { News } from "#contract/news.ts";
import type { HostEnd } from "#contract/port-message.ts";
import type { Host, HostStarter } from "./host.ts";

export interface HostReports {
  /** A host is there; pages need new ports. `end` says why the one before it ended, null for the first. */
  started(end: HostEnd | null): void;
  /** It ended once more than it is restarted; nothing happens until `start` is called again. */
  gaveUp(end: HostEnd): void;
  line(line: string): void;
  /** How things stand with the agent, as it says so itself. */
  news(news: News): void;
}

const MOST_RESTARTS = 5;
const KEPT_LINES = 40;
/** Before restart n: a host that cannot start must not turn the machine's fans on. */
const DELAYS_MS = [0, 500, 1000, 2000, 4000];
const CLOSING_PATIENCE_MS = 5000;

/** Keeps one host running: restarts one that ended by itself, at most five times, with its reason and last lines told. */
export class HostSupervisor<Port> {
  readonly #starter: HostStarter<Port>;
  readonly #reports: HostReports;
  #host: Host<Port> | null = null;
  #restarts = 0;
  #isClosing = false;
  #delay: NodeJS.Timeout | undefined;

  constructor(starter: HostStarter<Port>, reports: HostReports) {
    this.#starter = starter;
    this.#reports = reports;
  }

  /** Starts the host, with all its restarts before it. */
  start(): void {
    this.#restarts = 0;
    this.#run(null);
  }

  /** False while there is no host; a port comes by `started` then. */
  connect(port: Port): boolean {
    this.#host?.connect(port);
    return this.#host !== null;
  }

  suspend(): void {
    this.#host?.suspend();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#delay);
    await this.#host?.close(CLOSING_PATIENCE_MS);
  }

  #run(end: HostEnd | null): void {
    const lines: string[] = [];
    const host = this.#starter.start({
      line: (line) => {
        lines.push(line);
        if (lines.length > KEPT_LINES) lines.shift();
        this.#reports.line(line);
      },
      news: (news) => this.#reports.news(news),
    });
    this.#host = host;
    void host.ended.then((reason) => this.#ended(reason, lines));
    this.#reports.started(end);
  }

  #ended(reason: string, lines: readonly string[]): void {
    this.#host = null;
    if (this.#isClosing) return;
    const end: HostEnd = { reason, lines, count: this.#restarts + 1 };
    if (this.#restarts === MOST_RESTARTS) return this.#reports.gaveUp(end);
    this.#delay = setTimeout(() => this.#run(end), DELAYS_MS[this.#restarts]);
    this.#restarts++;
  }
}
