import { bytesText } from "./units.ts";

/** What doctor says to do about each thing that is not as it should be: always a command that can be typed as it stands, or with one name put in. */
export const remedies = {
  store: (message: string) => `${message.replace(/([^.])$/u, "$1.")} Then look again with: knack doctor`,
  database: () => "put a backup in its place with: knack restore",
  noModel: (usual: string) => `knack models get ${usual}`,
  brokenModel: (id: string) => `knack models get ${id}`,
  uncalibrated: () => "measure its thresholds on this machine with: knack models calibrate",
  smallerContext: () => "close other programs, or choose a smaller model with: knack models list",
  noBrowser: () => "install Google Chrome, Chromium or Microsoft Edge, or say where one is: KNACK_BROWSER=/path/to/chrome knack doctor",
  wrongBrowser: (named: string) =>
    `KNACK_BROWSER names ${named}, which is no program. Correct it, or unset it to have a browser found, and look again with: knack doctor`,
  sandboxAsRoot: () => "run Knack as an ordinary user; only if it must be root, with pages then less contained: KNACK_NO_SANDBOX=1 knack doctor",
  sandboxOff: () => "pages are less contained so; as an ordinary user unset KNACK_NO_SANDBOX, and look again with: knack doctor",
  blockFile: (name: string) => `knack blocks reset ${name}`,
  block: (name: string) => `knack blocks show ${name}`,
  diskFull: (least: number, folder: string) =>
    `make room: at least ${bytesText(least)} on the disk of ${folder}; conversations nobody used for 90 days go with: knack conversations keep 90`,
  diskUnknown: (folder: string) => `see whether ${folder} can be read, and look again with: knack doctor`,
} as const;
