import { describe, expect, it } from "vitest";
import type { PageView } from "#core/ports/index.ts";
import { type HintPlace, hintStart, isHintDone, nextByHint } from "#core/turn/hint.ts";
import { clausesOf } from "#core/turn/hint-clauses.ts";
import { wrongSiblings } from "#core/turn/wrong-siblings.ts";
import { button, element, field, inRows, link, list, page } from "../../fixtures/makers/page.ts";

const now = new Date(2027, 0, 10, 12);
const next = (hint: string, goal: string, view: PageView, place: HintPlace = hintStart) => nextByHint(hint, goal, place, view, now);

describe("a person's advice", () => {
  const advice = "Go to Services, then Home and street, then press Report a problem";

  it("names are taken in the order it says them, not that of the page", () => {
    const view = page("Start", [link("Report a problem"), link("Home and street"), link("Services")]);
    const first = next(advice, "report a lamp", view);
    expect(first?.element.name).toBe("Services");
    const second = next(advice, "report a lamp", view, first?.next);
    expect(second?.element.name).toBe("Home and street");
    expect(next(advice, "report a lamp", view, second?.next)?.element.name).toBe("Report a problem");
  });

  it("a name that is on no page is passed over", () =>
    expect(next(advice, "report a lamp", page("Start", [link("Home and street"), link("News")]))?.element.name).toBe("Home and street"));

  it("what it does not name is not taken", () =>
    expect(next("Go to Services", "report a lamp", page("Start", [link("News"), link("Contact")]))).toBeUndefined());

  it("a field is filled once", () => {
    const view = page("Form", [field("Name"), field("Street")]);
    const hint = "Fill in the name and the street";
    const first = next(hint, "a lamp", view);
    expect(first?.element.name).toBe("Name");
    expect(next(hint, "a lamp", view, first?.next)?.element.name).toBe("Street");
  });

  it("the month of the advice is not taken for the month of the goal", () => {
    const view = page(
      "Bills",
      ["March", "June"].map((month) => button(`Download ${month} bill`)),
    );
    expect(next("Open Bills and download the bill of the month", "Download the June bill", view)?.element.name).toBe("Download June bill");
  });

  it("a month that neither says is never taken; it is looked for further on", () => {
    const view = page("Bills", [button("Download March bill"), button("Download April bill"), link("Older")]);
    expect(next("Open Bills, press Older until the month is there, download its bill", "Download the June bill", view)?.element.name).toBe("Older");
  });

  it("a value of the goal counts in any form", () => {
    const view = page("Days", [button("Book 2027-02-13"), button("Book 2027-02-14")]);
    expect(next("Press book at the day", "Book the hall on 14 Feb 2027", view)?.element.name).toBe("Book 2027-02-14");
  });

  it("of equal names the one in the row of the goal's value is meant", () => {
    const rows = ["The Salt Road", "Night Ferries"].map((title) => button("Renew", { within: title }));
    expect(next("Open your loans and renew it there", "Renew Night Ferries", page("Loans", rows))?.element.label).toBe("button Renew (Night Ferries)");
  });

  it("once the fields are filled, the only button that sends the form is pressed", () => {
    const view = page("Form", [field("Name"), button("Send report")]);
    expect(next("Fill in the name, then submit it", "a lamp", view, { ...hintStart, used: ["name"], filled: ["textbox Name"] })?.element.name).toBe(
      "Send report",
    );
  });

  it("never what is switched off or secret", () => {
    expect(
      next("Type the password and press Send", "sign in", page("Form", [field("Password", { secret: true }), button("Send", { disabled: true })])),
    ).toBeUndefined();
  });
});

