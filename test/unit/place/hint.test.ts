import { describe, expect, it } from "vitest";
import type { PageView } from "#core/ports/index.ts";
import { type HintPlace, hintStart, nextByHint } from "#core/turn/hint.ts";
import { wrongSiblings } from "#core/turn/wrong-siblings.ts";
import { button, field, link, list, page } from "../../fixtures/makers/page.ts";

const now = new Date(2027, 0, 10, 12);
const next = (hint: string, goal: string, view: PageView, place: HintPlace = hintStart) => nextByHint(hint, goal, place, view, now);

describe("a person's advice", () => {
  const advice = "Go to Services, then Home and street, then press Report a problem";

  it("names are taken in the order it says them, not that of the page", () => {
    const view = page("Start", [link("Report a problem"), link("Home and street"), link("Services")]);
    const first = next(advice, "report a lamp", view);
    expect(first?.element.name).toBe("Services");
    const second = next(advice, "report a lamp", view, { offset: first?.offset ?? 0, filled: [] });
    expect(second?.element.name).toBe("Home and street");
    expect(next(advice, "report a lamp", view, { offset: second?.offset ?? 0, filled: [] })?.element.name).toBe("Report a problem");
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
    expect(next(hint, "a lamp", view, { offset: first?.offset ?? 0, filled: ["textbox Name"] })?.element.name).toBe("Street");
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
    expect(next("Fill in the name, then submit it", "a lamp", view, { offset: 17, filled: ["textbox Name"] })?.element.name).toBe("Send report");
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
