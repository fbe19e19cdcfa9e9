import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { ContractRouterClient } from "@orpc/contract";
import type { PortMessage } from "#contract/port-message.ts";
import type { Router } from "#contract/router.ts";

declare global {
  interface Window {
    /** What the tests look at and call from outside. */
    knack: { handed: PortMessage[]; client: ContractRouterClient<Router> | null };
  }
}

// The smallest page: takes each port it is handed and speaks the contract over it.
window.knack = { handed: [], client: null };
window.addEventListener("message", ({ source, data, ports }: MessageEvent<PortMessage>) => {
  const [port] = ports;
  if (source !== window || data.type !== "knack-port" || port === undefined) return;
  port.start();
  // A port still open when its page is left can take the renderer of the stand-in Electron with it.
  window.addEventListener("pagehide", () => port.close(), { once: true });
  window.knack.handed.push(data);
  window.knack.client = createORPCClient(new RPCLink({ port }));
});
