import { type BrowserWindow, type IpcMainEvent, ipcMain, MessageChannelMain, type MessagePortMain } from "electron";
import type { HostEnd, PortMessage } from "#contract/port-message.ts";
import { isOwnPage } from "./own-page.ts";

export interface HandOver {
  /** A host is there: the loaded page gets a port to it. */
  hostStarted(end: HostEnd | null): void;
}

/**
 * Gives the page its port to the host: when it has loaded, on each reload, and for each new host. `connect` takes the host's end;
 * false says that no host is there. Whoever else asks (a frame inside the page, another address) gets nothing (SBX-11).
 */
export function handOverPorts(window: () => BrowserWindow | null, pageUrl: string, connect: (port: MessagePortMain) => boolean): HandOver {
  let isPageReady = false;
  let told: HostEnd | null = null;

  function give(): void {
    const contents = window()?.webContents;
    if (contents === undefined || !isPageReady) return;
    const { port1, port2 } = new MessageChannelMain();
    if (!connect(port2)) return;
    contents.postMessage("knack:port", { type: "knack-port", restarted: told } satisfies PortMessage, [port1]);
    told = null;
  }

  ipcMain.on("knack:page-ready", (event) => {
    if (!isPage(event, window(), pageUrl)) return;
    isPageReady = true;
    event.sender.once("did-start-loading", () => {
      isPageReady = false;
    });
    give();
  });

  return {
    hostStarted(end) {
      told = end;
      give();
    },
  };
}

/** The sender must be the top frame of our window, showing our page. */
function isPage({ sender, senderFrame: frame }: IpcMainEvent, window: BrowserWindow | null, pageUrl: string): boolean {
  return sender === window?.webContents && frame !== null && frame.parent === null && isOwnPage(frame.url, pageUrl);
}
