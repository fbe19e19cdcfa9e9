import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalDate, findValues, formsOf, plainNumber, quotedIn, renderValue, sitesIn, toTemplate, withoutUrls } from "#core/skills/values/index.ts";

/** A Sunday. */
const now = new Date(2027, 0, 10, 12);
const found = (goal: string): string[] => findValues(goal, now).map((value) => `${value.kind} ${value.canonical}`);

describe("values in a goal", () => {
  it.each([
    ["on 14 Feb 2027", ["date 2027-02-14"]],
    ["on 14th of February 2027", ["date 2027-02-14"]],
    ["on February 14, 2027", ["date 2027-02-14"]],
    ["on 2027-02-14", ["date 2027-02-14"]],
    ["on 14 Feb", ["date --02-14"]],
    ["tomorrow", ["date 2027-01-11"]],
    ["yesterday", ["date 2027-01-09"]],
    ["next Friday", ["date 2027-01-15"]],
    ["in 3 days", ["date 2027-01-13"]],
  ])("a day: %s", (goal, wanted) => expect(found(goal)).toEqual(wanted));

  it.each([
    ["12.01.2027", "date 2027-01-12"],
    ["3/4/2027", "date 2027-04-03"],
    ["03/04/2027", "date 2027-04-03"],
    ["3/4", "date --04-03"],
  ])("INP-01: %s is read day first", (goal, wanted) => expect(found(goal)).toEqual([wanted]));

  it.each([
    ["on Saturday 8 May 2027 at https://ferry.example: 2 adults", ["date 2027-05-08", "number 2"]],
    ["for a Monday afternoon instead", ["date 2027-01-11"]],
    ["tomorrow morning", ["date 2027-01-11"]],
    ["amlodipine 5mg tablets and 250ml of oil, 10GB of data", []],
    ["bay 5C and order 5KX", ["id 5C", "id 5KX"]],
    ["there's one called Munstead Wood", []],
    ["the map DD/HAL 6/20 and S 208/1 on 11 June 2026", ["id DD/HAL 6/20", "id S 208/1", "date 2026-06-11"]],
    ["an extra morning on Friday 26 June 2026", ["date 2026-06-26"]],
    ["on 13 June 2026 from 2:00 pm until 5:30 pm. A party", ["date 2026-06-13", "time 14:00", "time 17:30"]],
  ])("%s", (goal, wanted) => expect(found(goal)).toEqual(wanted));

  it("a weekday stands without its part of the day, which a page may offer by itself", () =>
    expect(findValues("preferred day Thursday, Morning", now).map(({ text }) => text)).toEqual(["Thursday"]));

  it.each([
    ["amount", "7.5", "7.50"],
    ["amount", "15", "15"],
    ["number", "7.5", "7.5"],
    ["number", "G.02", "G.02"],
  ] as const)("%s %s is written %s", (kind, canonical, written) => expect(renderValue(canonical, kind)).toBe(written));

  it("addresses are found with and without a scheme; file names of sentences are none of them", () => {
    expect(sitesIn("Block https://bad.example/a, chatterbox.example and www.spam.example. At https://portal.example.")).toEqual([
      "https://bad.example/a",
      "chatterbox.example",
      "www.spam.example",
      "https://portal.example",
    ]);
    expect(sitesIn("write to kim@mail.example")).toEqual([]);
  });

  it("a day above twelve in the second place is a day all the same", () => expect(found("02/14/2027")).toEqual(["date 2027-02-14"]));

  it("a time after a day is a value of its own", () => expect(found("Book 2 June 2027 at 10:00")).toEqual(["date 2027-06-02", "time 10:00"]));

  it("a weekday alone is the next one, not the one that was yesterday", () => expect(found("Book the hall for Saturday")).toEqual(["date 2027-01-16"]));

  it("a range gives both days, and the month that stands once is that of both", () =>
    expect(found("from 3 to 5 March")).toEqual(["date --03-03", "date --03-05"]));

  it.each([
    ["the April 2026 bill", ["month 2026-04"]],
    ["the bill of April, 2026", ["month 2026-04"]],
    ["the bill for 2026-04", ["month 2026-04"]],
    ["the bill for 04/2026", ["month 2026-04"]],
    ["last October", ["month --10"]],
    ["the Sept bill", ["month --09"]],
    ["may I see the May bill", ["month --05"]],
    ["it may be late", []],
  ])("a month: %s", (goal, wanted) => expect(found(goal)).toEqual(wanted));

  it.each([
    ["at 17:30", "time 17:30"],
    ["at 5 pm", "time 17:00"],
    ["at 9.30am", "time 09:30"],
    ["at 12am", "time 00:00"],
    ["at 12 pm", "time 12:00"],
  ])("a time of day: %s", (goal, wanted) => expect(found(goal)).toEqual([wanted]));

  it("how long is not when", () => expect(found("for 3 days")).toEqual(["number 3"]));

  it.each([
    ["£1,234.50", ["amount 1234.5"]],
    ["for $12", ["amount 12"]],
    ["12 hours", ["number 12"]],
    ["1,200 units", ["number 1200"]],
  ])("a number or an amount: %s", (goal, wanted) => expect(found(goal)).toEqual(wanted));

  it.each([
    ["order KX-2041", ["id KX-2041"]],
    ["order kx-2041", ["id KX-2041"]],
    ["claim INV/204", ["id INV/204"]],
    ["the 3rd one", []],
  ])("a reference: %s", (goal, wanted) => expect(found(goal)).toEqual(wanted));

  it("quotes make a text a value, an apostrophe does not", () => {
    expect(found("reserve the 'Quiet carriage'")).toEqual(["text Quiet carriage"]);
    expect(found("Kim's bike and Sam's car")).toEqual([]);
  });

  it("what stands in an address is no value of the goal", () => expect(found("see https://portal.example/bills/2027-02-14?id=KX-2041")).toEqual([]));

  it("values come in the order they stand, none over another", () => {
    const goal = "Move 2 parcels KX-2041 from 3 March 2027 to 5 March 2027 for £12";
    const values = findValues(goal, now);
    expect(values.map((value) => value.text)).toEqual(["2", "KX-2041", "3 March 2027", "5 March 2027", "£12"]);
    for (const value of values) expect(goal.slice(value.start, value.end)).toBe(value.text);
  });

  it("any text at all: offsets point at what was found, and nothing overlaps", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (goal) => {
        let end = 0;
        for (const value of findValues(goal, now)) {
          expect(goal.slice(value.start, value.end)).toBe(value.text);
          expect(value.start).toBeGreaterThanOrEqual(end);
          end = value.end;
        }
      }),
      { numRuns: 150 },
    );
  });

  it("a number is read without its signs", () => {
    expect(["£1,234.50", "0.50", "1,000", "none"].map(plainNumber)).toEqual(["1234.5", "0.5", "1000", ""]);
  });
});

