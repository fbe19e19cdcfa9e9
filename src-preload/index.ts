import { ipcRenderer } from "electron";

// The page gets a port to the agent host and nothing else: no API is exposed, and what main may send is one message.
ipcRenderer.on("knack:port", (event, message: unknown) => {
  window.postMessage(message, window.location.origin, [...event.ports]);
});

// Only now are the page's own listeners in place.
window.addEventListener("load", () => ipcRenderer.send("knack:page-ready"), { once: true });
