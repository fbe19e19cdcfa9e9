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

describe("what was right instead, and what is none of this", () => {
  it.each(["That's December, not March", "The date is wrong", "your answer is not right", "Why December? I wanted March", "It was 12 pounds, not 21."])(
    "%s",
    (text) => expect(isCorrection(text)).toBe(true),
  );
  it.each([
    "I meant to ask: when is the bill due?",
    "There is a mistake on my bill, report it",
    "Nothing wrong with that",
    "Why is my bill so high?",
    "The date is wrong on my permit, please change it to 3 May",
  ])("%s is none", (text) => expect(isCorrection(text)).toBe(false));
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

describe("REC-14: what is said of the thing done, in fresh words", () => {
  it.each([
    // Wrongness said of what was done.
    "That was the wrong one",
    "You got the wrong month",
    "It's wrong",
    "this is the wrong invoice, sorry",
    "You picked the wrong copy",
    "They are not the right ones",
    "That isn't right",
    "This isn't it",
    "It wasn't that book",
    "It didn't work",
    "That doesn't look right",
    "Something went wrong there",
    "Stop, that's wrong",
    "Thanks, but that's the wrong year",
    "You misread the date",
    // A bare contradiction, with or without what is right.
    "No",
    "no no no",
    "Sorry, no",
    "No the other branch",
    "No, the one in Old Town",
    "Not December, November",
    "Not what I asked for",
    "Actually, the other one",
    // What was meant.
    "I wanted November",
    "I asked for the gas meter",
    "I said Friday",
    "it should have been May",
    "It was supposed to be the gas meter",
    "No, I meant the evening class",
    // Taking it back.
    "Please undo",
    "undo that please",
    "Put it back",
    "Try again",
    "no thanks, that is the wrong file",
  ])("%s", (text) => expect(isCorrection(text)).toBe(true));

  it.each([
    // Politeness and closing words.
    "No, thanks",
    "no thank you",
    "No, that's all",
    "No, that's it for now",
    "No problem, all good",
    "No worries",
    "No need, I have it",
    "No, I'm good",
    "No, nothing else",
    "No, it's fine",
    "Not now",
    "Not bad!",
    "Sorry",
    "It doesn't matter",
    "That is not all, I also need the gas bill",
    "It's not urgent, download the May bill",
    // A new wish.
    "No more for today",
    "No rush, download the May bill",
    "Undo my booking of 3 March",
    "Revert order KX-2041 to the old address",
    "Actually, I want the July bill too",
    "Actually, show me the gas bills",
    "No, I also want the July bill",
    "Instead, show me June",
    "Try again tomorrow",
    "I wanted to ask when the library opens",
    "Nobody was at home, book another delivery",
    "Report the wrong charge on my bill",
  ])("%s is none", (text) => expect(isCorrection(text)).toBe(false));

  it.each([
    "Thank you very much",
    "Thanks a lot for your help!",
    "Many thanks",
    "Great job",
    "Nice work",
    "Exactly",
    "Exactly what I wanted",
    "That did it",
    "That did the trick, thanks",
    "Looks good",
    "It looks great",
    "ok thanks",
    "Okay, perfect",
    "It works",
    "Everything worked",
    "Yes, that's the one",
    "Very good",
    "Well done, thank you",
  ])("%s confirms", (text) => expect(isConfirmation(text)).toBe(true));

  it.each([
    "ok",
    "It works?",
    "Great, now the June one",
    "Thanks, but that's the wrong month",
    "No, thanks",
    "Good morning",
    "Looks good on paper, is it paid?",
    "That's all",
  ])("%s confirms nothing", (text) => expect(isConfirmation(text)).toBe(false));
});