const day = fc
  .date({ min: new Date(Date.UTC(2001, 0, 1)), max: new Date(Date.UTC(2039, 11, 31)), noInvalidDate: true })
  .map((date) => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }));

/** Month first is a form of pages, never read so in a goal; eight digits are a number there; two have a month only. */
const notReadAsDays = /^(?:lower:)?(?:MM\/DD\/YYYY|YYYYMMDD|MMMM YYYY|YYYY-MM)$/u;
const dayForms = formsOf("date").filter((form) => /YY/u.test(form) && !form.startsWith("lower:") && !notReadAsDays.test(form));
const readMonths = formsOf("month").filter((form) => /^(?:lower:)?(?:MMMM, YYYY|MMMM YYYY|MMM YYYY|YYYY-MM|MM\/YYYY)$/u.test(form));

describe("writing a value and reading it again", () => {
  it.each(dayForms)("every day in the form %s", (form) => {
    fc.assert(
      fc.property(day, (value) => {
        const canonical = canonicalDate(value);
        const written = renderValue(canonical, "date", form) ?? "";
        expect(found(written)).toEqual([`date ${canonical}`]);
        expect(found(`Book a slot for ${written.toLowerCase()} please`)).toEqual([`date ${canonical}`]);
      }),
      { numRuns: 6 },
    );
  });

  it.each(readMonths)("every month in the form %s", (form) => {
    fc.assert(
      fc.property(day, ({ year, month }) => {
        const canonical = canonicalDate({ year, month, day: null });
        expect(found(`Download the ${renderValue(canonical, "month", form) ?? ""} bill`)).toEqual([`month ${canonical}`]);
      }),
      { numRuns: 6 },
    );
  });

  it("every time of day in every form", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.constantFrom(...formsOf("time")), (hour, minute, form) => {
        const canonical = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
        expect(found(`at ${renderValue(canonical, "time", form) ?? ""}`)).toEqual([`time ${canonical}`]);
      }),
    );
  });

  it("what a value left in a text is found there in any form, and written back to the same text", () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...formsOf("date")), (value, form) => {
        const canonical = canonicalDate(value);
        const written = renderValue(canonical, "date", form) ?? "";
        const template = toTemplate(`Slot of ${written}, room`, [{ name: "day", kind: "date", canonical }]);
        const mark = /\{\{day(?:\|([^}]+))?\}\}/u.exec(template);
        expect(mark).not.toBeNull();
        expect(template.replace(mark?.[0] ?? "", () => renderValue(canonical, "date", mark?.[1]) ?? "")).toBe(`Slot of ${written}, room`);
      }),
      { numRuns: 20 },
    );
  });
});

