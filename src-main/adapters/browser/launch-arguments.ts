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

/** Runs in every document before its own scripts: the programming interfaces that would go around the proxy. */
export function closeSideDoors(): void {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"]) {
    if (name in globalThis) Reflect.deleteProperty(globalThis, name);
  }
}
