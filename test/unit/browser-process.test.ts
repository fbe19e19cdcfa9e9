import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { browserEnvironment } from "#adapters/browser/browser-environment.ts";
import { ownMemory, readProcessList, readTaskList } from "#adapters/browser/own-memory.ts";

describe("the environment of a browser", () => {
  it("DNS-09, SBX-14: has no proxies, switches, profiles and passphrases, whatever their case", () => {
    const left = { PATH: "/usr/bin", HOME: "/home/mira", DISPLAY: ":0", LANG: "nb_NO.UTF-8", WAYLAND_DISPLAY: "wayland-0", XDG_RUNTIME_DIR: "/run/user/1000" };
    const kept = ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "no_proxy", "auto_proxy", "KNACK_PASSPHRASE", "KNACK_HOME", "NODE_OPTIONS", "CHROMIUM_FLAGS"];
    const more = ["CHROME_USER_DATA_DIR", "CHROME_LOG_FILE", "GOOGLE_API_KEY", "ELECTRON_RUN_AS_NODE", "npm_config_userconfig", "PLAYWRIGHT_SKIP", "NODE"];
    expect(browserEnvironment({ ...left, ...Object.fromEntries([...kept, ...more].map((name) => [name, "x"])) })).toEqual(left);
  });
});

describe("the memory of processes", () => {
  it("is read of those that are there, and none of one that is gone", async () => {
    const gone = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => gone.once("close", resolve));
    const memory = await ownMemory([process.pid, gone.pid ?? 0]);
    expect(memory.get(process.pid)).toBeGreaterThan(10 * 1024 ** 2);
    expect(memory.get(process.pid)).toBeLessThanOrEqual(process.memoryUsage().rss * 1.5);
    expect(memory.get(gone.pid ?? 0) ?? 0).toBe(0);
    expect(await ownMemory([])).toEqual(new Map());
  });

  it("is read from the list of ps, and from that of Windows in any language", () => {
    expect(readProcessList("  501  2048\n 77 12\n\nnonsense\n")).toEqual(
      new Map([
        [501, 2048 * 1024],
        [77, 12 * 1024],
      ]),
    );
    const list =
      '"chrome.exe","501","Console","1","1.234.567 K"\r\n"chrome.exe","77","Console","1","12\u00a0345 Ko"\r\n"other.exe","9","Services","0","8,192 K"\r\n';
    expect(readTaskList(list, new Set([501, 77]))).toEqual(
      new Map([
        [501, 1_234_567 * 1024],
        [77, 12_345 * 1024],
      ]),
    );
  });
});