describe("writing values", () => {
  it.each([
    ["2027-02-14", "date", undefined, "14 February 2027"],
    ["2027-02-14", "date", "dddd D MMMM", "Sunday 14 February"],
    ["--02-14", "date", "D MMM YYYY", "14 Feb *"],
    ["2026-04", "month", undefined, "April 2026"],
    ["2026-04", "month", "lower:MMMM-YYYY", "april-2026"],
    ["--04", "month", "MMMM", "April"],
    ["2026-04", "month", "D MMMM", undefined],
    ["17:05", "time", "h:mm a", "5:05 pm"],
    ["1234.5", "amount", "0,0.00", "1,234.50"],
    ["The Salt Road", "text", "slug", "the-salt-road"],
    ["KX27 ABC", "text", "compact-lower", "kx27abc"],
    ["not a day", "date", undefined, undefined],
  ] as const)("%s as %s in the form %s is %s", (canonical, kind, form, wanted) => expect(renderValue(canonical, kind, form)).toBe(wanted));

  it("the longest trace of a value is taken: a day is not taken apart into its month", () => {
    expect(
      toTemplate("Report of 14 Feb 2027", [
        { name: "month", kind: "month", canonical: "2027-02" },
        { name: "day", kind: "date", canonical: "2027-02-14" },
      ]),
    ).toBe("Report of {{day|D MMM YYYY}}");
  });

  it("one or two characters are taken only as the whole text", () => {
    const page: Parameters<typeof toTemplate>[1] = [{ name: "count", kind: "number", canonical: "2" }];
    expect([toTemplate("2", page), toTemplate("Page 2 of 5", page)]).toEqual(["{{count}}", "Page 2 of 5"]);
  });
});

