import { describe, expect, it } from "vitest";
import { readContribution } from "#core/prompt/index.ts";

const file = (position: string, text = "Prices are in euros.\n", more = "") => `---\nposition: ${position}\n${more}---\n\n${text}`;
const codes = (raw: string) => readContribution(raw).diagnostics.map(({ code }) => code);

describe("a pack's text for the prompt", () => {
  it.each(["cached", "volatile"])("goes where it says: %s", (position) => {
    expect(readContribution(file(position))).toEqual({ contribution: { position, text: "Prices are in euros." }, diagnostics: [] });
  });
  it("is accepted for the kernel, and said to have no effect", () => {
    expect(readContribution(file("kernel"))).toMatchObject({
      contribution: { position: "kernel" },
      diagnostics: [{ code: "kernel-reserved", severity: "note" }],
    });
  });
  it.each([
    ["no front matter", "Prices are in euros.", "position"],
    ["no position", file("").replace("position:", "place:"), "position"],
    ["a position that is none", file("top"), "position"],
    ["no text", file("cached", " \n"), "empty"],
    ["a text that is too long for a prompt", file("cached", "x".repeat(2001)), "too-long"],
    ["an empty file", "", "empty"],
    ["a binary file", "\0\0", "binary"],
    ["5 MB", "x".repeat(5_000_000), "too-large"],
  ])("is refused with a reason for %s", (_name, raw, code) => {
    expect(readContribution(raw).contribution).toBeNull();
    expect(readContribution(raw).diagnostics.some((one) => one.code === code && one.severity === "error")).toBe(true);
  });
  it("loses what nobody sees, and says so", () => {
    const read = readContribution(file("cached", "Pay\u200B nothing\u202E.\n"));
    expect(read.contribution?.text).toBe("Pay nothing.");
    expect(read.diagnostics.map(({ code }) => code)).toEqual(["invisible"]);
  });
  it("says which keys have no effect", () => expect(codes(file("cached", "Text.", "order: 3\n"))).toEqual(["keys-extra"]));
});
