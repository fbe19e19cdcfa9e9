import { describe, expect, it } from "vitest";
import type { SkillInput, Target, ValueKind } from "#contract/skills/schema.ts";
import type { PageElement } from "#core/ports/index.ts";
import { type Bindings, findOption, findTarget } from "#core/replay/index.ts";
import { button, element, inRows, link, page } from "../../fixtures/makers/page.ts";

type Given = Readonly<Record<string, readonly [kind: ValueKind, value: string, fallback?: string]>>;

const bind = (goal: string, given: Given): Bindings => ({
  goal,
  inputs: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(given).map(([name, [kind, , fallback]]): [string, SkillInput] => [
        name,
        { type: "string", kind, description: name, examples: [], ...(fallback === undefined ? {} : { default: fallback }) },
      ]),
    ),
    required: [],
  },
  values: Object.fromEntries(Object.entries(given).map(([name, [, value]]) => [name, value])),
  named: new Set(Object.keys(given).filter((name) => given[name]?.[2] === undefined)),
});

/** What is found, by its label; or what is said to be missing, with the siblings to leave alone. */
function seen(target: Target, elements: readonly PageElement[], bindings: Bindings): unknown {
  const sight = findTarget(target, page("Page", elements), bindings);
  if (sight.kind === "several") return { several: sight.among.map((one) => one.label) };
  return sight.kind === "found" ? sight.element.label : { missing: sight.wanted, siblings: sight.siblings.map((one) => one.name) };
}

const bills = ["June", "May", "April"].map((month) => button(`Download ${month} 2026 bill`));
const bill: Target = { role: "button", name: "Download {{month|MMMM YYYY}} bill" };

