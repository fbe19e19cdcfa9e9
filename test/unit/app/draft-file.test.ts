import { describe, expect, it } from "vitest";
import { draftFile, readDraftFile } from "#app/draft-file.ts";
import type { Draft } from "#contract/learning/schema.ts";
import { draftFromShowing } from "#core/learning/index.ts";
import { validateSkillFile } from "#core/skills/index.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { showOn } from "../../fixtures/makers/show-on.ts";
import { shownOn } from "../../fixtures/makers/taught.ts";

const portal = "https://portal.example/";

async function bill(change: Partial<Draft> = {}): Promise<Draft> {
  const actions = await showOn(billsSite(), [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]);
  return { ...draftFromShowing({ id: "showing", goal: `Download the December 2026 bill from ${portal}` }, actions, shownOn), ...change };
}

describe("a draft as a file to be edited", () => {
  it("says at its head what may be changed, and that words are not what is done", async () => {
    const { text } = draftFile(await bill());
    const head = text.split("\n").filter((line) => line.startsWith("# ") && line !== text.split("\n").find((one) => /^# Download/u.test(one)));
    expect(text.startsWith("---\n# A draft of a skill.")).toBe(true);
    for (const said of ["Yours to change: the name", "What is done is the line Call alone", "Check:", "{{name}}", "not both"])
      expect(head.join("\n")).toContain(said);
    expect(head.every((line) => /^[\x20-\x7e]+$/u.test(line) && !line.includes("---"))).toBe(true);
  });

  it("is read back as the same draft, and breaks no rule of the format", async () => {
    const draft = await bill({ warnings: ["Step 3 says “Januar — März”, which is not in what it does."] });
    const { name, text } = draftFile(draft);
    expect(text).toContain("# Warning: Step 3 says");
    expect(readDraftFile(draft, text)).toBeNull();
    expect(validateSkillFile(text, { folder: name })).toMatchObject({ valid: true, name });
  });

  it("of a hundred kilobytes is still read", async () => {
    const draft = await bill();
    const long = { ...draft, content: { ...draft.content, phrasings: Array.from({ length: 40 }, (_, at) => `${at} ${"said again ".repeat(200)}`) } };
    expect(draftFile(long).text.length).toBeGreaterThan(80_000);
    expect(readDraftFile(long, draftFile(long).text)).toBeNull();
  });

  it("a changed description is refused instead of lost", async () => {
    const draft = await bill();
    const changed = draftFile(draft).text.replace(/^description: .*$/mu, 'description: "For my bills"');
    expect(() => readDraftFile(draft, changed)).toThrow('The description is written from "When to use"');
  });
});
