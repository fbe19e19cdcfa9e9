import { describe, expect, it } from "vitest";
import { asksForAnswer, hostsIn, isBackward, isPager, recallText } from "#core/skills/index.ts";

const now = new Date(2027, 0, 10, 12);

describe("a goal as recall compares it", () => {
  it.each([
    ["Download my April 2026 bill from https://portal.example/bills", "Download that month bill"],
    ["Move order KX-2041 to 14 Feb 2027", "Move order that number to that day"],
    ["Pay £12 at portal.example.", "Pay that amount"],
    ["Reserve 'Night Ferries' at 10:30", "Reserve 'it' at that time"],
  ])("%s", (goal, wanted) => expect(recallText(goal, now)).toBe(wanted));

  it("two goals that differ in their values only are the same", () => {
    expect(recallText("Download the March bill from portal.example", now)).toBe(recallText("Download the June bill from portal.example", now));
  });
});

describe("hosts that a goal names", () => {
  it.each([
    ["see https://Portal.example:8443/x and council.example", ["portal.example", "council.example"]],
    ["on 12.01.2027 at 9.30", []],
    ["write to kim@mail.example", []],
  ])("%s", (goal, hosts) => expect(hostsIn(goal)).toEqual(hosts));
});

describe("whether a goal asks for an answer (SHO-06)", () => {
  it.each([
    "When is my bin emptied?",
    "Tell me what order KX-2041 came to",
    "find out when the parcel arrives",
    "Look up the price (portal.example)",
    "which day is the school closed",
  ])("%s", (goal) => expect(asksForAnswer(goal)).toBe(true));
  it.each(["Download the April bill", "Reserve the Salt Road at Old Town", "Renew what I borrowed"])("%s does not", (goal) =>
    expect(asksForAnswer(goal)).toBe(false),
  );
});

describe("controls that show more of a list", () => {
  it.each(["Older", "Next", "next page", "Load more", "Show more notices", "›", "Older bills ›", "View more results"])("%s", (name) =>
    expect(isPager(name)).toBe(true),
  );
  it.each(["More about us", "The next one", "Download", "Next steps", ""])("%s does not", (name) => expect(isPager(name)).toBe(false));
  it("newer, previous and back go the way one has come", () =>
    expect(["Newer", "Previous page", "Back", "‹", "Older", "Next"].map(isBackward)).toEqual([true, true, true, true, false, false]));
});

describe("faults found in goals", () => {
  it("a file name is no host (every skill would be out: the goal names report.pdf, which it does not use)", () =>
    expect(hostsIn("Upload report.pdf to the portal")).toEqual([]));
  it("what stands before the @ of an address is no host", () => expect(hostsIn("write to kim.lee@mail.example")).toEqual([]));
  it("a time without a space is no host", () => expect(hostsIn("be there at 5.pm")).toEqual([]));
  it("an article before a month is not left standing before its stand-in", () =>
    expect(recallText("Download the April 2026 bill", now)).not.toContain("the that"));
});
