import { describe, expect, it } from "vitest";
import { type ScriptedModel, scriptedModel } from "#adapters/scripted/index.ts";
import type { BindingExample, RevisionContent, SkillInput } from "#contract/skills/schema.ts";
import { generalise } from "#core/learning/index.ts";
import type { GenerateRequest } from "#core/ports/index.ts";
import { type Binding, bindInputs, canonicalValue } from "#core/recall/index.ts";
import { clickStep, input, procedure } from "../../fixtures/makers/content.ts";
import { typeIn } from "../../fixtures/makers/shown-run.ts";

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
    model: async () => change.model ?? null,
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

  it("INP-01: a month that is typed gets the year that is meant: last November is past, November is to come", async () => {
    expect((await bind("the bill of last November", { month: input("month") })).values).toEqual({ month: "2026-11" });
    expect((await bind("the bill of November", { month: input("month") })).values).toEqual({ month: "2027-11" });
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

describe("values that people write in passing", () => {
  const moved = { date: input("date"), "new-day": input("date") };
  const bindings = [{ goal: "Move my box of Monday 15 June to Thursday 18 June", inputs: { date: "2026-06-15", "new-day": "2026-06-18" } }];
  it("a day that is only spoken of is none where enough are written out", async () =>
    expect((await bind("I am away on Monday, so my box of Monday 21 June should come on Tuesday 22 June", moved, { bindings })).values).toEqual({
      date: "2027-06-21",
      "new-day": "2027-06-22",
    }));
  it("what a value belongs to may stand on either side of it", async () =>
    expect((await bind("Tuesday 22 June is when the Monday 21 June box should come", moved, { bindings })).values).toMatchObject({ date: "2027-06-21" }));
  it("what is quoted is whole, though it holds a number, and its number is no other value", async () => {
    const noted = { note: input("text"), count: input("number") };
    const shown = [{ goal: 'Bring 2 with the note "Ring the bell"', inputs: { note: "Ring the bell", count: "2" } }];
    expect((await bind('Please bring 3, and say "Number 20 will take it"', noted, { bindings: shown })).values).toEqual({
      note: "Number 20 will take it",
      count: "3",
    });
  });
  it("a number inside of a choice is no number of its own", async () => {
    const meters = { meter: { ...input("text"), choices: ["14 Quarry Lane", "2 Mill Cottages"] }, reading: input("number") };
    expect((await bind("The meter at 2 Mill Cottages said 3188", meters)).values).toEqual({ meter: "2 Mill Cottages", reading: "3188" });
  });
  it("a choice of which the goal says no word is not the model's to make", async () => {
    const model = scriptedModel([pick("snacks", "Vegetarian")]);
    const snacks = { snacks: { ...input("text"), choices: ["No special diet", "Vegetarian", "Vegan"] } };
    const { values, missing } = await bind("three places, nobody wants anything", snacks, { model });
    expect([values, missing]).toEqual([{}, ["snacks"]]);
  });
  it("what is denied is no value, and where nothing else is said it is asked for", async () => {
    const claim = { amount: input("amount"), reference: input("id"), day: input("date") };
    const bound = await bind("Claim for KX-3055, not KX-2041, £9 but not £12.50, it was not on 3 March 2027", claim);
    expect([bound.values, bound.missing]).toEqual([{ amount: "9", reference: "KX-3055" }, ["day"]]);
  });
  it("several of one kind for one input are asked about", async () => {
    const goal = "Claim for KX-3055 and KX-3056";
    expect((await bind(goal, { reference: input("id") })).missing).toEqual(["reference"]);
    const plate = { plate: { ...input("text"), examples: ["KX27 ABC"] } };
    const bindings = [{ goal: "A permit for KX27 ABC", inputs: { plate: "KX27 ABC" } }];
    expect((await bind("A permit for LM34 FGH and the KX27 ABC", plate, { bindings })).missing).toEqual(["plate"]);
    expect((await bind("A permit for LM34 FGH, not for KX27 ABC", plate, { bindings })).values).toEqual({ plate: "LM34 FGH" });
  });
  it("equal values of two inputs are told apart in the next goal", async () => {
    const party = generalise("Book for 2 adults and 2 children", [typeIn("Adults", "2"), typeIn("Children", "2")], now);
    expect(Object.keys(party.inputs)).toEqual(["adults", "children"]);
    const bindings = [{ goal: "Book for 2 adults and 2 children", inputs: party.values }];
    expect((await bind("Book for 3 adults and 1 child", party.inputs, { bindings, steps: party.steps })).values).toEqual({ adults: "3", children: "1" });
  });
  it("a day whose year nobody said stays open where it is chosen from a list", async () => {
    const steps: RevisionContent["steps"] = [
      { do: "", call: { tool: "browser_select", args: { target: { role: "combobox", name: "Day" }, option: "{{day|dddd D MMMM}}" } }, onFail: "" },
    ];
    expect((await bind("come on 3 June", { day: input("date") }, { steps })).values).toEqual({ day: "--06-03" });
  });
});

describe("the part a value plays is told by the words around it (INP-03, REC-09)", () => {
  const dates = { old: input("date"), new: input("date") };
  const moved = [{ goal: "Move my appointment from 2 March 2027 to 9 March 2027", inputs: { old: "2027-03-02", new: "2027-03-09" } }];
  it.each([
    ["Put my appointment on 19 May 2027, it was on 12 May 2027", { old: "2027-05-12", new: "2027-05-19" }],
    ["Make it 19 May 2027 instead of 12 May 2027", { old: "2027-05-12", new: "2027-05-19" }],
    ["Instead of 12 May 2027 make it 19 May 2027", { old: "2027-05-12", new: "2027-05-19" }],
    ["New day 19 May 2027, old day 12 May 2027", { old: "2027-05-12", new: "2027-05-19" }],
    ["I want to change 12 May 2027 to 19 May 2027", { old: "2027-05-12", new: "2027-05-19" }],
    ["My appointment: 12 May 2027 – 19 May 2027", { old: "2027-05-12", new: "2027-05-19" }],
    ["Appointments 12 May 2027 and 19 May 2027", {}],
    ["Take 12 May 2027 with 19 May 2027", {}],
  ])("%s", async (goal, wanted) => expect((await bind(goal, dates, { bindings: moved })).values).toEqual(wanted));

  it.each([
    ["I work until 16:00 starting at 8:15", { start: "08:15", end: "16:00" }],
    ["My shift ends at 18:30 and starts at 10:00", { start: "10:00", end: "18:30" }],
    ["Log 10:00-18:30 please", { start: "10:00", end: "18:30" }],
    ["Log between 10:00 and 18:30", { start: "10:00", end: "18:30" }],
    ["Log 10:00, 18:30", {}],
  ])("%s", async (goal, wanted) => {
    const bindings = [{ goal: "Log my hours from 9:00 to 17:00", inputs: { start: "09:00", end: "17:00" } }];
    expect((await bind(goal, { start: input("time"), end: input("time") }, { bindings })).values).toEqual(wanted);
  });

  it.each([
    ["tickets for 4 children and 1 adult", { adults: "1", children: "4" }],
    ["1 adult and 4 children, tickets please", { adults: "1", children: "4" }],
    ["tickets: children 4, adults 1", { adults: "1", children: "4" }],
    ["tickets for 4 and 1", {}],
    ["1 adult with 4 children", { adults: "1", children: "4" }],
    ["4 children under 12 and 1 adult", { adults: "1", children: "4" }],
  ])("%s", async (goal, wanted) => {
    const bindings = [{ goal: "Book tickets for 2 adults and 3 children", inputs: { adults: "2", children: "3" } }];
    expect((await bind(goal, { adults: input("number"), children: input("number") }, { bindings })).values).toEqual(wanted);
  });

  const leave = [{ goal: "Request leave, first day 13 July 2026, last day 17 July 2026", inputs: { "first-day": "2026-07-13", "last-day": "2026-07-17" } }];
  it.each([
    ["leave from 7 September 2026 until and including 9 September 2026", { "first-day": "2026-09-07", "last-day": "2026-09-09" }],
    ["leave that starts 5 October 2026, ends 6 October 2026", { "first-day": "2026-10-05", "last-day": "2026-10-06" }],
    ["leave, back home until 9 October 2026 starting 2 October 2026", { "first-day": "2026-10-02", "last-day": "2026-10-09" }],
  ])("%s", async (goal, wanted) =>
    expect((await bind(goal, { "first-day": input("date"), "last-day": input("date") }, { bindings: leave })).values).toEqual(wanted),
  );

  it.each([
    ["31866 on the day rate and 13020 on the night rate", { "day-rate-reading": "31866", "night-rate-reading": "13020" }],
    ["Night: 20845, day: 48077", { "day-rate-reading": "48077", "night-rate-reading": "20845" }],
  ])("%s", async (goal, wanted) => {
    const bindings = [{ goal: "day rate 48213, night rate 20977", inputs: { "day-rate-reading": "48213", "night-rate-reading": "20977" } }];
    expect((await bind(goal, { "day-rate-reading": input("number"), "night-rate-reading": input("number") }, { bindings })).values).toEqual(wanted);
  });

  it.each([
    ["we need the hall 9:30 am till 4:00 pm", { from: "09:30", until: "16:00" }],
    ["the room, 7:00 pm to 9:00 pm", { from: "19:00", until: "21:00" }],
  ])("%s", async (goal, wanted) => {
    const bindings = [{ goal: "the hall from 2:00 pm until 5:30 pm", inputs: { from: "14:00", until: "17:30" } }];
    expect((await bind(goal, { from: input("time"), until: input("time") }, { bindings })).values).toEqual(wanted);
  });

  it.each([
    ["I need the PDF of number 11 from the year 2025", "11", "2025"],
    ["the 2024 notice no. 9 please", "9", "2024"],
  ])("of several numbers the one that is a year is the one that was: %s", async (goal, number, year) => {
    const inputs = { number: input("number", { examples: ["14"] }), "number-2": input("number", { examples: ["2026"] }) };
    const bindings = [{ goal: "Download notice 14 of 2026", inputs: { number: "14", "number-2": "2026" } }];
    expect((await bind(goal, inputs, { bindings })).values).toEqual({ number, "number-2": year });
  });

  it("a number behind # is the one that was so written", async () => {
    const bindings = [{ goal: "Close ticket #4483 for 2 people", inputs: { number: "4483" } }];
    expect((await bind("so #4460 Printer on floor 2 can be closed", { number: input("number") }, { bindings })).values).toEqual({ number: "4460" });
  });

  it("a house's number and a size that the page offers are not how many", async () => {
    const bindings = [{ goal: "2 mattresses", inputs: { "how-many": "2" } }];
    const inputs = { "how-many": input("number"), pot: input("text", { choices: ["2 litre pot", "9 cm pot"] }) };
    expect((await bind("just 1, from 16 Station Road", inputs, { bindings })).values).toEqual({ "how-many": "1" });
    expect((await bind("get me 1, the 5 litre pot", inputs, { bindings })).values).toMatchObject({ "how-many": "1" });
  });

  it.each([
    [
      'Headline: "Good but dry". Review: "Lovely diagrams, though 3 were lost on me."',
      { headline: "Good but dry", review: "Lovely diagrams, though 3 were lost on me." },
    ],
    ['tell them "The light flickers." and put "Light out" as the headline', { headline: "Light out", review: "The light flickers." }],
    ['"Best of May" and "I read it twice"', { headline: "Best of May", review: "I read it twice" }],
  ])("what is quoted is one value each: %s", async (goal, wanted) => {
    const bindings = [{ goal: 'Post it with the headline "Nice" and the text "Clear steps."', inputs: { headline: "Nice", review: "Clear steps." } }];
    expect((await bind(goal, { headline: input("text"), review: input("text") }, { bindings })).values).toEqual(wanted);
  });

  it("an address that is typed is the one that is not the routine's own", async () => {
    const steps = [{ do: "", call: { tool: "browser_open", args: { url: "https://portal.example" } }, onFail: "" }];
    const wanted = { address: "bad.example" };
    expect((await bind("At https://portal.example block bad.example for Ella", { address: input("site") }, { steps })).values).toEqual(wanted);
    expect((await bind("Block something at https://portal.example", { address: input("site") }, { steps })).missing).toEqual(["address"]);
  });

  it("days that no word tells apart go by their order where it is the example's in the sentence and in time", async () => {
    const bindings = [
      { goal: "Reorder the shopping delivered on 2 May 2026 to come on Saturday 16 May", inputs: { date: "2026-05-02", "delivery-day": "--05-16" } },
    ];
    const inputs = { date: input("date"), "delivery-day": input("date") };
    expect((await bind("Same shop as on 25 April 2026 please, bring it Monday 18 May", inputs, { bindings })).values).toEqual({
      date: "2026-04-25",
      "delivery-day": "2026-05-18",
    });
    expect((await bind("On Monday 18 May the same shop as 25 April 2026 please", inputs, { bindings })).values).toEqual({});
  });

  it("units after a value tell inputs apart whatever they are called", async () => {
    const bindings = [{ goal: "Order 3 jars and 6 lids", inputs: { quantity: "3", "quantity-2": "6" } }];
    expect((await bind("Order 8 lids and 2 jars", { quantity: input("number"), "quantity-2": input("number") }, { bindings })).values).toEqual({
      quantity: "2",
      "quantity-2": "8",
    });
  });

  it("the names of the inputs count where the example's words do not stand", async () => {
    const bindings = [{ goal: "Top up £20 when it is below £5", inputs: { amount: "20", limit: "5" } }];
    expect((await bind("Set the limit to £80 and the top-up to £15", { amount: input("amount"), limit: input("amount") }, { bindings })).values).toEqual({
      amount: "15",
      limit: "80",
    });
  });

  const stops = { from: input("text", { examples: ["Ashford"] }), to: input("text", { examples: ["Brill"] }) };
  const train = [{ goal: "Find trains from Ashford to Brill", inputs: { from: "Ashford", to: "Brill" } }];
  it.each([
    ["Find trains to Ashford from Brill", { from: "Brill", to: "Ashford" }],
    ["Is there a train to Brill from Ashford on Monday?", { from: "Ashford", to: "Brill" }],
    ["I have to get to Carrow from Upper Dunmore", { from: "Upper Dunmore", to: "Carrow" }],
    ["To Brill from Carrow please", { from: "Carrow", to: "Brill" }],
    ["Find trains to Ashford", { to: "Ashford" }],
    ["Leaving Brill for Ashford", {}],
    ["Trains Brill to Ashford", { from: "Brill", to: "Ashford" }],
    ["A train from Stow on the Wold to Brill", { to: "Brill" }],
    ["A train to St. Ives from Ashford", { from: "Ashford" }],
    ["A train to Carrow from Ashford on 3 March", { from: "Ashford", to: "Carrow" }],
  ])("REC-09: %s", async (goal, wanted) => expect((await bind(goal, stops, { bindings: train })).values).toEqual(wanted));

  it("REC-09: choices of two lists with the same entries go by the words before them", async () => {
    const choices = ["Ashford", "Brill", "Carrow"];
    const lists = { from: input("text", { choices, examples: ["Ashford"] }), to: input("text", { choices, examples: ["Brill"] }) };
    expect((await bind("a ticket to Carrow from Brill", lists, { bindings: train })).values).toEqual({ from: "Brill", to: "Carrow" });
    expect((await bind("a ticket to Carrow", lists, { bindings: train })).values).toEqual({ to: "Carrow" });
  });

  it("a choice said once is not taken for two lists that both offer it", async () => {
    const choices = ["Ashford", "Brill"];
    expect((await bind("Leaving Brill", { from: input("text", { choices }), to: input("text", { choices }) }, { bindings: train })).values).toEqual({});
  });

  it("what another input's list offers is no value for an input without a list", async () => {
    const bindings = [{ goal: "Get the April 2026 bill of the Garden Flat", inputs: { home: "Garden Flat", year: "2026", month: "2026-04" } }];
    const properties = { home: input("text", { examples: ["Garden Flat"] }), year: input("text", { choices: ["2025", "2026"] }), month: input("month") };
    expect((await bind("Top Floor, May of 2025, the bill please", properties, { bindings })).values).toEqual({ year: "2025", month: "2025-05" });
  });

  it("a name that only says which link to take is left to the page, which may have more of it", async () => {
    const bindings = [{ goal: "Move Night Ferries to Shelf Two", inputs: { item: "Night Ferries", shelf: "Shelf Two" } }];
    const properties = { item: input("text", { examples: ["Night Ferries"] }), shelf: input("text", { examples: ["Shelf Two"] }) };
    const binding = await bind("I want to move Salt Road to Shelf Nine", properties, { bindings, steps: [clickStep("{{item}}"), typed("shelf")] });
    expect(binding.values).toEqual({ shelf: "Shelf Nine" });
  });

  it("the choice shown is not taken where this goal denies it", async () => {
    const bindings = [{ goal: "Order the Blue mug", inputs: { colour: "Blue" } }];
    const colour = input("text", { choices: ["Blue", "Green"], examples: ["Blue"] });
    expect((await bind("I want the mug, the green one, not the blue", { colour }, { bindings })).values).toEqual({ colour: "Green" });
  });

  it("REC-09: sender and recipient", async () => {
    const bindings = [{ goal: "Label for a parcel, sender Kim Ash, recipient Lee Barr", inputs: { sender: "Kim Ash", recipient: "Lee Barr" } }];
    const people = { sender: input("text", { examples: ["Kim Ash"] }), recipient: input("text", { examples: ["Lee Barr"] }) };
    expect((await bind("A parcel label: recipient Kim Ash, sender Ola Wren", people, { bindings })).values).toEqual({
      sender: "Ola Wren",
      recipient: "Kim Ash",
    });
  });

  it("a shown value in another part is not taken: the input's own word stands before something else", async () => {
    const bindings = [{ goal: "Send a note to Kim", inputs: { person: "Kim" } }];
    expect((await bind("Send a note about Kim to Lee", { person: input("text", { examples: ["Kim"] }) }, { bindings })).missing).toEqual(["person"]);
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
