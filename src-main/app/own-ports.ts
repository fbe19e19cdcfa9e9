import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentConfig } from "./config.ts";

/** Ports of Knack on this machine besides its proxies: this process's own, the page's while it is developed, and a web shell over the same data. */
export function ownPortsOf({ ownPorts, env, dataFolder }: Pick<AgentConfig, "ownPorts" | "env" | "dataFolder">): number[] {
  return [...(ownPorts?.() ?? []), ...portOf(env.ELECTRON_RENDERER_URL ?? ""), ...portOf(webShellAddress(dataFolder))];
}

function portOf(address: string): number[] {
  const url = URL.parse(address);
  if (url === null) return [];
  return [url.port === "" ? { "http:": 80, "https:": 443 }[url.protocol] : Number(url.port)].filter((port) => port !== undefined);
}

function webShellAddress(dataFolder: string): string {
  try {
    return readFileSync(join(dataFolder, "web-shell.url"), "utf8").trim();
  } catch {
    return "";
  }
}
