import { describe, expect, it } from "vitest";
import type { Fact } from "#contract/memory/schema.ts";
import { declinedIn, profileFields } from "#core/learning/index.ts";
import { memoryStores } from "../../store/fixtures/stores.ts";

const said = (id: string, text: string, label: Fact["label"] = "SOUL"): Fact => ({ id, label, text, source: "user", createdAt: 1, updatedAt: 1 });

describe("what is known of a person, and what they would rather not say", () => {
  it.each([
    ["My name is Kim", "name"],
    ["Call me Kim", "name"],
    ["Name: Kim", "name"],
    ["name is Kim", "name"],
    ["I live in Leeds", "location"],
    ["Lives in Leeds", "location"],
    ["Location: Leeds", "location"],
    ["I work as a nurse", "role"],
    ["I work at Leeds General", "role"],
    ["Role: district nurse", "role"],
  ])("“%s” tells the %s", (text, field) => {
    const { facts } = memoryStores();
    facts.add(said("a", text));
    expect([...profileFields(facts)]).toEqual([[field, "known"]]);
  });

  it("is read from facts about the user alone, and a field nobody spoke of is in neither state", () => {
    const { facts } = memoryStores();
    facts.add(said("a", "My name is Kim", "NOTE"));
    facts.add(said("b", "I prefer tea", "PREFERENCE"));
    expect([...profileFields(facts)]).toEqual([]);
  });

  it("a decline is kept without a word, can be taken back, and gives way to what is said later", () => {
    const { facts } = memoryStores();
    facts.decline("role", 1);
    facts.decline("role", 2);
    facts.decline("name", 2);
    expect([...profileFields(facts)]).toEqual([
      ["name", "declined"],
      ["role", "declined"],
    ]);
    facts.add(said("a", "My name is Kim"));
    facts.undecline("role");
    expect([...profileFields(facts)]).toEqual([["name", "known"]]);
  });

  it.each([
    ["I'd rather not say.", "Hello! What is your name?", ["name"]],
    ["I'd rather not tell you my name", "", ["name"]],
    ["Sorry, I don't want to say where I live. What can you do?", "And what do you do for a living?", ["location"]],
    ["That's private", "Where do you live?", ["location"]],
    ["pass", "What is your job?", ["role"]],
    ["I'd rather not say", "Thanks, Kim. Where do you live, and what is your role?", ["location", "role"]],
    ["Don't ask me about my job", "", ["role"]],
  ] as const)("“%s” after “%s” declines %j", (message, question, fields) => {
    expect(declinedIn(message, question)).toEqual(fields);
  });

  it.each([
    ["I'd rather not say", "Which of the two bills do you mean?"],
    ["I'd rather not say", "I looked for your name. It is not on the page."],
    ["I'd rather take the train", "What is your name?"],
    ["Pass the form on to my boss and tell me what it says about the role", "What is your name?"],
    ["My name is Kim", "What is your name?"],
    ["Download the June bill", ""],
  ])("“%s” after “%s” declines nothing", (message, question) => {
    expect(declinedIn(message, question)).toEqual([]);
  });
});