describe("faults found in values", () => {
  it("an e-mail address of a goal is a value (its host is blanked as an address before it is looked for)", () =>
    expect(found("write to kim@mail.example")).toEqual(["email kim@mail.example"]));
  it("an e-mail address with a dot before the @ is a value", () =>
    expect(found("write to kim.lee@mail.example today")).toContain("email kim.lee@mail.example"));
  it("a day that is none is no date", () => expect(found("code 2027-13-45").filter((value) => value.startsWith("date"))).toEqual([]));
  it("the 31st of February is no date", () => expect(found("on 31.02.2027").filter((value) => value.startsWith("date"))).toEqual([]));
  it("a year joined to its month by a hyphen is kept", () => expect(found("the May-2026 statement")).toEqual(["month 2026-05"]));
  it("a year before its month is kept", () => expect(found("the 2026 May statement")).toEqual(["month 2026-05"]));
});

describe("relative days come out right or not at all (INP-01)", () => {
  it.each([
    ["what I did last Tuesday", ["date 2027-01-05"]],
    ["the report of the previous Thursday", ["date 2027-01-07"]],
    ["a week from tomorrow", ["date 2027-01-18"]],
    ["two weeks from Monday", ["date 2027-01-25"]],
    ["come on Wednesday week", ["date 2027-01-20"]],
    ["the day after tomorrow", ["date 2027-01-12"]],
    ["the day before yesterday", ["date 2027-01-08"]],
    ["the bill for last month", ["month 2026-12"]],
    ["next month's rota", ["month 2027-02"]],
    ["on the 3rd of next month", ["date 2027-02-03"]],
    ["June next year", ["month 2028-06"]],
    ["last year's August statement", ["month 2026-08"]],
    ["from Saturday to Tuesday", ["date 2027-01-16", "date 2027-01-19"]],
    ["from Friday to Sunday", ["date 2027-01-15", "date 2027-01-17"]],
    ["for 2 days from Monday", ["number 2", "date 2027-01-11"]],
    ["every Thursday", []],
    ["some time next week", []],
    ["the month before last", []],
    ["the Tuesday before last", []],
    ["the last Monday of the month", []],
    ["the day after 3 March 2027", ["date 2027-03-04"]],
    ["do it now", []],
  ])("%s", (goal, wanted) => expect(found(goal)).toEqual(wanted));

  it("a weekday said on that weekday: the last one is a week ago, the next one a week on", () => {
    const friday = new Date(2027, 0, 15, 12);
    const read = (goal: string): string[] => findValues(goal, friday).map((value) => value.canonical);
    expect([read("last Friday"), read("Friday"), read("next Friday")]).toEqual([["2027-01-08"], ["2027-01-15"], ["2027-01-22"]]);
  });
});

