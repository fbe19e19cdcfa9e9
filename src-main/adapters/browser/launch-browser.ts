import { type Browser, chromium } from "playwright-core";
import { KnackError } from "#contract/errors.ts";
import type { Egress } from "#core/ports/index.ts";
import { browserEnvironment } from "./browser-environment.ts";
import { launchArguments, unwantedArguments } from "./launch-arguments.ts";
import { withTempFolder } from "./temp-folder.ts";

export interface LaunchOptions {
  readonly executable: string;
  readonly allowNoSandbox: boolean;
  readonly trustedSpki: string | undefined;
  readonly headed: boolean;
  readonly egress: Pick<Egress, "port">;
  /** Where the browser's profile is made. Default: the system's temporary folder. */
  readonly tempFolder: string | undefined;
}

const LAUNCH_TIMEOUT_MS = 30_000;

/**
 * A browser with a profile of its own, which is gone when it closes, behind the proxy. It gets no credential for the proxy here: Playwright would look at
 * every request to give it, and keep nothing in the cache. Throws KnackError "browser.sandbox", "browser.no-display" or "browser.missing".
 */
export async function launchBrowser(options: LaunchOptions): Promise<Browser> {
  const launch = () =>
    chromium.launch({
      executablePath: options.executable,
      env: browserEnvironment(),
      headless: !options.headed,
      chromiumSandbox: !options.allowNoSandbox,
      args: launchArguments(options),
      ignoreDefaultArgs: unwantedArguments,
      proxy: { server: `http://127.0.0.1:${options.egress.port}`, bypass: "<-loopback>" },
      timeout: LAUNCH_TIMEOUT_MS,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  return await (options.tempFolder === undefined ? launch() : withTempFolder(options.tempFolder, launch)).catch((error: unknown) => {
    throw launchProblem(error, options);
  });
}

function launchProblem(error: unknown, options: LaunchOptions): KnackError {
  const text = error instanceof Error ? error.message : "";
  if (/sandbox/iu.test(text) && !options.allowNoSandbox) {
    return new KnackError(
      "browser.sandbox",
      `The browser's own sandbox cannot be started here, so it was not started at all. Run Knack as an ordinary user; only if you must run it as root, set KNACK_NO_SANDBOX=1 and know that pages are then less contained.`,
    );
  }
  if (options.headed && /display|\$DISPLAY|ozone|X server/iu.test(text))
    return new KnackError("browser.no-display", "A browser window needs a display, and there is none here.");
  return new KnackError(
    "browser.missing",
    `The browser at ${options.executable} could not be started. Install Chrome, Chromium or Edge, or name one in KNACK_BROWSER.`,
  );
}