describe("the element a step means", () => {
  it("has the name with the value in it", () =>
    expect(seen(bill, bills, bind("the May bill", { month: ["month", "2026-05"] }))).toBe("button Download May 2026 bill"));

  it("has any year where the goal names none", () =>
    expect(seen(bill, bills, bind("the May bill", { month: ["month", "--05"] }))).toBe("button Download May 2026 bill"));

  it("has the value in another form", () => {
    expect(seen(bill, [button("Download Jun 2026 bill"), button("Download May 2026 bill")], bind("the June bill", { month: ["month", "2026-06"] }))).toBe(
      "button Download Jun 2026 bill",
    );
  });

  it("SHO-09: is never one with another value; those are told as siblings", () => {
    expect(seen(bill, bills, bind("the January bill", { month: ["month", "2026-01"] }))).toEqual({
      missing: "button Download January 2026 bill",
      siblings: ["Download June 2026 bill", "Download May 2026 bill", "Download April 2026 bill"],
    });
  });

  it("is not one that is switched off", () =>
    expect(seen({ role: "button", name: "Send" }, [button("Send", { disabled: true })], bind("send", {}))).toMatchObject({ missing: "button Send" }));

  it("may have a role that is pressed alike, the same role first", () => {
    const both = [link("Bills"), element("tab", "Bills")];
    expect(seen({ role: "tab", name: "Bills" }, both, bind("bills", {}))).toBe("tab Bills");
    expect(seen({ role: "tab", name: "Bills" }, [link("Bills")], bind("bills", {}))).toBe("link Bills");
    expect(seen({ role: "textbox", name: "Bills" }, [link("Bills")], bind("bills", {}))).toMatchObject({ missing: "textbox Bills" });
  });

  it("SHO-05: among equal names is the one in the row of the value", () => {
    const rows = inRows("button", "Renew", [
      ["The Salt Road", "due 3 March"],
      ["Night Ferries", "due 9 March"],
    ]);
    const target: Target = { role: "button", name: "Renew", within: "{{item}}" };
    expect(seen(target, rows, bind("renew Night Ferries", { item: ["text", "Night Ferries"] }))).toBe("button Renew (Night Ferries)");
    expect(seen(target, rows, bind("renew The Long Field", { item: ["text", "The Long Field"] }))).toMatchObject({ siblings: ["Renew", "Renew"] });
  });

  it("among equal names is the row with all of several values", () => {
    const rows = inRows("button", "Delete", [
      ["Office", "8 March 2027"],
      ["Office", "9 March 2027"],
      ["Home", "9 March 2027"],
    ]);
    const goal = "delete my Office entry of 9 March 2027";
    const sight = findTarget(
      { role: "button", name: "Delete", within: "{{day|D MMMM YYYY}}*{{item}}" },
      page("Entries", rows),
      bind(goal, { day: ["date", "2027-03-09"], item: ["text", "Office"] }),
    );
    expect(sight.kind === "found" && sight.element.context).toBe("Office | 9 March 2027");
  });

  it("a row is not needed where the name is alone and no value hangs on it", () => {
    expect(seen({ role: "button", name: "Save", within: "Profile" }, [button("Save")], bind("save", {}))).toBe("button Save");
    expect(seen({ role: "button", name: "Renew", within: "{{item}}" }, [button("Renew")], bind("renew it", { item: ["text", "Night Ferries"] }))).toMatchObject(
      { missing: "button Renew (Night Ferries)" },
    );
  });

  it("is called as the page calls it, where the goal says more or less of it", () => {
    const lamps = ["Oak desk", "Oak desk lamp", "Table lamp"].map((name) => link(name));
    const target: Target = { role: "link", name: "{{item}}" };
    expect(seen(target, lamps, bind("open the oak desk lamp ad", { item: ["text", "oak desk"] }))).toBe("link Oak desk lamp");
    expect(seen(target, [link("Bread for Bakers")], bind("reserve Bread for Bakers at Old Town", { item: ["text", "Bread for Bakers at Old Town"] }))).toBe(
      "link Bread for Bakers",
    );
  });

  it("a word value is not looked for in the navigation", () => {
    expect(
      seen({ role: "link", name: "{{item}}" }, [link("Help", { landmark: "navigation" }), link("Night Ferries")], bind("help me renew Night Ferries", {})),
    ).toBe("link Night Ferries");
  });

  it("is what the goal names of it where the page tells which names there are", () => {
    const rooms = ["Book Room L4 at 10:00", "Book Room L5 at 10:00"].map((name) => button(name));
    const target: Target = { role: "button", name: "Book Room {{number}} at {{time|HH:mm}}" };
    const bindings = bind("7 people: Law Library, Room L5, at 10:00", { time: ["time", "10:00"] });
    const number: SkillInput = { type: "string", kind: "number", description: "", examples: ["1.03"] };
    const inputs = { ...bindings.inputs, properties: { ...bindings.inputs.properties, number } };
    expect(seen(target, rooms, { ...bindings, inputs })).toBe("button Book Room L5 at 10:00");
  });

  it("may say the goal's words with other small words between, when nothing is known of it", () => {
    const talks = ["Evening talk: shipwrecks", "Pottery for beginners"].map((name) => link(name));
    expect(seen({ role: "link", name: "{{item}}" }, talks, bind("cancel the evening talk on shipwrecks", {}))).toBe("link Evening talk: shipwrecks");
    const letters = ["Cardiology clinic letter", "Physiotherapy appointment letter"].map((name) => link(name));
    expect(seen({ role: "link", name: "{{item}}" }, letters, bind("an appointment letter from Physiotherapy", {}))).toBe(
      "link Physiotherapy appointment letter",
    );
  });

  it("is the one whose every word of its own the goal says, where a part of the name is not known", () => {
    const stays = ["View stay at York, 12 March 2026", "View stay at Bath, 9 January 2026"].map((name) => link(name));
    const target: Target = { role: "link", name: "View {{item}}, {{date|D MMMM YYYY}}" };
    expect(seen(target, stays, bind("the bill of Bath, 9 January 2026", { date: ["date", "2026-01-09"] }))).toBe("link View stay at Bath, 9 January 2026");
    expect(seen(target, stays, bind("the bill of Bath, 8 January 2026", { date: ["date", "2026-01-08"] }))).toMatchObject({
      siblings: stays.map(({ name }) => name),
    });
  });

  it("is known by the page's own words from here on", () => {
    const target: Target = { role: "link", name: "{{item}} {{number}}" };
    const bindings = bind("the Christmas Concert 2026", { item: ["text", "Christmas Concert 2026"], number: ["number", "2026"] });
    expect(findTarget(target, page("Page", [link("Christmas Concert 2026"), link("Spring Concert 2027")]), bindings)).toMatchObject({
      kind: "found",
      values: { item: "Christmas Concert", number: "2026" },
    });
  });

  it("is the other of two where the goal says that one in full and nothing of what was shown", () => {
    const passes = ["Buy City monthly pass", "Buy Whole Network weekly pass"].map((name) => link(name));
    const bindings = bind("a Whole Network weekly pass", { item: ["text", "City monthly", "City monthly"] });
    expect(findTarget({ role: "link", name: "Buy {{item}} pass" }, page("Page", passes), bindings)).toMatchObject({
      element: passes[1],
      values: { item: "Whole Network weekly" },
    });
  });

  it("a radio button is meant instead of its group's others only", () => {
    const radio = (name: string, group: string) => element("radio", name, { group });
    const radios = [radio("Isla", "who"), radio("Ruth", "who"), radio("Eye test", "what"), radio("Lens check", "what")];
    const bindings = bind("a lens check for Ruth", {});
    expect(seen({ role: "radio", name: "Isla" }, radios, bindings)).toBe("radio Ruth");
    expect(seen({ role: "radio", name: "Eye test" }, radios, bindings)).toBe("radio Lens check");
  });

  it("has the value in it, where what stood around it then stands nowhere here", () => {
    const target: Target = { role: "link", name: "Change seminar for {{item}}" };
    const links = [link("Statistics: change group"), link("Help")];
    expect(seen(target, links, bind("another group for Statistics", { item: ["text", "Statistics"] }))).toBe("link Statistics: change group");
    expect(seen(target, [...links, link("Change seminar for History")], bind("another group for Statistics", { item: ["text", "Statistics"] }))).toMatchObject({
      siblings: ["Change seminar for History"],
    });
  });

  it("is not what another step of the routine presses, however much the goal says of that", () => {
    const links = [link("Visitor parking"), link("Book a visitor bay")];
    const bindings = bind("parking for a visitor", { item: ["text", "Book a visitor bay", "Book a visitor bay"] });
    const target: Target = { role: "link", name: "{{item}}" };
    expect(findTarget(target, page("Page", links), bindings, new Set(["visitor parking"]))).toMatchObject({ kind: "found", element: links[1] });
    expect(findTarget(target, page("Page", links), bindings)).not.toMatchObject({ element: links[1] });
  });

  it("SHO-10: what rests on a default gives way to the only element the goal names", () => {
    const services = ["Parking", "Bins", "Council tax"].map((name) => link(name));
    const target: Target = { role: "link", name: "{{item}}" };
    const given: Given = { item: ["text", "Parking", "Parking"] };
    expect(seen(target, services, bind("a permit please", given))).toBe("link Parking");
    expect(seen(target, services, bind("when are the bins emptied", given))).toBe("link Bins");
  });

  it("is not there while a value is missing", () =>
    expect(seen(bill, bills, bind("my bill", {}))).toMatchObject({ missing: "button Download … bill", siblings: bills.map(({ name }) => name) }));
});

