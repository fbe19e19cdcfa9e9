/** Chromium's switches beside the ones Playwright sets (security rule 3). */
export function launchArguments(options: { readonly trustedSpki?: string | undefined }): string[] {
  return [
    // The proxy looks names up; the browser itself can find nothing but the proxy.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--deny-permission-prompts",
    "--disable-client-side-phishing-detection",
    ...(options.trustedSpki === undefined ? [] : [`--ignore-certificate-errors-spki-list=${options.trustedSpki}`]),
  ];
}

/** Switches that Playwright sets for tests of one's own pages, and that would take protection away from a visitor of others'. */
export const unwantedArguments = ["--disable-popup-blocking", "--disable-ipc-flooding-protection", "--enable-unsafe-swiftshader"];

/**
 * Runs in every document before its own scripts: takes away the programming interfaces that would go around the proxy, outlive the page or ask for devices.
 * Names of a prototype are written "Owner.name".
 */
export function closeSideDoors(): void {
  const doors = [
    ...["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "RTCIceTransport", "RTCDtlsTransport", "WebTransport"],
    ...["Navigator.serviceWorker", "ServiceWorkerContainer", "ServiceWorkerRegistration"],
  ];
  for (const door of doors) {
    const [owner, name] = door.includes(".") ? door.split(".") : [null, door];
    const holder = owner === null ? globalThis : (globalThis as unknown as Record<string, { prototype: object } | undefined>)[owner as string]?.prototype;
    if (holder !== undefined && (name as string) in holder) Reflect.deleteProperty(holder, name as string);
  }
}
