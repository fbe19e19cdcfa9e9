import { describe, expect, it } from "vitest";
import { emitSkillFile, parseSkillFile, validateSkillFile } from "#core/skills/index.ts";
import { content, step } from "./content.ts";

const file = (front: string, body = "# Bill\n\n1. Open the portal\n") => `---\n${front}\n---\n${body}`;
const good = 'name: "bill"\ndescription: "When a bill is wanted"';
const errors = (text: string, folder = "bill"): string[] =>
  validateSkillFile(text, { folder })
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ code }) => code);

describe("a file held against the rules", () => {
  it("is valid with every key that Agent Skills knows", () => {
    const text = file(`${good}\nlicense: MIT\ncompatibility: any\nallowed-tools: Read\nmetadata:\n  author: "x"`);
    expect(validateSkillFile(text, { folder: "bill" })).toEqual({ name: "bill", valid: true, diagnostics: [] });
  });

  it.each([
    ["front matter that begins with blanks after its dashes", file(good).replace("---\n", "--- \n"), "front-matter-start"],
    ["no front matter", "# Bill\n\nDo it.\n", "front-matter-missing"],
    ["front matter that is not closed", `---\n${good}\n\nDo it.\n`, "front-matter-unclosed"],
    ["three dashes inside a value, where some readers stop", file('name: bill\ndescription: "a --- b"'), "front-matter-dashes"],
    ["an angle bracket in the description", file('name: bill\ndescription: "a <b> c"'), "description-angle"],
    ["no description", file("name: bill"), "description-missing"],
    ["a description of 1025 characters", file(`name: bill\ndescription: ${"x".repeat(1025)}`), "description-long"],
    ["a name in capitals", file("name: Bill\ndescription: x"), "name-case"],
    ["a name that is not ASCII", file("name: bïll\ndescription: x"), "name-form"],
    ["a folder of another name", file("name: bills\ndescription: x"), "folder-differs"],
    ["a key that Agent Skills does not know", file(`${good}\nmodel: big`), "keys-extra"],
    ["flow style", file(`${good}\nmetadata: {a: b}`), "yaml-flow"],
    ["a list under metadata", file(`${good}\nmetadata:\n  tags:\n    - a`), "metadata-form"],
    ["a licence that is a list", file(`${good}\nlicense:\n  - MIT`), "key-form"],
    ["a compatibility of 501 characters", file(`${good}\ncompatibility: ${"x".repeat(501)}`), "compatibility-form"],
    ["Windows line ends", file(good).replaceAll("\n", "\r\n"), "crlf"],
    ["a byte order mark", `\uFEFF${file(good)}`, "bom"],
    ["characters nobody sees", file('name: bill\ndescription: "a\u200Bb"'), "invisible"],
    ["a name that is a path", file("name: ../bill\ndescription: x"), "name-path"],
  ])("breaks one by %s", (_name, text, code) => {
    expect(errors(text)).toContain(code);
    expect(validateSkillFile(text, { folder: "bill" }).valid).toBe(false);
  });

  it("is not faulted for a comment or an edited text", () => {
    const edited = emitSkillFile({ name: "bill", content: content() }).replace("1. Press Page 1", "1. Press Page 9 <!-- so -->");
    expect(validateSkillFile(edited, { folder: "bill" })).toMatchObject({ valid: true, diagnostics: [{ code: "body-edited" }, { code: "html-comment" }] });
  });
});

describe("FIL-02: what is written", () => {
  it("holds no three dashes in its front matter, and reads back as it was", () => {
    const made = content({ whenToUse: "When --- or ----- is there", edgeCases: ["a---b"], steps: [step(1, { do: "---" })] });
    const text = emitSkillFile({ name: "bill", content: made, extra: { rule: "---" } });
    expect(text.split("\n---\n")[0]?.slice(4)).not.toContain("---");
    expect(errors(text)).toEqual([]);
    expect(parseSkillFile(text, { folder: "bill" }).skill).toEqual({ name: "bill", content: made, body: undefined, extra: { rule: "---" } });
  });
  it("is read again also where its steps are longer than any front matter of others may be", () => {
    const made = content({ steps: Array.from({ length: 800 }, (_, index) => step(index, { do: `Press ${"Größe ".repeat(10)}` })) });
    const text = emitSkillFile({ name: "bill", content: made });
    expect(text.length).toBeGreaterThan(200_000);
    expect(errors(text)).toEqual([]);
    expect(parseSkillFile(text, { folder: "bill" }).skill?.content).toEqual(made);
  });
});
