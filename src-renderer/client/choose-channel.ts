import type { OpenChannel } from "./channel.ts";
import { openMessagePort } from "./open-message-port.ts";
import { openWebSocket } from "./open-web-socket.ts";

/** In the app the preload brings a port; a page served over http speaks to its own server. */
export function chooseChannel(page: Window): OpenChannel {
  const { protocol, host } = page.location;
  const isApp = page.navigator.userAgent.includes(" Electron/") || !/^https?:$/u.test(protocol);
  return isApp ? openMessagePort(page) : openWebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/rpc`);
}
