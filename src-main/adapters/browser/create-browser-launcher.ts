import { KnackError } from "#contract/errors.ts";
import type { BrowserLauncher, BrowserOptions, Egress, StartEgress } from "#core/ports/index.ts";
import { type BrowserLimits, usualLimits } from "./browser-limits.ts";
import { createSession } from "./browser-session.ts";
import { BrowserWindow } from "./browser-window.ts";
import { findBrowser } from "./find-browser.ts";
import { startRecording } from "./start-recording.ts";
import { untilAborted } from "./until-aborted.ts";

export interface BrowserLauncherOptions {
  /** Starts the proxy of one session; the browser reaches nothing else. */
  readonly startEgress: StartEgress;
  /** Path of the browser; else one is looked for at each launch. */
  readonly executable?: string;
  /** Start Chromium without its own sandbox: only as root, and only when the user said so. */
  readonly allowNoSandbox?: boolean;
  /** Public-key pin of a test certificate: tests and evaluation only. */
  readonly trustedSpki?: string;
  /** Where profiles are made; they are gone when their browser is closed. Default: the system's temporary folder. */
  readonly tempFolder?: string;
  /** Default: the usual ones. */
  readonly limits?: Partial<BrowserLimits>;
}

export function createBrowserLauncher(launcher: BrowserLauncherOptions): BrowserLauncher {
  const open = new Set<() => Promise<void>>();
  const limits = { ...usualLimits, ...launcher.limits };

  function executable(): string {
    const path = launcher.executable ?? findBrowser();
    if (path === null) throw new KnackError("browser.missing", "No browser was found. Install Chrome, Chromium or Edge, or name one in KNACK_BROWSER.");
    return path;
  }

  function windowOptions(options: BrowserOptions, egress: Egress, headed: boolean) {
    return {
      executable: executable(),
      allowNoSandbox: launcher.allowNoSandbox ?? false,
      trustedSpki: launcher.trustedSpki,
      tempFolder: launcher.tempFolder,
      headed,
      egress,
      limits,
      downloadFolder: options.downloadFolder,
      downloadsAllowed: options.downloadsAllowed,
      acceptQuestions: false,
    };
  }

  /** Starts proxy and window; when the window cannot start or is not wanted any more, nothing stays behind. */
  async function start<T>(options: BrowserOptions, signal: AbortSignal, begin: (egress: Egress) => Promise<T>, undo: (made: T) => Promise<void>): Promise<T> {
    signal.throwIfAborted();
    executable();
    const egress = await launcher.startEgress(options.destinations, options.onDecision);
    const making = begin(egress);
    try {
      return await untilAborted(making, signal);
    } catch (error) {
      making.then(undo, () => undefined).finally(() => void egress.close());
      throw error;
    }
  }

  return {
    launch: (options, signal) =>
      start(
        options,
        signal,
        async (egress) => {
          const openWindow = (stop: AbortSignal) => BrowserWindow.open(windowOptions(options, egress, false), stop);
          const close = (): Promise<void> => session.close();
          const session = createSession(await openWindow(signal), { egress, options, limits, openWindow, onClose: () => open.delete(close) });
          open.add(close);
          return session;
        },
        (session) => session.close(),
      ),
    record: (options, signal) =>
      start(
        options,
        signal,
        async (egress) => {
          const close = async (): Promise<void> => void (await recording.stop());
          const recording = await startRecording({ ...windowOptions(options, egress, options.headed), acceptQuestions: true }, options, signal, () =>
            open.delete(close),
          );
          open.add(close);
          return recording;
        },
        async (recording) => void (await recording.stop()),
      ),
    async dispose() {
      await Promise.all([...open].map((close) => close()));
    },
  };
}
