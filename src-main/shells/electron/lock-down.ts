import { app, type Session } from "electron";
import { isOwnPage, PAGE_SCHEME } from "./own-page.ts";

/**
 * The window shows text of models and web pages, so it is treated as if it were hostile (SBX-10): it goes nowhere, opens nothing,
 * embeds nothing, is granted nothing, and loads nothing but the page itself.
 */
export function lockDown(pageUrl: string): void {
  app.on("web-contents-created", (_, contents) => {
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
    contents.on("will-navigate", (event) => event.preventDefault());
    contents.on("will-redirect", (event) => event.preventDefault());
    contents.on("will-attach-webview", (event) => event.preventDefault());
  });
  app.on("session-created", (session) => lockDownSession(session, pageUrl));
}

function lockDownSession(session: Session, pageUrl: string): void {
  // Writing to the clipboard after a click is what a copy button does; all else is denied.
  const mayCopy = (permission: string, url: string): boolean => permission === "clipboard-sanitized-write" && isOwnPage(url, pageUrl);
  session.setPermissionRequestHandler((_, permission, callback, details) => callback(mayCopy(permission, details.requestingUrl)));
  session.setPermissionCheckHandler((_, permission, origin) => mayCopy(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.on("will-download", (event) => event.preventDefault());

  const isDeveloping = !pageUrl.startsWith(`${PAGE_SCHEME}:`);
  session.webRequest.onBeforeRequest(({ url }, callback) => {
    const isOwn = isOwnPage(url, pageUrl) || /^(?:devtools|data|blob):/u.test(url) || (isDeveloping && isOwnPage(url.replace(/^ws/u, "http"), pageUrl));
    callback({ cancel: !isOwn });
  });
}