describe("elements with another value than the goal's", () => {
  const bills = (...months: string[]): PageView =>
    page("Bills", [link("Home"), ...months.map((month) => button(`Download ${month} bill`)), list("Year", ["2026"])]);
  const wrong = (view: PageView, goal: string): string[] => [...wrongSiblings(view, goal, now)].map((one) => one.name);

  it("are those of another month", () =>
    expect(wrong(bills("January", "June", "May"), "Download the June bill")).toEqual(["Download January bill", "Download May bill"]));
  it("are those of another year, where both say one", () =>
    expect(wrong(bills("June 2025", "June 2026", "May 2026"), "Download the June 2026 bill")).toEqual(["Download June 2025 bill", "Download May 2026 bill"]));
  it("are none where the goal names no value", () => expect(wrong(bills("January", "June"), "Download my bill")).toEqual([]));
  it("are none where only one element holds a value", () => expect(wrong(bills("January"), "Download the June bill")).toEqual([]));
  it("are not those with two values", () => expect(wrong(bills("January to March", "April to June"), "Download the June bill")).toEqual([]));
  it("are those with another reference", () =>
    expect(
      wrong(
        page(
          "Orders",
          ["KX-2041", "KX-2042", "KX-2043"].map((id) => link(`Order ${id}`)),
        ),
        "Return order KX-2042",
      ),
    ).toEqual(["Order KX-2041", "Order KX-2043"]));
});

describe("faults found in following advice", () => {
  it('the month May is never taken for another ("may" counts as a word without meaning, so "Download May bill" is named by "download its bill")', () => {
    const view = page("Bills", [button("Download May bill"), link("Older")]);
    expect(next("Download the bill of the month, or press Older until it is there", "Download the June bill", view)?.element.name).toBe("Older");
  });
  it("a name that the advice writes exactly is still told apart by its row (the exact hit is taken before rows are compared)", () => {
    const rows = ["The Salt Road", "Night Ferries"].map((title) => button("Renew", { within: title }));
    expect(next("Open your loans and press Renew", "Renew Night Ferries", page("Loans", rows))?.element.label).toBe("button Renew (Night Ferries)");
  });
  it("a year joined to its month counts", () => {
    const view = page(
      "Statements",
      ["May-2025", "May-2026", "June-2026"].map((name) => button(`Download ${name}`)),
    );
    expect([...wrongSiblings(view, "Download the May 2026 statement", now)].map((one) => one.name)).toEqual(["Download May-2025", "Download June-2026"]);
  });
});

