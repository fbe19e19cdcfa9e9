import { describe, expect, it } from "vitest";
import { type ScriptedModel, scriptedModel } from "#adapters/scripted/index.ts";
import type { BindingExample, RevisionContent, SkillInput } from "#contract/skills/schema.ts";
import type { GenerateRequest } from "#core/ports/index.ts";
import { type Binding, bindInputs, canonicalValue } from "#core/recall/index.ts";
import { clickStep, input, procedure } from "../../fixtures/makers/content.ts";

const now = new Date(2027, 0, 10, 12);
const typed = (name: string, form = ""): RevisionContent["steps"][number] => ({
  do: `Fill ${name}`,
  call: { tool: "browser_fill", args: { target: { role: "textbox", name }, text: `{{${name}${form}}}` } },
  onFail: "",
});

function bind(
  goal: string,
  properties: Record<string, SkillInput>,
  change: {
    readonly bindings?: readonly BindingExample[];
    readonly steps?: RevisionContent["steps"];
    readonly model?: ScriptedModel;
    readonly given?: Record<string, string>;
  } = {},
): Promise<Binding> {
  const required = Object.keys(properties).filter((name) => properties[name]?.default === undefined);
  const content = procedure("a goal", {
    inputs: { type: "object", properties, required },
    bindings: [...(change.bindings ?? [])],
    steps: change.steps ?? Object.keys(properties).map((name) => typed(name)),
  });
  return bindInputs(content, goal, {
    now,
    model: change.model ?? null,
    signal: new AbortController().signal,
    ...(change.given ? { given: change.given } : {}),
  });
}

/** An answer that picks the choice with this value for the line being asked. */
const pick =
  (name: string, value: string) =>
  (request: GenerateRequest): string =>
    request.choices?.find((choice) => choice.text.endsWith(`${name}: ${value}\n`))?.text ?? `no choice ${name}: ${value}`;

