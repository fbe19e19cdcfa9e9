import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ownPortsOf } from "#app/own-ports.ts";

it("URL-39: what listens for Knack on this machine is known by its port: this process, the page while it is developed, a web shell over the same data", () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "knack-ports-"));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  expect(ownPortsOf({ env: {}, dataFolder })).toEqual([]);
  writeFileSync(join(dataFolder, "web-shell.url"), "http://127.0.0.1:4123/?token=x\n");
  expect(ownPortsOf({ env: { ELECTRON_RENDERER_URL: "http://localhost:5173" }, dataFolder, ownPorts: () => [4001] })).toEqual([4001, 5173, 4123]);
  expect(ownPortsOf({ env: { ELECTRON_RENDERER_URL: "no address" }, dataFolder: join(dataFolder, "none") })).toEqual([]);
});
