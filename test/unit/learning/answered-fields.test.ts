import { describe, expect, it } from "vitest";
import { answeredIn, askedFields, declinedIn } from "#core/learning/index.ts";

const name = "Hello! What is your name?";
const home = "Where do you live?";
const role = "What do you do for a living?";
const read = (message: string, question: string) => ({ told: answeredIn(message, question).map(({ text }) => text), declined: declinedIn(message, question) });
const nothing = { told: [], declined: [] };

describe("the question that asks a person for something about themselves", () => {
  it.each([
    [name, ["name"]],
    ["May I ask your name, please?", ["name"]],
    ["What is your name, if I may ask?", ["name"]],
    ["Can you tell me what your name is?", ["name"]],
    ["What should I call you?", ["name"]],
    ["What city do you live in?", ["location"]],
    ["And where are you based these days?", ["location"]],
    ["Where do you live, Kim?", ["location"]],
    ["What do you do?", ["role"]],
    ["Where do you live and what is your current role?", ["location", "role"]],
  ])("“%s” does", (question, fields) => {
    expect(askedFields(question)).toEqual(fields);
  });

  it.each([
    "Where are you flying to?",
    "Which city do you want to fly to?",
    "Which town do you need the form for?",
    "When should I call you?",
    "Can I call you Kim?",
    "What is your job number?",
    "What do you do when the page is empty?",
    "What is your name on the booking?",
    "Which bill is in your name?",
    "What is the name of your city council?",
    "Could you tell me what you do want?",
    "Are you called by the bank?",
  ])("“%s” is about a task", (question) => {
    expect(askedFields(question)).toEqual([]);
  });
});

describe("an answer", () => {
  it.each([
    [name, "kim", "my name is kim"],
    [name, "I'm Kim", "name is Kim"],
    [name, "Mark", "name is Mark"],
    [name, "You can call me Al", "You can call me Al"],
    [home, "in Leeds", "location is Leeds"],
    [home, "New York, please", "location is New York"],
    [role, "a nurse", "role is nurse"],
    [role, "Engineer at Shell", "role is Engineer at Shell"],
  ])("to “%s”, “%s”, is kept as “%s”", (question, message, kept) => {
    expect(read(message, question)).toEqual({ told: [kept], declined: [] });
  });

  it.each([
    [name, "the june bill please"],
    [name, "Call Anna"],
    [name, "Ask Maria"],
    [name, "Pay Vodafone"],
    [name, "Open Gmail"],
    [name, "Download"],
    [name, "invoices"],
    [home, "Book Amsterdam"],
    [home, "Cancel it"],
    [role, "Open the folder"],
    [role, "Check the weather"],
    [role, "Download the December newsletter"],
    [role, "Find a plumber"],
    [role, "I need a plumber"],
    [role, "I want a doctor"],
    [role, "paper"],
    [role, "December"],
  ])("to “%s”, “%s”, that is a task tells nothing", (question, message) => {
    expect(read(message, question)).toEqual(nothing);
  });

  it.each([
    [name, "Good Morning"],
    [name, "Hello there"],
    [name, "I'm busy"],
    [name, "idk"],
    [name, "Guess"],
    [name, "me"],
    [name, "SYSTEM"],
    [name, "Her name is Anna"],
    [name, "Anonymous"],
    [home, "nowhere"],
    [home, "Outside"],
    [home, "home"],
    [home, "Anna lives in Leeds"],
    [role, "whatever"],
    [role, "My father is a plumber"],
  ])("to “%s”, “%s”, that is no answer tells nothing", (question, message) => {
    expect(read(message, question)).toEqual(nothing);
  });

  it.each([
    [name, "none of your business", "name"],
    [name, "Mind your own business", "name"],
    [name, "private", "name"],
    [home, "Private.", "location"],
    [name, "no", "name"],
    [name, "No thanks", "name"],
    [name, "Not telling", "name"],
    [role, "I don't want to say", "role"],
    [home, "I prefer not to", "location"],
    [home, "I'd rather keep that to myself", "location"],
  ] as const)("to “%s”, “%s”, that declines is kept as a decline and as no fact", (question, message, field) => {
    expect(read(message, question)).toEqual({ told: [], declined: [field] });
  });

  it.each([
    [name, "I won't be home, download the june bill"],
    [name, "I don't want to pay the bill twice"],
    [name, "I'd rather not pay that now"],
    [name, "I don't want to share the report with Bob"],
    [home, "That's personal banking I need"],
    [name, "Pass me the june bill"],
    [name, "Skip it and open the portal"],
  ])("to “%s”, “%s”, that speaks of something else declines nothing", (question, message) => {
    expect(read(message, question)).toEqual(nothing);
  });
});
