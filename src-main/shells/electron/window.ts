import { join } from "node:path";
import { BrowserWindow, screen } from "electron";
import { keepWindowState, readWindowState } from "./window-state.ts";

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
  window.loadURL(pageUrl).catch((error: unknown) => console.error(`The page could not be loaded: ${String(error)}`));
  return window;
}