describe("the option a value means", () => {
  const bins = ["Household waste (black bin)", "Garden waste (brown bin)", "Recycling (blue bin)"];
  it.each([
    ["Garden waste (brown bin)", "Garden waste (brown bin)"],
    ["garden waste", "Garden waste (brown bin)"],
    ["recycling", "Recycling (blue bin)"],
    ["the brown bins", "Garden waste (brown bin)"],
    ["* (blue bin)", "Recycling (blue bin)"],
  ])("%s", (wanted, option) => expect(findOption(bins, wanted)).toBe(option));
  it.each(["waste", "bin", "paper"])("%s is none: several fit or none does", (wanted) => expect(findOption(bins, wanted)).toBeUndefined());
});

describe("SHO-09: only what is meant, and nothing where several could be", () => {
  const rowOf = (name: string, ...cells: string[]): PageElement => button(name, { within: cells[0] ?? "", context: [...cells, name].join(" | ") });
  const inRow: Target = { role: "button", name: "Cancel", within: "{{item}}" };
  it.each([
    ["Order 12", "Order 112"],
    ["AB1", "AB12"],
    ["Ann", "Anna Berg"],
    ["art", "Party hats"],
    ["£5", "£15.00"],
    ["£5", "£5.50"],
    ["9:00", "19:00"],
    ["1 pm", "11 pm"],
  ])("%s is not in the row of %s", (value, other) => {
    const [first, second] = [rowOf("Cancel", other), rowOf("Cancel", "Something else")];
    expect(seen(inRow, [first, second], bind(`Cancel ${value}`, { item: ["text", value] }))).toMatchObject({ siblings: ["Cancel", "Cancel"] });
  });
  it.each([
    ["1 May 2026", "2026-05-01", "21 May 2026", "1 May 2026"],
    ["3 June 2026", "2026-06-03", "13 June 2026", "3 Jun 2026"],
  ])("the row of %s is found, in the form it has there", (goal, canonical, other, own) => {
    const rows = [rowOf("Cancel", `Call-out on ${other}`), rowOf("Cancel", `Call-out on ${own}`)];
    const target: Target = { role: "button", name: "Cancel", within: "{{day|D MMMM YYYY}}" };
    expect(seen(target, rows, bind(`Cancel the call-out of ${goal}`, { day: ["date", canonical] }))).toBe(rows[1]?.label);
  });
  it.each([
    ["Return the kettle", "kettle", ["Red kettle", "Blue kettle"]],
    ["Open the message of Ann", "Ann", ["Message from Ann", "Message to Ann"]],
    ["Show my Oak desk", "Oak desk", ["Oak desk lamp", "Oak desk drawer"]],
  ])("%s is asked, where several fit", (goal, value, names) => {
    const links = names.map((name) => link(name));
    expect(seen({ role: "link", name: "{{item}}" }, links, bind(goal, { item: ["text", value] }))).toEqual({ several: links.map((one) => one.label) });
  });
  it("two rows of one value are asked for as well", () => {
    const rows = [rowOf("Remove", "Office", "3 March"), rowOf("Remove", "Office", "4 March")];
    const target: Target = { role: "button", name: "Remove", within: "{{item}}" };
    expect(seen(target, rows, bind("Remove my Office entry", { item: ["text", "Office"] }))).toEqual({ several: rows.map((one) => one.label) });
    expect(seen(target, rows, bind("Remove my Office entry of 4 March", { item: ["text", "Office"] }))).toBe(rows[1]?.label);
  });
  it("what the goal says besides decides, and so do figures beside the name", () => {
    const kettles = ["Red kettle", "Blue kettle"].map((name) => link(name));
    expect(seen({ role: "link", name: "{{item}}" }, kettles, bind("Return the blue kettle", { item: ["text", "kettle"] }))).toBe("link Blue kettle");
    const ads = ["Oak desk lamp £20", "Oak desk £95"].map((name) => link(name));
    expect(seen({ role: "link", name: "{{item}}" }, ads, bind("Show my Oak desk", { item: ["text", "Oak desk"] }))).toBe("link Oak desk £95");
  });
  it("a name inside a longer one of the goal is another thing, and so are words that only look alike when joined", () => {
    expect(seen({ role: "link", name: "{{item}}" }, [link("War")], bind("Renew War and Peace", { item: ["text", "War and Peace"] }))).toMatchObject({
      missing: "link War and Peace",
    });
    expect(seen({ role: "link", name: "{{item}}" }, [link("Notable offers")], bind("Reserve no table", { item: ["text", "no table"] }))).toMatchObject({
      missing: "link no table",
    });
    expect(seen({ role: "link", name: "{{item}}" }, [link("Permit KX27ABC")], bind("Show KX27 ABC", { item: ["text", "KX27 ABC"] }))).toBe(
      "link Permit KX27ABC",
    );
  });
  it("the same link twice in one card is one", () => {
    const twice = [1, 2].map(() => link("Blue kettle, 2 litres", { context: "Blue kettle, 2 litres £30" }));
    expect(seen({ role: "link", name: "{{item}}" }, twice, bind("Return the kettle", { item: ["text", "kettle"] }))).toBe(twice[0]?.label);
  });
  it("SHO-10: a default the goal speaks of as well is kept", () => {
    const target: Target = { role: "link", name: "{{service}}" };
    const links = ["Parking permits", "Council tax"].map((name) => link(name));
    expect(seen(target, links, bind("Get a parking permit, I paid the council tax", { service: ["text", "Parking permits", "Parking permits"] }))).toBe(
      "link Parking permits",
    );
  });
});
