import { join } from "node:path";
import { BrowserWindow, screen } from "electron";
import { keepWindowState, readWindowState } from "./window-state.ts";

const CRASH_PAUSE_MS = 10_000;

/** The app's one window, where it was left. */
export function openWindow(appFolder: string, pageUrl: string, stateFile: string): BrowserWindow {
  const state = readWindowState(
    stateFile,
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const window = new BrowserWindow({
    title: "Knack",
    width: state?.width ?? 1200,
    height: state?.height ?? 820,
    ...(state === null ? {} : { x: state.x, y: state.y }),
    minWidth: 400,
    minHeight: 300,
    show: false,
    webPreferences: {
      preload: join(appFolder, "out/preload/index.cjs"),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  if (state?.isMaximized === true) window.maximize();
  window.once("ready-to-show", () => window.show());
  window.on("close", () => keepWindowState(stateFile, { ...window.getNormalBounds(), isMaximized: window.isMaximized() }));
  reloadAfterCrash(window);
  window.loadURL(pageUrl).catch((error: unknown) => console.error(`The page could not be loaded: ${String(error)}`));
  return window;
}

/** A page that crashes comes back by itself, since all it shows is in the host; one that crashes again at once is left for the user to reload. */
function reloadAfterCrash(window: BrowserWindow): void {
  let lastCrash = 0;
  window.webContents.on("render-process-gone", (_, { reason }) => {
    console.error(`The page's process is gone: ${reason}.`);
    const isFirst = Date.now() - lastCrash > CRASH_PAUSE_MS;
    lastCrash = Date.now();
    // Not from within the event: the process is still being taken down.
    if (isFirst && reason !== "clean-exit") setImmediate(() => window.isDestroyed() || window.webContents.reload());
  });
}
