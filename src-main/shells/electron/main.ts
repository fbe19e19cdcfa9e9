import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { app, type BrowserWindow, dialog, Menu, powerMonitor } from "electron";
import { foldersOf } from "#app/folders.ts";
import { linkAmong, routeOfLink } from "./deep-link.ts";
import { type DesktopDesk, makeDesk } from "./desk.ts";
import { handOverPorts } from "./hand-over.ts";
import { chooseStarter } from "./host/choose-starter.ts";
import { HostSupervisor } from "./host/host-supervisor.ts";
import { lockDown } from "./lock-down.ts";
import { appMenu } from "./menu.ts";
import { ownPageUrl, PAGE_SCHEME } from "./own-page.ts";
import { registerPageScheme, servePage } from "./page-scheme.ts";
import { openWindow } from "./window.ts";

// Window, menu, and the life of the agent host. Nothing is decided here: the page speaks to the host over the port it is given.

keepOwnFolders();
if (app.requestSingleInstanceLock()) run();
else app.quit();

/** What is the user's beside their data, what Chromium can make again with the caches; per data folder, since two must not meet. */
function keepOwnFolders(): void {
  const { dataFolder, cacheFolder } = foldersOf(process.env);
  const sessionFolder = join(cacheFolder, "app", createHash("sha256").update(dataFolder).digest("hex").slice(0, 12));
  for (const [name, folder] of [
    ["userData", join(dataFolder, "app")],
    ["sessionData", sessionFolder],
  ] as const) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath(name, folder);
  }
}

function run(): void {
  const appFolder = app.getAppPath();
  const pageUrl = ownPageUrl(app.isPackaged, process.env);
  let window: BrowserWindow | null = null;
  let isQuitting = false;

  registerPageScheme();
  lockDown(pageUrl);

  let desk: DesktopDesk | null = null;
  /** Where the page is to go once there is one. */
  let awaited: string | null = routeFrom(process.argv);

  const supervisor = new HostSupervisor(chooseStarter(appFolder, process.env, process.versions.node), {
    line: (line) => console.error(line),
    news: (news) => desk?.news(news),
    started: (end) => ports.hostStarted(end),
    gaveUp: async ({ reason, lines, count }) => {
      const { response } = await dialog.showMessageBox({
        type: "error",
        message: `Knack's host has ended ${count} times and is not started again by itself.`,
        detail: [`The last time it ${reason}.`, "What is stored is safe. Its last lines:", ...lines.slice(-12)].join("\n"),
        buttons: ["Start it again", "Quit"],
        cancelId: 1,
      });
      if (response === 0) supervisor.start();
      else app.quit();
    },
  });
  const ports = handOverPorts(
    () => window,
    pageUrl,
    (port) => supervisor.connect(port),
  );

  function show(route: string | null): void {
    if (window !== null) {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      if (route !== null) goTo(window, pageUrl, route);
      return;
    }
    window = openWindow(appFolder, `${pageUrl}${route ?? ""}`, join(app.getPath("userData"), "window.json"));
    window.on("closed", () => {
      window = null;
    });
  }

  app.on("second-instance", (_, words) => show(routeFrom(words)));
  app.on("activate", () => show(null));
  app.on("open-url", (event, link) => {
    event.preventDefault();
    const route = routeOfLink(link);
    if (app.isReady()) show(route);
    else awaited = route;
  });
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin" && desk?.staysInTray() !== true) app.quit();
  });
  app.on("before-quit", (event) => {
    if (isQuitting) return;
    isQuitting = true;
    event.preventDefault();
    void supervisor.close().finally(() => app.quit());
  });
  void app.whenReady().then(() => {
    Menu.setApplicationMenu(appMenu(process.platform, app.isPackaged));
    servePage(join(appFolder, "out/renderer"));
    supervisor.start();
    // Whoever wakes the machine is asked for the passphrase again.
    powerMonitor.on("suspend", () => supervisor.suspend());
    powerMonitor.on("lock-screen", () => supervisor.suspend());
    // Elsewhere the package itself says whose links they are. A link of a development build would start Electron without an app.
    if (app.isPackaged && process.platform === "win32") app.setAsDefaultProtocolClient(PAGE_SCHEME);
    desk = makeDesk({ show, isLookedAt: () => window?.isFocused() === true, line: (line) => console.error(line) });
    show(awaited);
  });
}

function routeFrom(words: readonly string[]): string | null {
  const link = linkAmong(words);
  return link === null ? null : routeOfLink(link);
}

/** Within the page that is loaded; nothing is loaded anew. */
function goTo(window: BrowserWindow, pageUrl: string, route: string): void {
  window.loadURL(`${pageUrl}${route}`).catch((error: unknown) => console.error(`The page could not go to ${route}: ${String(error)}`));
}
