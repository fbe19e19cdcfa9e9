import { describe, expect, it } from "vitest";
import { familyOf } from "#core/gates/index.ts";
import type { PageView } from "#core/ports/index.ts";

const page = {
  url: "https://portal.example/bills?year=2026",
  elements: [{ label: "button Download", role: "button", name: "Download" }],
} as unknown as PageView;
const click = { tool: "browser_click", args: { target: "button Download" } };
const write = (path: string) => ({ tool: "workspace_write", args: { path, text: "x" } });

describe("the family of a call", () => {
  it("is the same control of the same page, whatever its address asks for", () => {
    const other = { ...page, url: "https://portal.example/bills?year=2027" };
    expect(familyOf("ask-before-download", click, page, null)?.words).toBe("press button “Download” on https://portal.example/bills");
    expect(familyOf("ask-before-download", click, page, null)?.key).toBe(familyOf("ask-before-download", click, other, null)?.key);
  });

  it.each([
    ["another page", click, { ...page, url: "https://portal.example/other" }, null, "ask-before-download"],
    ["another site", click, { ...page, url: "https://portal.example.evil.example/bills" }, null, "ask-before-download"],
    ["another reason to ask", click, page, null, "ask-before-submit"],
    ["another control", { ...click, args: { target: { role: "button", name: "Send" } } }, page, null, "ask-before-download"],
  ])("is another one for %s", (_what, call, where, folder, rule) => {
    expect(familyOf(rule, call, where, folder)?.key).not.toBe(familyOf("ask-before-download", click, page, null)?.key);
  });

  it("of a file is that file of that folder alone, whatever is written", () => {
    const one = familyOf("ask-before-write", write("a.txt"), null, "/notes");
    expect(one?.words).toBe("write a.txt in /notes");
    expect(one?.key).toBe(familyOf("ask-before-write", { ...write("a.txt"), args: { path: "a.txt", text: "other" } }, null, "/notes")?.key);
    expect(one?.key).not.toBe(familyOf("ask-before-write", write("b.txt"), null, "/notes")?.key);
    expect(one?.key).not.toBe(familyOf("ask-before-write", write("a.txt"), null, "/other")?.key);
  });

  it.each(["payment", "workspace-exec", "refused-twice"])("is none where it is asked about for %s: that is asked each time", (rule) => {
    expect(familyOf(rule, click, page, null)).toBeNull();
  });

  it("is none where it cannot be told what is acted on", () => {
    expect(familyOf("ask-before-download", click, null, null)).toBeNull();
    expect(familyOf("ask-before-write", write("a.txt"), null, null)).toBeNull();
    expect(familyOf("ask-before-download", { tool: "browser_click", args: { target: "something" } }, page, null)).toBeNull();
  });
});
