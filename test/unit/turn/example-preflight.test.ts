import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

describe("npm run example:preflight", () => {
  it("PRE-01, PRE-03: tells after each of its four turns how often the guarded tool has run", () => {
    const output = execFileSync(process.execPath, ["test/fixtures/examples/preflight.ts"], { cwd: root, encoding: "utf8" });
    const refused = "   publish_announcement was not run: call get_integration_status first, in this turn; it must succeed.";
    expect(output.split("\n")).toEqual([
      "1. rule unmet (US)",
      refused,
      "   counter of publish_announcement: 0",
      "2. rule met (US)",
      "   get_integration_status ran",
      "   publish_announcement ran",
      "   counter of publish_announcement: 1",
      "3. rule about other accounts (EU)",
      "   publish_announcement ran",
      "   counter of publish_announcement: 2",
      "4. right calls, wrong order (US)",
      refused,
      "   get_integration_status ran",
      "   counter of publish_announcement: 2",
      "",
    ]);
  });
});
