import { describe, expect, it } from "vitest";
import { writeStep } from "#core/turn/step-text.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const talking = (memory = true): Stage => {
  const on = stage(billsSite(), { settings: { memory } });
  on.stores.grants.add({ id: "memory", kind: "primitive", primitive: "memory", createdAt: 1, by: "default" });
  return on;
};
const texts = (on: Stage): string[] => on.stores.facts.list().map(({ text }) => text);
const inTalk = { noSkills: true, conversationId: "c" } as const;

describe("what a person plainly says of themselves", () => {
  it.each([
    ["My name is Ada", ["My name is Ada"]],
    ["I am a nurse", ["I am a nurse"]],
    ["Call me Addie", ["Call me Addie"]],
    ["I live in Lisbon.", ["I live in Lisbon"]],
    ["my name is Ada and I live in Lisbon", ["my name is Ada", "I live in Lisbon"]],
    ["Ich heiße Ada und wohne in Lissabon", ["Ich heiße Ada", "wohne in Lissabon"]],
    ["Ich bin Krankenschwester.", ["Ich bin Krankenschwester"]],
    ["Hallo, nenn mich Addie", ["nenn mich Addie"]],
  ])("“%s” is kept at once as %j and told, with its message, and no model takes part", async (text, kept) => {
    const on = talking();
    const { turn, events, message } = await on.turn(text, [], inTalk);
    const [said] = on.stores.conversations.messages(turn.conversationId);
    expect([texts(on), on.stores.facts.list().map(({ source, provenance }) => [source, provenance?.messageId])]).toEqual([
      kept,
      kept.map(() => ["conversation", said?.id]),
    ]);
    expect(events.flatMap((event) => (event.type === "fact-kept" ? [event.text] : []))).toEqual(kept);
    expect([on.model.requests.length, message?.text]).toEqual([0, expect.stringMatching(/I will remember that|das merke ich mir/u)]);
  });

  it("beside a task is kept as well, and the model answers the task", async () => {
    const on = talking();
    await on.turn("I am a nurse, which bill is due first?", [says("June.")], inTalk);
    expect([texts(on), on.model.requests.length]).toEqual([["I am a nurse"], 1]);
  });

  it.each([
    "My mother lives in Bath",
    "Fill in the form: my name is John Doe",
    "Meine Mutter wohnt in Bonn",
    "Wenn ich in Köln wohne, zahle ich mehr",
    "Er sagt: Ich heiße Bob",
    "Ich bin müde",
    "Ich bin Kunde bei euch",
    "Call me Invoice",
    "My name is Password",
    "I'd like to live in Oslo",
  ])("“%s” says nothing of the kind", async (text) => {
    const on = talking();
    await on.turn(text, [says("Well.")], inTalk);
    expect(texts(on)).toEqual([]);
  });

  it("takes the place of what was said before, not of what they wrote down themselves", async () => {
    const on = talking();
    await on.turn("I live in Lisbon.", [], inTalk);
    await on.turn("I moved to York", [], { ...inTalk, conversationId: "d" });
    expect(texts(on)).toEqual(["I moved to York"]);
    on.stores.facts.update(on.stores.facts.list()[0]?.id ?? "", "I live in Hull", 5);
    await on.turn("I live in Leeds", [says("I see.")], { ...inTalk, conversationId: "e" });
    expect(texts(on)).toEqual(["I live in Hull"]);
  });

  it("is kept nowhere while memory is off", async () => {
    const on = talking(false);
    await on.turn("My name is Ada", [says("Hello Ada.")], inTalk);
    expect(texts(on)).toEqual([]);
  });

  it("named by the model with the user's own name is theirs: “Ada lives in Lisbon”", async () => {
    const on = talking();
    on.world.heard = () => [];
    await on.turn("Remember that my name is Ada and I live in Lisbon", [writeStep("remember", { fact: "Ada lives in Lisbon" }), says("Kept.")], inTalk);
    expect(texts(on)).toEqual(["I live in Lisbon"]);
  });
});

