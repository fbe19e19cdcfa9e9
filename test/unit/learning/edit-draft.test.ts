import { describe, expect, it } from "vitest";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft } from "#contract/learning/schema.ts";
import { capabilitiesOf } from "#core/envelope/index.ts";
import { draftFromShowing, editDraft } from "#core/learning/index.ts";
import { fullyMechanical, renderBody } from "#core/skills/index.ts";
import { permitSite } from "../../fixtures/makers/made-site.ts";
import { showOn } from "../../fixtures/makers/show-on.ts";
import { clickOn, openSite, typeIn } from "../../fixtures/makers/shown-run.ts";
import { stage } from "../../fixtures/makers/stage.ts";
import { shownOn } from "../../fixtures/makers/taught.ts";

const council = "https://council.example/";
const goal = `Request a visitor permit for KX27 ABC on 14 February 2027 from ${council}`;
const world = { now: shownOn, reachOf: capabilitiesOf };

/** The zone is chosen, and the goal does not name it. */
async function permit(): Promise<Draft> {
  const actions = await showOn(permitSite(), [
    ["open", council],
    ["click", "link", "Visitor permit"],
    ["fill", "Registration", "KX27 ABC"],
    ["fill", "Day", "2027-02-14"],
    ["select", "Zone", "Old Town"],
    ["click", "button", "Request permit"],
  ]);
  return draftFromShowing({ id: "showing", goal }, actions, shownOn);
}
const edited = async (...edits: DraftEdit[]): Promise<Draft> => editDraft(await permit(), edits, world);
const says = ({ content }: Draft): string[] => content.steps.map((step) => step.do);