describe("instructions one by one", () => {
  /** Follows the advice over pages, each given once the one before was left by a press. */
  function followed(hint: string, goal: string, pages: readonly PageView[]): string[] {
    const did: string[] = [];
    let place = hintStart;
    for (const view of pages) {
      for (let count = 0; count < 12; count++) {
        const match = next(hint, goal, view, place);
        if (!match) break;
        did.push(match.element.label);
        place = match.next;
        if (match.element.action === "click" && match.element.role !== "radio" && match.element.role !== "checkbox") break;
      }
    }
    return did;
  }

  it('names with "and" in them are one', () => {
    const pages = [page("Start", [link("Streets"), link("Parking and streets")]), page("Parking and streets", [link("Streets"), link("Permits")])];
    expect(followed("Go to Parking and streets, then Permits", "a permit", pages)).toEqual(["link Parking and streets", "link Permits"]);
  });

  it("a name within the name of a field is no mention of the button called so", () => {
    const pages = [
      page("Start", [button("Search"), field("Search the catalogue"), link("Catalogue")]),
      page("Results", [link("Night Ferries"), button("Search")]),
    ];
    expect(followed("Type the title into Search the catalogue, press Search, open the book", "Reserve Night Ferries", pages)).toEqual([
      "textbox Search the catalogue",
      "button Search",
      "link Night Ferries",
    ]);
  });

  it("what is to be pressed until something is there is pressed only until then, and never twice on the same page", () => {
    const hint = "Open Bills, then download it; press Older until the month is listed.";
    const view = (...names: string[]): PageView => page("Bills", [...names.map((name) => button(name)), link("Newer"), link("Older")], { lines: names });
    expect(followed(hint, "Download the March bill", [page("Start", [link("Bills")]), view("Download May bill"), view("Download March bill")])).toEqual([
      "link Bills",
      "link Older",
      "button Download March bill",
    ]);
    expect(followed(hint, "Download the March bill", [page("Start", [link("Bills")]), view("Download May bill"), view("Download May bill")])).toEqual([
      "link Bills",
      "link Older",
    ]);
  });

  it("choices that the goal names are made before the form is sent", () => {
    const radios = ["New", "Good", "Worn"].map((name) => element("radio", name));
    const form = page("Post an ad", [field("Title"), list("Category", ["Books", "Toys"]), ...radios, button("Preview")]);
    expect(followed("Fill in the Title, choose the condition and press Preview", "Post my scooter under Toys, it is Worn", [form])).toEqual([
      "textbox Title",
      "radio Worn",
      "combobox Category",
      "button Preview",
    ]);
  });

  it("the row is the one of the goal's day and name, not of the day alone", () => {
    const rows = inRows("button", "Delete", [
      ["26 February 2027", "Office", "1.5"],
      ["26 February 2027", "Bridge inspection", "6"],
    ]);
    const hint = "Press Delete in the row with the day and the project (press Earlier if it is not on the page), then Delete entry.";
    const goal = "The Bridge inspection on 26 Feb 2027 is wrong, take it off";
    expect(next(hint, goal, page("Entries", rows))?.element.context).toBe("26 February 2027 | Bridge inspection | 6");
    expect(next(hint, goal, page("Entries", [...rows.slice(0, 1), ...rows.slice(0, 1), link("Earlier")]))?.element.name).toBe("Earlier");
  });

  it("opening what the goal names does not count as pressing what the advice names", () => {
    const pages = [page("My ads", [link("Child's bicycle"), link("Oak desk")]), page("Child's bicycle", [link("Edit")])];
    expect(followed("Press Edit in the row of the ad", "My Child's bicycle should cost 55", pages)).toEqual(["link Child's bicycle", "link Edit"]);
  });

  it.each([
    ["Open Bills and tell me the total", ["Bills"], true],
    ["Open Bills, press Total", ["Bills"], false],
    ["It is under Bills", ["Bills"], false],
    ["Open Bills, open it and tell me the total", ["Bills", "Water bill"], true],
    ["Press Renew", ["Renew button"], false],
    ["Go to Loans, press Renew, then Confirm renewal", ["Loans", "Renew button"], false],
    ["Go to Loans, press Renew, then Confirm renewal", ["Loans", "Renew button", "Confirm renewal button"], true],
  ])("%s: after %j only telling is left: %s", (hint, names, isDone) => {
    let place = hintStart;
    for (const name of names) {
      const there = name.endsWith(" button") ? button(name.slice(0, -7)) : link(name);
      place = next(hint, "What do I owe on the water bill?", page(`Before ${name}`, [there]), place)?.next ?? place;
    }
    expect(isHintDone(hint, place, page("After"))).toBe(isDone);
  });
});

describe("advice in clauses", () => {
  it.each([
    ["Go to A, then B; press C and then D.", ["Go to A", "B", "press C", "D"]],
    ["Open Parking and streets and press Apply", ["Open Parking and streets", "press Apply"]],
    ["Press Edit in the row (press Next if it is not there), fill in Price", ["Press Edit in the row", "press Next if it is not there", "fill in Price"]],
    ["", []],
    [" ,;. ", []],
  ])("%j", (hint, texts) => expect(clausesOf(hint).map(({ text }) => text)).toEqual(texts));
  it("says which are for need only, and which ask for words", () => {
    expect(clausesOf("Open Bills, press Older until it is listed and tell me the day").map(({ isConditional, tells }) => [isConditional, tells])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });
});

it("a form that is still there after it was sent was not taken: the advice is not done", () => {
  const form = page("Add entry", [field("Date"), button("Save entry")]);
  const hint = "Fill in the Date and press Save entry";
  const filled = next(hint, "12 March", form)?.next;
  const sent = next(hint, "12 March", form, filled)?.next ?? hintStart;
  expect([isHintDone(hint, sent, form), isHintDone(hint, sent, page("My entries"))]).toEqual([false, true]);
});
