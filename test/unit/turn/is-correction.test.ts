import { describe, expect, it } from "vitest";
import { isConfirmation, isCorrection } from "#core/turn/index.ts";

describe("a correction", () => {
  it.each([
    "No, not that",
    "nope",
    "Not this one",
    "wrong month",
    "That's wrong",
    "That was not it",
    "undo",
    "I meant June",
    "Actually, the other one",
    "try again",
    "That didn't work",
  ])("%s", (text) => expect(isCorrection(text)).toBe(true));
  it.each(["Nothing else, thanks", "Download the note", "Notify me", "Is that wrong?", "Show me what went wrong", "Yes", ""])("%s is none", (text) =>
    expect(isCorrection(text)).toBe(false),
  );
});

describe("a confirmation", () => {
  it.each(["Yes", "Perfect, thank you!", "Thanks", "That worked", "Great. That is right.", "yes, that's it"])("%s", (text) =>
    expect(isConfirmation(text)).toBe(true),
  );
  it.each(["Yes, and now the June one", "Thanks to you I have two", "Is that right?", "great expectations", ""])("%s does more or less than that", (text) =>
    expect(isConfirmation(text)).toBe(false),
  );
});

describe("faults found in corrections", () => {
  it("a new wish that begins with a house number corrects nothing", () =>
    expect(isCorrection("No. 12 Mill Lane needs a visitor permit for Friday")).toBe(false));
  it("a new wish that begins with instead corrects nothing", () => expect(isCorrection("Instead of paying it, show me the June bill")).toBe(false));
});