describe("a draft is edited before it is kept", () => {
  it("nothing edited is the draft itself, with its strict ability", async () => {
    const draft = await permit();
    expect(editDraft(draft, [], world)).toEqual(draft);
    expect([draft.needJudgement, fullyMechanical(draft.content)]).toEqual([[], true]);
  });

  it("the words of a step change, and nothing it does", async () => {
    const [before, after] = [await permit(), await edited({ edit: "say-step", step: 6, do: "Send it to the council" })];
    expect(says(after)[5]).toBe("Send it to the council");
    expect(after.content.steps[5]?.call).toEqual(before.content.steps[5]?.call);
    expect(after.body).toBe(renderBody(after.content));
  });

  it("words that name another control, value or input than the call does are warned of before the draft is kept", async () => {
    const other = await edited({ edit: "say-step", step: 6, do: 'Press the button "Send to the council" for KX99 XYZ' });
    expect(other.warnings).toEqual([
      'Step 6 says "Send to the council" and "KX99 XYZ", which is not in what it does: Click the button "Request permit". Its words change nothing of that; change its call as well, or its words.',
    ]);
    const fixed = await edited({ edit: "say-step", step: 4, do: "Fill in the day, 14 February 2027" });
    expect(fixed.warnings?.[0]).toMatch(/^Step 4 says "14 February 2027", which is not in what it does: Fill the textbox "Day" with \{\{day/u);
    const input = await edited({ edit: "say-step", step: 4, do: "Type {{registration}}" });
    expect(input.warnings?.[0]).toContain('Step 4 says "{{registration}}"');
    const name = await edited({ edit: "say-step", step: 2, do: "Go on to Parking" });
    expect(name.warnings?.[0]).toContain('Step 2 says "Parking"');
  });

  it("words that name nothing else are told of as words alone, and untouched ones not at all", async () => {
    const draft = await edited({ edit: "say-step", step: 6, do: "Send it off with Request permit" });
    expect([draft.warnings, draft.notes.at(-1)]).toEqual([
      undefined,
      'Only the words of step 6 were changed; what it does is still: Click the button "Request permit".',
    ]);
    const renamed = await edited({ edit: "rename-input", input: "registration", name: "car" });
    expect([renamed.warnings, renamed.notes]).toEqual([undefined, (await permit()).notes]);
  });

  it("words and call changed together are warned of only where they part", async () => {
    const { name, content } = await permit();
    const call = { tool: "browser_click", args: { target: { role: "button", name: "Send" } } };
    const rewrite = (words: string): Promise<Draft> =>
      edited({ edit: "rewrite", name, content: { ...content, steps: content.steps.map((step, at) => (at === 5 ? { ...step, do: words, call } : step)) } });
    expect((await rewrite("Then press Send")).warnings).toBeUndefined();
    expect((await rewrite("Then press Request permit")).warnings?.[0]).toContain('says "Request"');
  });

  it("what code told of the task follows the inputs, and words of a person stay", async () => {
    const before = await permit();
    const after = await edited({ edit: "fix-input", input: "day" });
    expect([before.content.whenToUse, after.content.whenToUse].map((text) => /on a day/u.test(text))).toEqual([true, false]);
    const own = await edited(
      { edit: "rewrite", name: before.name, content: { ...before.content, whenToUse: "For guests" } },
      { edit: "fix-input", input: "day" },
    );
    expect(own.content.whenToUse).toBe("For guests");
  });

  it("a step is dropped with the input that only it used, which is told", async () => {
    const draft = await edited({ edit: "drop-step", step: 4 });
    expect(says(draft)).toHaveLength(5);
    expect([Object.keys(draft.content.inputs.properties), draft.content.bindings[0]?.inputs]).toEqual([
      ["item", "registration"],
      { item: "Visitor permit", registration: "KX27 ABC" },
    ]);
    expect(draft.notes.at(-1)).toBe('No step uses the input "day" any more, so it was left out.');
    expect(draft.observed).toHaveLength(5);
  });

  it("steps are counted as the edits before left them", async () => {
    const draft = await edited({ edit: "drop-step", step: 3 }, { edit: "drop-step", step: 3 });
    expect(says(draft)).toEqual([
      `Open ${council}`,
      'Click the link "{{item}}"',
      'Choose Old Town in the combobox "Zone"',
      'Click the button "Request permit"',
    ]);
  });

  it("an input becomes the constant that was shown, in the form each place has", async () => {
    const draft = await edited({ edit: "fix-input", input: "day" });
    expect(draft.content.steps[3]).toMatchObject({
      do: 'Fill the textbox "Day" with 2027-02-14',
      call: { args: { text: "2027-02-14" } },
      check: { result: { equals: "2027-02-14" } },
    });
    expect([draft.content.inputs.required, draft.content.inputs.properties["day"]]).toEqual([["registration"], undefined]);
  });

  it("SHO-04: a constant becomes an input, with what was shown as its default", async () => {
    const draft = await edited({ edit: "open-value", step: 5, place: "value", name: "zone", kind: "text" });
    expect(draft.content.steps[4]).toMatchObject({
      do: 'Choose {{zone}} in the combobox "Zone"',
      call: { args: { option: "{{zone}}" } },
      check: { result: { equals: "{{zone}}" } },
    });
    expect(draft.content.inputs.properties["zone"]).toMatchObject({ kind: "text", default: "Old Town" });
    expect(draft.content.inputs.required).toEqual(["registration", "day"]);
  });

  it("SHO-04: what was made an input runs strictly with another value", async () => {
    const draft = await edited(
      { edit: "open-value", step: 5, place: "value", name: "zone", kind: "text" },
      { edit: "set-default", input: "zone", default: null },
    );
    expect(draft.content.inputs.required).toEqual(["registration", "day", "zone"]);
    const on = stage(permitSite());
    await on.addSkill("visitor-permit", draft.content);
    await on.turn(`Request a visitor permit for AB12 CDE on 3 March 2027 from ${council}`, [], {
      skill: "visitor-permit",
      mode: "strict",
      inputs: { zone: "North" },
    });
    expect(on.calls()).toContain("select Zone: North");
  });

  it("a part of a name becomes an input of its kind", async () => {
    const actions = [openSite(), clickOn("link", "Week of 3 June 2027"), clickOn("button", "Save")];
    const draft = editDraft(
      draftFromShowing({ id: "showing", goal: "Save my week" }, actions, shownOn),
      [{ edit: "open-value", step: 2, place: "name", text: "3 June 2027", name: "week", kind: "date" }],
      world,
    );
    expect(draft.content.steps[1]?.call?.args["target"]).toMatchObject({ name: "Week of {{week|D MMMM YYYY}}" });
    expect(draft.content.inputs.properties["week"]?.default).toBe("2027-06-03");
  });

  it("an input is renamed wherever it stands", async () => {
    const draft = await edited({ edit: "rename-input", input: "registration", name: "plate" });
    expect(JSON.stringify(draft.content)).not.toContain("{{registration");
    expect([draft.content.inputs.required, draft.content.bindings[0]?.inputs["plate"], draft.content.inputs.properties["plate"]?.description]).toEqual([
      ["plate", "day"],
      "KX27 ABC",
      "plate",
    ]);
    expect(draft.observed[2]?.lines.join()).not.toContain("{{registration");
  });

  it("a default makes an input optional and none makes it required", async () => {
    const optional = await edited({ edit: "set-default", input: "registration", default: "KX27 ABC" });
    expect([optional.content.inputs.required, optional.content.inputs.properties["registration"]?.default]).toEqual([["day"], "KX27 ABC"]);
    const required = await edited({ edit: "set-default", input: "item", default: null });
    expect([required.content.inputs.required, "default" in (required.content.inputs.properties["item"] ?? {})]).toEqual([
      ["item", "registration", "day"],
      false,
    ]);
  });

  it("what a step looks for is made of what was to be seen after it", async () => {
    const { observed } = await permit();
    expect(observed[5]).toMatchObject({ heading: "Permit requested", url: "/done", lines: [expect.stringContaining("{{registration}} may park in Old Town")] });
    const line = observed[5]?.lines[0] ?? "";
    const draft = await edited({ edit: "look-for", step: 6, part: "text", value: line }, { edit: "look-for", step: 6, part: "url", value: null });
    expect(draft.content.steps[5]?.check).toEqual({ page: { heading: "Permit requested", text: line } });
  });

  it("a step without a check needs judgement, and the draft says which", async () => {
    const draft = await edited({ edit: "drop-check", step: 2 });
    expect([draft.needJudgement, draft.content.steps[1]?.check]).toEqual([[2], undefined]);
    expect(
      (await edited({ edit: "look-for", step: 2, part: "heading", value: null }, { edit: "look-for", step: 2, part: "url", value: null })).needJudgement,
    ).toEqual([2]);
  });

  it("SHO-03: a vault entry is chosen for a secret; only its name is in the draft", () => {
    const secret = { ...typeIn("Password", "", { heading: "Sign in" }), secret: true };
    const shown = draftFromShowing({ id: "showing", goal: "Sign in at the bank" }, [openSite(), secret, clickOn("button", "Go on")], shownOn);
    expect([shown.observed[1]?.secretField, shown.needJudgement]).toEqual(["Password", [2]]);
    const draft = editDraft(shown, [{ edit: "choose-entry", step: 2, entry: "bank" }], world);
    expect(draft.content.steps[1]).toEqual({
      do: 'Fill in "Password" from the vault entry "bank"',
      call: { tool: "browser_login", args: { entry: "bank" } },
      check: { page: { heading: "Go on", url: "/go-on" } },
      onFail: expect.any(String) as string,
    });
    expect([draft.content.capabilities.vault, draft.content.toolsRequired.includes("browser_login")]).toEqual([["bank"], true]);
    const other = editDraft(shown, [...draft.edits, { edit: "choose-entry", step: 2, entry: "savings" }], world);
    expect(other.content.capabilities.vault).toEqual(["savings"]);
  });

  it("the draft that was shown stays as it was, and the edits are kept in order", async () => {
    const base = await permit();
    const before = structuredClone(base);
    const edits: DraftEdit[] = [
      { edit: "rename-input", input: "registration", name: "plate" },
      { edit: "fix-input", input: "plate" },
    ];
    expect(editDraft(base, edits, world).edits).toEqual(edits);
    expect(base).toEqual(before);
  });
});

describe("an edit that cannot be made names its step", () => {
  it.each<[string, DraftEdit, string]>([
    ["a step that is not there", { edit: "drop-step", step: 7 }, "There is no step 7; the draft has 1 to 6"],
    ["an input that is not there", { edit: "fix-input", input: "colour" }, 'There is no input "colour"; the draft has: item, registration, day'],
    ["a name that is taken", { edit: "rename-input", input: "day", name: "registration" }, 'There is an input "registration" already'],
    ["a name that is a property of every object", { edit: "set-default", input: "constructor", default: null }, 'There is no input "constructor"'],
    [
      "a placeholder that is no input",
      { edit: "say-step", step: 3, do: "Type {{plate}}" },
      "Step 3 uses {{plate}}, which is no input; the inputs are: item, registration, day",
    ],
    ["a default of another kind", { edit: "set-default", input: "day", default: "soon" }, '"soon" is no date for the input "day"'],
    [
      "a value that stands elsewhere",
      { edit: "open-value", step: 5, place: "value", text: "North", name: "zone", kind: "text" },
      'Step 5 does not say "North" there but "Old Town"',
    ],
    ["a value of another kind", { edit: "open-value", step: 5, place: "value", name: "zone", kind: "date" }, '"Old Town" is no date'],
    ["a place that a step has not", { edit: "open-value", step: 1, place: "within", name: "row", kind: "text" }, "Step 1 names no row"],
    ["a secret where none was typed", { edit: "choose-entry", step: 3, entry: "bank" }, "Nothing secret was typed at step 3"],
    [
      "a part of a page where a field is looked at",
      { edit: "look-for", step: 3, part: "heading", value: "x" },
      "Step 3 does not look at the page but at the field",
    ],
    ["a password", { edit: "say-step", step: 6, do: "Type password: hunter22" }, "it holds something that looks like a secret (step 6, do)"],
  ])("%s", async (_what, edit, message) => {
    await expect(edited(edit)).rejects.toThrow(message);
  });

  it("with the number of the edit where there are several", async () => {
    await expect(edited({ edit: "drop-step", step: 6 }, { edit: "drop-step", step: 6 })).rejects.toMatchObject({
      message: "Edit 2: There is no step 6; the draft has 1 to 5",
      fields: { step: 6, edit: 2 },
    });
  });

  it("and a draft without a step, or that repeats towards nothing, is none", async () => {
    const drop: DraftEdit = { edit: "drop-step", step: 1 };
    await expect(edited(drop, drop, drop, drop, drop, drop)).rejects.toThrow("No step is left");
    const actions = [openSite(), clickOn("button", "Older", { text: "1" }), clickOn("button", "Older", { text: "2" }), clickOn("link", "May")];
    const paged = draftFromShowing({ id: "showing", goal: "Open the old page" }, actions, shownOn);
    expect(paged.content.steps[1]?.repeatUntilNext).toBe(true);
    expect(() => editDraft(paged, [{ edit: "drop-step", step: 3 }], world)).toThrow("Step 2 repeats until the next target is there");
  });
});