describe("values of a goal", () => {
  it.each([
    ["book the hall on 14 Feb 2027", "2027-02-14"],
    ["book the hall on 12.01.2027", "2027-01-12"],
    ["book the hall for tomorrow", "2027-01-11"],
    ["book the hall on 3 March", "2027-03-03"],
    ["book the hall on 3 January", "2028-01-03"],
  ])("INP-01: %s has the day %s", async (goal, day) => expect((await bind(goal, { day: input("date") })).values).toEqual({ day }));

  it("INP-01: last October is October, of whatever year the page has", async () => {
    const steps = [clickStep("Download {{month|MMMM}} bill")];
    expect((await bind("the bill of last October", { month: input("month") }, { steps })).values).toEqual({ month: "--10" });
  });

  it("a month asked for takes the month of a day", async () =>
    expect((await bind("the bill of 3 April 2026", { month: input("month") })).values).toEqual({ month: "2026-04" }));

  it("INP-02: what the goal does not say is missing, never made up", async () => {
    expect(await bind("download my bill", { month: input("month", { examples: ["April 2026"] }) })).toMatchObject({ values: {}, missing: ["month"] });
  });

  it("INP-02: neither does a model make it up: it can only copy words of the goal, or say nothing", async () => {
    const model = scriptedModel([(request) => request.choices?.at(-1)?.text ?? ""]);
    const binding = await bind("please report it", { street: input("text", { examples: ["Mill Lane"] }) }, { model });
    expect(binding).toMatchObject({ values: {}, missing: ["street"] });
    expect(
      model.requests[0]?.choices?.every(({ text }) => text === "street: (not said)\n" || "please report it".includes(text.slice("street: ".length).trim())),
    ).toBe(true);
  });

  it("a value that does not stand in the goal cannot be written: the script that tries is refused", async () => {
    const model = scriptedModel(["street: Mill Lane\n"]);
    await expect(bind("report a broken lamp in Hill Road", { street: input("text", { examples: ["Mill Lane"] }) }, { model })).rejects.toThrow(
      "the request does not allow street: Mill Lane",
    );
  });

  it("what only the model can tell is asked of it, with the examples' goals and values before it", async () => {
    const model = scriptedModel([pick("street", "Hill Road"), pick("problem", "broken lamp")]);
    const bindings = [{ goal: "There is a pothole in Mill Lane, report it", inputs: { street: "Mill Lane", problem: "pothole" } }];
    const binding = await bind(
      "Please tell them about the broken lamp, it is Hill Road",
      { street: input("text"), problem: input("text") },
      { model, bindings },
    );
    expect(binding).toMatchObject({ values: { street: "Hill Road", problem: "broken lamp" }, how: { street: "model", problem: "model" } });
    expect(model.requests[0]?.messages.at(-1)?.text).toContain("Request: There is a pothole in Mill Lane, report it\nstreet: Mill Lane\nproblem: pothole");
  });

  it("one value is not offered for two inputs", async () => {
    const model = scriptedModel([pick("street", "Hill Road"), (request) => request.choices?.at(-1)?.text ?? ""]);
    await bind("the lamp in Hill Road", { street: input("text"), problem: input("text") }, { model });
    expect(model.requests[1]?.choices?.some(({ text }) => text.endsWith("problem: Hill Road\n"))).toBe(false);
  });

  it("INP-03: two values of one kind are told apart by the word before them", async () => {
    const bindings = [{ goal: "Move it from 1 March 2027 to 5 March 2027", inputs: { from: "2027-03-01", to: "2027-03-05" } }];
    const properties = { from: input("date"), to: input("date") };
    expect((await bind("Move it to 9 April 2027 from 2 April 2027", properties, { bindings })).values).toEqual({ from: "2027-04-02", to: "2027-04-09" });
  });

  it("INP-03, REC-09: without such words the order of the example decides", async () => {
    const bindings = [{ goal: "Swap 1 March 2027, 5 March 2027", inputs: { first: "2027-03-01", second: "2027-03-05" } }];
    expect((await bind("Swap 9 April 2027, 2 April 2027", { first: input("date"), second: input("date") }, { bindings })).values).toEqual({
      first: "2027-04-09",
      second: "2027-04-02",
    });
  });

  it("INP-03: one value for two inputs of its kind is not spread over both", async () => {
    const bindings = [{ goal: "Move it from 1 March 2027 to 5 March 2027", inputs: { from: "2027-03-01", to: "2027-03-05" } }];
    const binding = await bind("Move it to 9 April 2027", { from: input("date"), to: input("date") }, { bindings });
    expect(binding).toMatchObject({ values: { to: "2027-04-09" }, missing: ["from"] });
  });

  it("REC-09: swapped roles in the words of an example are swapped inputs", async () => {
    const bindings = [{ goal: "Book a seat from Ashford to Brill", inputs: { from: "Ashford", to: "Brill" } }];
    expect((await bind("Book a seat from Brill to Ashford", { from: input("text"), to: input("text") }, { bindings })).values).toEqual({
      from: "Brill",
      to: "Ashford",
    });
  });

  it("a value given from outside stands above one of the goal", async () => {
    expect(await bind("the bill of April 2026", { month: input("month") }, { given: { month: "2026-06" } })).toMatchObject({
      values: { month: "2026-06" },
      how: { month: "given" },
    });
  });

  it("SHO-10: an input with a default is never missing", async () => {
    expect(await bind("a permit please", { item: input("text", { default: "Parking" }) })).toMatchObject({
      values: { item: "Parking" },
      named: [],
      missing: [],
    });
  });

  it("a choice of the page is taken as the page calls it", async () => {
    const choices = ["Household waste (black bin)", "Garden waste (brown bin)"];
    expect((await bind("when is the garden waste collected", { bin: input("text", { choices }) })).values).toEqual({ bin: "Garden waste (brown bin)" });
  });

  it("what no choice or several choices fit is missing", async () => {
    const choices = ["Household waste", "Garden waste"];
    expect((await bind("when is the waste collected", { bin: input("text", { choices }) })).missing).toEqual(["bin"]);
    expect((await bind("when is paper collected", { bin: input("text", { choices }) })).missing).toEqual(["bin"]);
  });

  it("words that only say which link to take are left to the page, and neither asked for nor asked of the model", async () => {
    const model = scriptedModel();
    expect(await bind("renew Night Ferries", { item: input("text") }, { steps: [clickStep("{{item}}")], model })).toMatchObject({
      missing: [],
      tokensEvaluated: 0,
    });
    expect(model.requests).toEqual([]);
  });

  it("a registration is known by the shape of an earlier one", async () => {
    const binding = await bind("permit for AB12 CDE please", { plate: input("text", { examples: ["KX27 ABC"] }) });
    expect(binding).toMatchObject({ values: { plate: "AB12 CDE" }, how: { plate: "example" } });
  });
});

describe("a value from a flag or a form", () => {
  it.each([
    ["date", "14 Feb 2027", "2027-02-14"],
    ["date", "2027-02-14", "2027-02-14"],
    ["month", "April 2026", "2026-04"],
    ["time", "5 pm", "17:00"],
    ["amount", "£1,200", "1200"],
    ["number", "12", "12"],
    ["id", " KX-2041 ", "KX-2041"],
    ["text", "  ", undefined],
    ["date", "soon", undefined],
    ["number", "many", undefined],
  ] as const)("a %s: %s", (kind, text, wanted) => expect(canonicalValue(kind, text, now)).toBe(wanted));
});
