import { expect, it } from "vitest";
import { diffBodies } from "#core/skills/index.ts";

it("two bodies differ in the lines that differ", () => {
  expect(diffBodies({ label: "revision 1", body: "a\nb\nc\n" }, { label: "revision 2", body: "a\nB\nc\n" })).toBe(
    "--- revision 1\n+++ revision 2\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
  );
});
it("equal bodies have no diff", () => expect(diffBodies({ label: "1", body: "a" }, { label: "2", body: "a" })).toBe(""));
