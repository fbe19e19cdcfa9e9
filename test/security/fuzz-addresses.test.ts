import { expect, it } from "vitest";
import { fuzzAddresses } from "#app/eval/security/fuzz-addresses.ts";

it("URL-45: of 100,000 made addresses none is allowed that leads elsewhere than to a granted host, and none breaks the policy", async () => {
  const report = await fuzzAddresses({ count: 100_000, seed: 7, oneIn: 100, signal: AbortSignal.timeout(280_000) });
  expect(report.thrown).toEqual([]);
  expect(report.astray).toEqual([]);
  // Both answers are given often enough to mean something.
  expect(report.allowed).toBeGreaterThan(5_000);
  expect(Object.keys(report.refused).sort()).toEqual(
    expect.arrayContaining([
      "dest.host",
      "dest.ip",
      "dest.kind",
      "dest.port",
      "dest.scheme",
      "url.host",
      "url.length",
      "url.parse",
      "url.scheme",
      "url.userinfo",
    ]),
  );
  expect(report.dialled).toBeGreaterThanOrEqual(report.allowed);
  console.info(
    `median ${report.medianMicroseconds.toFixed(1)} µs, slowest ${report.slowestMilliseconds.toFixed(2)} ms, ${report.allowed} allowed, ${report.asked} asked of the proxy, ${report.dialled} dialled`,
  );
}, 300_000);