describe("what a person would rather not say", () => {
  it.each([
    ["I'd rather not say what I do", "role"],
    ["I won't tell you where I live", "location"],
    ["Ich möchte meinen Namen nicht sagen", "name"],
  ])("“%s” declines their %s, also where nobody asked", async (text, field) => {
    const on = talking();
    await on.turn(text, [], inTalk);
    expect(on.stores.facts.declined()).toEqual([field]);
  });

  it.each(["I don't want to give my name on that form", "I don't want to share my location with the site"])("“%s” declines nothing", async (text) => {
    const on = talking();
    await on.turn(text, [says("All right.")], inTalk);
    expect(on.stores.facts.declined()).toEqual([]);
  });
});

describe("the question to a new user", () => {
  const question = "By the way, what is your name?";

  it.each(["Hi", "Good morning!", "How are you?", "What can you do?", "Tell me a joke"])(
    "stands at the end of the answer to “%s”, and in the prompt",
    async (text) => {
      const on = talking();
      const { message } = await on.turn(text, [says("Good day.")], inTalk);
      await on.turn("And what is a lighthouse?", [says("A tower.")], inTalk);
      expect(message?.text).toBe(`Good day. ${question}`);
      expect(on.model.requests.at(-1)?.messages.some((one) => one.role === "assistant" && one.text.includes(question))).toBe(true);
    },
  );

  it("is asked in the language of the talk", async () => {
    const on = talking();
    expect((await on.turn("Hallo!", [says("Hallo! Wie kann ich helfen?")], inTalk)).message?.text).toBe("Hallo! Wie kann ich helfen? Übrigens: wie heißt du?");
    await on.turn("Ada", [], inTalk);
    expect(texts(on)).toEqual(["name is Ada"]);
  });

  it("is asked once in a conversation; the next one asks for what is still missing, and none for what was declined", async () => {
    const on = talking();
    await on.turn("Hi", [says("Good day.")], inTalk);
    const answer = await on.turn("Ada", [], inTalk);
    expect([answer.message?.text, texts(on)]).toEqual(["Thank you, I will remember that.", ["name is Ada"]]);
    expect((await on.turn("Hello again", [says("Good day.")], inTalk)).message?.text).toBe("Good day.");
    expect((await on.turn("Hi", [says("Good day.")], { ...inTalk, conversationId: "d" })).message?.text).toBe("Good day. By the way, where do you live?");
    expect((await on.turn("I'd rather not say", [], { ...inTalk, conversationId: "d" })).message?.text).toBe("All right, I will not ask about that.");
    expect(on.stores.facts.declined()).toEqual(["location"]);
    expect((await on.turn("Hi", [says("Good day.")], { ...inTalk, conversationId: "e" })).message?.text).toBe(
      "Good day. By the way, what do you do for a living?",
    );
    on.stores.facts.decline("role", 1);
    expect((await on.turn("Hi", [says("Good day.")], { ...inTalk, conversationId: "f" })).message?.text).toBe("Good day.");
  });

  it.each([
    "Download the June bill",
    "What is the capital of France?",
    "Hi, what is 3+4?",
    "Hello, how do I renew my passport?",
    "Good morning! Please open portal.example",
  ])("is not asked where there is something to do: “%s”", async (text) => {
    const on = talking();
    expect((await on.turn(text, [says("Well.")], inTalk)).message?.text).toBe("Well.");
  });

  it("is not asked with memory off, nor where the answer asks for it already", async () => {
    const off = talking(false);
    expect((await off.turn("Hi", [says("Good day.")], inTalk)).message?.text).toBe("Good day.");
    const on = talking();
    expect((await on.turn("Hi", [says("Good day. What should I call you?")], inTalk)).message?.text).toBe("Good day. What should I call you?");
  });
});
