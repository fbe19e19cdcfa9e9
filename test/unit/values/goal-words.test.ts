import { describe, expect, it } from "vitest";
import { asksForAnswer, hostsIn, isBackward, isPager, pagersOn, recallText } from "#core/skills/index.ts";

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
    'On what date is the visit for "Sink blocked"? See https://portal.example',
    "in which room is it",
    "Renew it. Could you tell me when it is due?",
    "The bill is high, can you say why?",
  ])("%s", (goal) => expect(asksForAnswer(goal)).toBe(true));
  it.each([
    "Download the April bill",
    "Reserve the Salt Road at Old Town",
    "Renew what I borrowed",
    "Send the reading 20845, taken on 9 May. Can you do it?",
    "Fetch me the bill of May, would you?",
    "Order the usual, please?",
  ])("%s does not", (goal) => expect(asksForAnswer(goal)).toBe(false));
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

describe("SHO-06: an answer is asked for without a question mark, a question mark asks for a deed", () => {
  it.each([
    "Give me my balance",
    "Find the price of the Oak desk",
    "Show me when the office opens",
    "List my open loans",
    "Get the opening hours of the Old Town library",
    "Track parcel KX-2041",
    "Am I on the waiting list",
    "Will the class take place on Friday",
    "Get me the status of my claim",
    "Could you tell me when my bin is emptied?",
    "Can you check what I owe?",
    "Show my remaining allowance",
  ])("%s", (goal) => expect(asksForAnswer(goal)).toBe(true));
  it.each([
    "Could you download my May bill?",
    "Can you renew my book?",
    "Would you please cancel it?",
    "Please can you move order KX-2041 to Friday?",
    "Will you reserve Night Ferries for me?",
    "Would you mind sending the form?",
    "Show more notices",
    "Get the June bill",
    "Find Night Ferries and reserve it",
    "Give the plumber access",
    "Set the price of my Oak desk to 95 pounds",
    "Change my address to 4 Mill Lane",
  ])("%s does not", (goal) => expect(asksForAnswer(goal)).toBe(false));
});

describe("SHO-08, SHO-09: what is pressed while searching", () => {
  it.each([
    "Show 10 more",
    "Show next 20",
    "Next 10",
    "Load 20 more",
    "12 more results",
    "»»",
    "← Older",
    "‹ Previous",
    "Show all",
    "Go to next page",
    "Go to the previous page",
    "Next week",
    "Show earlier",
    "Show later",
  ])("%s shows more of a list", (name) => expect(isPager(name)).toBe(true));
  it.each([
    "Forward",
    "Forward message",
    "Later",
    "Remind me later",
    "Previous orders",
    "Previous addresses",
    "Next delivery",
    "Next appointment",
    "Next of kin",
    "Next question",
    "Next bin collection",
    "Next day delivery",
    "See next available slot",
    "Older people",
    "Later life",
    "More than 10",
    "10 more minutes",
  ])("%s does not", (name) => expect(isPager(name)).toBe(false));

  const pressed = (heading: string, names: readonly string[], landmark = "main"): string[] =>
    pagersOn({ heading, elements: names.map((name) => ({ name, landmark, action: "click", disabled: false })) }).map(({ name }) => name);
  it.each([
    ["Your orders", ["Older orders"], ["Older orders"]],
    ["Account", ["Previous orders", "Older orders"], []],
    ["Invoices", ["Download the June bill", "Download the May bill", "Earlier bills"], ["Earlier bills"]],
    ["Search", ["Newer vehicles", "Older vehicles"], []],
    ["Used vehicles", ["Newer vehicles", "Older vehicles"], ["Older vehicles", "Newer vehicles"]],
    ["Services", ["Older people", "Children", "Later life"], []],
    ["Statements", ["Previous statements", "Next statements"], ["Next statements", "Previous statements"]],
    ["My entries", ["Earlier", "Later"], ["Earlier", "Later"]],
    ["Reminder", ["Done", "Later"], []],
    ["My bookings", ["Next booking", "Book"], []],
  ])("on the page %s, of %j, are pressed %j", (heading, names, wanted) => expect(pressed(heading, names)).toEqual(wanted));
  it("of numbered pages the one after the present is", () => {
    expect(pressed("Notices", ["1", "3", "4", "5"], "navigation")).toEqual(["3"]);
    expect(pressed("Notices", ["Page 2", "Page 3"], "navigation")).toEqual(["Page 2"]);
    expect(pressed("Notices", ["1", "2", "Next"], "navigation")).toEqual(["Next"]);
  });
  it("a lone number in the page is none", () => expect(pressed("Basket", ["2", "Pay"])).toEqual([]));
  it("arrows do not hide the way", () =>
    expect(["← Newer", "«", "Show later", "Go to the previous page", "← Older"].map(isBackward)).toEqual([true, true, true, true, false]));
});

describe("what looks like a host and is none", () => {
  it.each([
    "Write my Node.js notes",
    "Ask Mr.Smith for the key",
    "Open it.Then close it",
    "download it.then open it",
    "Rename main.tsx and style.css to old.yaml",
    "Send backup.tar.gz to Kim",
    "Say it in ASP.NET or Vue.js",
    "in St.Albans, e.g. on Friday",
  ])("%s", (goal) => expect(hostsIn(goal)).toEqual([]));
  it.each([
    ["Open WWW.Portal.Example", ["www.portal.example"]],
    ["on Fennmoor.example, please", ["fennmoor.example"]],
    ["at my-shop.co.uk/orders.", ["my-shop.co.uk"]],
    ["from http://Node.js/", ["node.js"]],
  ])("%s", (goal, hosts) => expect(hostsIn(goal)).toEqual(hosts));
});

describe("a deed in the form of a question, and questions that are only quoted", () => {
  it.each([
    "Can I have the pressure washer for the week of 1 June? Library of Things",
    'Raise a ticket. Subject "What is wrong?", and what is happening: "The E key does nothing."',
    "The afternoon is best for her, so could you get her a seat in it? https://conference.example",
    "We need it till 4 pm. Can you ask for it through https://hall.example?",
  ])("%s does not", (goal) => expect(asksForAnswer(goal)).toBe(false));
});