describe("other writings of values", () => {
  it.each([
    ["on 7.4.27", ["date 2027-04-07"]],
    ["statement 11-2026", ["month 2026-11"]],
    ["the bill 2026/08", ["month 2026-08"]],
    ["fetch the may invoice", ["month --05"]],
    ["please print may rota", ["month --05"]],
    ["the parcel may come late", []],
    ["they may want it", []],
    ["march over to the bank", []],
    ["the march invoice", ["month --03"]],
    ["between 6 and 9 April 2027", ["date 2027-04-06", "date 2027-04-09"]],
    ["From 30 April to 4 May 2027", ["date 2027-04-30", "date 2027-05-04"]],
    ["from 30 December to 2 January 2028", ["date 2027-12-30", "date 2028-01-02"]],
    ["from March to May 2027", ["month 2027-03", "month 2027-05"]],
    ["a room for 2 from 3 May", ["number 2", "date --05-03"]],
    ["€2.500,75", ["amount 2500.75"]],
    ["8,40 €", ["amount 8.4"]],
    ["30 EUR", ["amount 30"]],
    ["€3.200", ["amount 3200"]],
    ["2,25 hours", ["number 2.25"]],
    ["4,300 units", ["number 4300"]],
    ["3.125 miles", ["number 3.125"]],
    ["host 10.0.0.1", []],
    ["file 2026/0317", ["id 2026/0317"]],
    ["case 44-90210", ["id 44-90210"]],
    ["track JD 0002 4411 7GB today", ["id JD 0002 4411 7GB", "date 2027-01-10"]],
    ["write to pat.o'neil@mail.example", ["email pat.o'neil@mail.example"]],
    ["at noon on 4 May 2027", ["time 12:00", "date 2027-05-04"]],
    ["4 May 2027 at midnight", ["date 2027-05-04", "time 00:00"]],
    ["quarter to eight", ["time 07:45"]],
    ["half past two in the afternoon", ["time 14:30"]],
    ["seven o'clock", ["time 07:00"]],
    ["from ten to five", []],
    ["move it from 9 May 2027 to 3 May 2027", ["date 2027-05-09", "date 2027-05-03"]],
    ["on 22 September 2027, morning", ["date 2027-09-22"]],
    ["at 7.30pm: two seats", ["time 19:30", "number 2"]],
    ["on 3 March 2027, 19:30: two seats", ["date 2027-03-03", "time 19:30", "number 2"]],
    ["a meter reading of 07912", ["id 07912"]],
    ["call 01632 960455 or +44 20 7946 0018", ["id 01632 960455", "id +44 20 7946 0018"]],
    ["call me on (01632) 960455", ["id (01632) 960455"]],
    ["for four adults and one child", ["number 4", "number 1"]],
    ["the one on Shelf Nine, one of two-part sets", []],
    ["Thursday 14 January", ["date 2027-01-14"]],
    ["Friday 18 December", ["date 2026-12-18"]],
    ["Saturday 18 December", ["date 2027-12-18"]],
    ["Tuesday 18 December", ["date --12-18"]],
    ["between 2 and 4 pm", ["time 14:00", "time 16:00"]],
    ["11 to 1 pm", ["time 11:00", "time 13:00"]],
    ["the book „Die Brücke“", ["text Die Brücke"]],
    ["the book « Le Port »", ["text Le Port"]],
  ])("%s", (goal, wanted) => expect(found(goal)).toEqual(wanted));

  it.each(["council7.example?", "town.example!", "town.example…", "(town.example)", "town.example:8080/a?on=3", "town.example?on=3"])(
    "%s is an address, and no part of it a value",
    (address) => {
      const text = withoutUrls(`Go to ${address} please`);
      expect(text).not.toMatch(/example|\d/u);
      expect(text).toHaveLength(`Go to ${address} please`.length);
    },
  );
});

describe("what is quoted", () => {
  it("stands whole, whatever is in it", () =>
    expect(quotedIn('Tell them "Gate 4471 on 3 March" and ‘Ring twice’').map(({ text }) => text)).toEqual(["Gate 4471 on 3 March", "Ring twice"]));
});

describe("days behind an address", () => {
  it.each([
    ["Rent a van at https://hire.example from 14 Feb 2027 to 17 Feb 2027", ["date 2027-02-14", "date 2027-02-17"]],
    ["Rent a van at https://hire.example between 3 and 5 March 2027", ["date 2027-03-03", "date 2027-03-05"]],
    ["See the dentist at https://teeth.example on the 3rd of March 2027", ["date 2027-03-03"]],
    ["Stay at https://inn.example 2027-02-14 to 2027-02-17", ["date 2027-02-14", "date 2027-02-17"]],
    ["Be there at 14:30 on 14 Feb 2027", ["time 14:30", "date 2027-02-14"]],
  ])("%s", (goal, wanted) => expect(findValues(goal, new Date(2026, 10, 30)).map(({ kind, canonical }) => `${kind} ${canonical}`)).toEqual(wanted));
  it("the part of a day is no part of its date", () =>
    expect(["on 22 September 2027, morning", "3 May evening", "4 May at night"].map((goal) => findValues(goal, now)[0]?.text)).toEqual([
      "22 September 2027",
      "3 May",
      "4 May",
    ]));
  it("a range in figures is parted between its days", () =>
    expect(findValues("Away 2027-02-14 to 2027-02-17", new Date(2026, 10, 30)).map(({ text }) => text)).toEqual(["2027-02-14", "2027-02-17"]));
});
