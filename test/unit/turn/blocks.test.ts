import { describe, expect, it } from "vitest";
import { openStores } from "#adapters/sqlite/open-stores.ts";
import { makeStandingContext } from "#app/standing-context.ts";
import { KnackError } from "#contract/errors.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { kernelText, standingBlocks } from "#core/prompt/index.ts";
import { kernelTools } from "#core/turn/system-text.ts";
import { billGoal, portal } from "../../fixtures/makers/bill-runs.ts";
import { heldFile } from "../../fixtures/makers/held-file.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { digest, opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";
import { taught } from "../../fixtures/makers/taught.ts";
import { memoryStores, storePlaces } from "../../store/fixtures/stores.ts";

const site = billsSite();
const goal = billGoal("December");
const fact = (id: string, label: Fact["label"], text: string): Fact => ({ id, label, text, source: "user", createdAt: 1, updatedAt: 1 });
const systemOf = (on: Stage, at = -1): string => on.model.requests.at(at)?.messages[0]?.text ?? "";
const newestOf = (on: Stage, at = -1): string => on.model.requests.at(at)?.messages.at(-1)?.text ?? "";
const bytesOf = (on: Stage): string => digest(JSON.stringify(on.model.requests.map(({ messages, choices, grammar }) => ({ messages, choices, grammar }))));
const headings = (text: string): string[] => text.split("\n").filter((line) => /^[A-Z_]+$/u.test(line));

describe("the prefix of a conversation", () => {
  it("keeps its bytes over twenty turns with a skill recalled, facts of the session written, dates changing and another process writing", async () => {
    const places = storePlaces();
    const on = stage(site, { file: places.file, settings: { memory: true } });
    const other = openStores({ ...places, clock: () => 1, makeId: () => "other" });
    const way = await taught(site, goal, [
      ["open", portal],
      ["click", "link", "Bills"],
      ["click", "button", "Download December 2026 bill"],
    ]);
    await on.addSkill("bill-of-month", way, { status: "active" });
    for (let turn = 0; turn < 20; turn++) {
      on.setClock(Date.UTC(2027, 0, 10 + turn, 23, 59));
      if (turn === 5) on.stores.facts.add(fact("f1", "FOCUS", "I am preparing for the audit"));
      if (turn === 9) other.facts.add(fact("f2", "NOTE", "The boiler is serviced in May"));
      if (turn === 12) other.facts.add(fact("f3", "FOCUS", "I am learning Portuguese"));
      const isLed = turn % 4 === 3;
      const { problem } = await (isLed
        ? on.turn(goal, [opens(portal), presses("link Bills"), presses("button Download December 2026 bill"), says("Here it is.")], { conversationId: "c" })
        : on.turn(`Look at the messages of ${portal}`, [opens(portal), presses("link Messages"), says("There are none.")], {
            conversationId: "c",
            noSkills: true,
          }));
      expect([problem, on.model.left]).toEqual([null, 0]);
    }
    other.close();
    const prefixes = on.model.requests.map(({ messages }) => messages[0]?.text ?? "").filter((text) => text.startsWith("You are Knack"));
    expect(prefixes.length).toBeGreaterThan(50);
    expect(on.stores.trace.turns("c").filter(({ skillId }) => skillId !== null)).toHaveLength(5);
    expect(new Set(prefixes.map(digest)).size).toBe(1);
    expect(headings(systemOf(on))).toEqual(["BOUNDARIES", "IDENTITY", "ENVIRONMENT", "ONBOARDING"]);
    expect(newestOf(on, 0)).not.toContain("FOCUS");
    const newest = on.model.requests.at(-1)?.messages.findLast(({ text }) => text.startsWith(goal))?.text;
    expect(newest).toContain("FOCUS\n<untrusted-data>\n");
    expect(newest).toContain("learning Portuguese");
  });

  it("changes by what another process learns of the user, and by nothing ahead of that", async () => {
    const places = storePlaces();
    const on = stage(site, { file: places.file, settings: { memory: true } });
    const other = openStores({ ...places, clock: () => 1, makeId: () => "other" });
    await on.turn("Hello", [says("Hello.")], { conversationId: "c" });
    other.facts.add(fact("f1", "SOUL", "name is Ana"));
    other.close();
    await on.turn("And now?", [says("Hello Ana.")], { conversationId: "c" });
    const [before, after] = [systemOf(on, 0), systemOf(on, 1)];
    expect(after).toContain('- "name is Ana" [user 1970-01-01]');
    expect(after.slice(0, after.indexOf("USER_PROFILE"))).toBe(before.slice(0, before.indexOf("ONBOARDING")));
  });

  it("is the kernel's bytes alone where there are no blocks, no rules and no texts of packs", async () => {
    const on = stage(site, { blocks: standingBlocks([], { facts: null, digest, log: { info() {}, warn() {}, error() {} } }) });
    await on.turn("Hello", [says("Hello.")]);
    expect(systemOf(on)).toBe(kernelText(kernelTools(on.world.tools, false, false, [])));
  });

  it("says nothing of the hour, the day or the conversation", async () => {
    const on = stage(site, { settings: { memory: true } });
    on.setClock(Date.UTC(2027, 0, 10, 12));
    await on.turn("Hello", [says("Hello.")]);
    expect(systemOf(on)).not.toMatch(/2027|January|12:0|id-0/u);
  });

  it("takes fewer than 200 tokens for all of its blocks where nothing is known", async () => {
    const on = stage(site, { settings: { memory: true } });
    expect(on.model.countTokens((await on.world.blocks()).L1)).toBeLessThan(200);
  });
});

describe("off means off: with memory off", () => {
  const known = (on: Stage): void => {
    for (const [id, label, text] of [
      ["a", "SOUL", "name is Ana"],
      ["b", "PREFERENCE", "I prefer tea"],
      ["c", "FOCUS", "I am preparing for the audit"],
    ] as const)
      on.stores.facts.add(fact(id, label, text));
  };
  /** The blocks that neither hold facts nor ask for them, made without the others. */
  const without = () => {
    const files = { IDENTITY: heldFile("IDENTITY"), RULES: heldFile("RULES") };
    const log = { info() {}, warn() {}, error() {} };
    const machine = () => ({ system: "Linux", language: "en-GB", timeZone: "Europe/Lisbon" });
    const { blocks } = makeStandingContext({ facts: memoryStores().facts, files, settings: () => ({ memory: false }), machine, digest, log });
    const own = blocks.filter(({ name, source }) => source !== "memory" && name !== "ONBOARDING");
    return standingBlocks(
      own.map(({ renderWhen: _gate, ...spec }) => spec),
      { facts: null, digest, log },
    );
  };
  const talk = async (on: Stage): Promise<string> => {
    known(on);
    await on.turn("Hello", [says("Hello.")], { conversationId: "c" });
    const { problem } = await on.turn(`Look at the messages of ${portal}`, [opens(portal), presses("link Messages"), says("There are none.")]);
    expect(problem).toBe(null);
    return bytesOf(on);
  };

  it("the prompts are byte for byte those of a build without the blocks of facts and without ONBOARDING", async () => {
    const off = await talk(stage(site, { settings: { memory: false } }));
    const built = await talk(stage(site, { settings: { memory: false }, blocks: without() }));
    const on = await talk(stage(site, { settings: { memory: true } }));
    expect(off).toBe(built);
    expect(on).not.toBe(off);
  });

  it("no fact is read for a prompt", async () => {
    const on = stage(site, { settings: { memory: false } });
    known(on);
    const { list } = on.stores.facts;
    let lists = 0;
    on.stores.facts.list = () => {
      lists += 1;
      return list();
    };
    await on.turn("Hello", [says("Hello.")]);
    expect(lists).toBe(0);
  });
});

describe("a block that cannot be made", () => {
  it("fails the turn with the file and the way on, before the model is asked", async () => {
    const problem = new KnackError("block.unreadable", "/data/blocks/IDENTITY.md is not text (UTF-8); save it as plain text.");
    const on = stage(site, { blockFiles: { IDENTITY: heldFile("IDENTITY", problem), RULES: heldFile("RULES") } });
    const { turn, problem: said } = await on.turn("Hello");
    expect([turn.status, said, on.model.requests.length]).toEqual(["failed", `${problem.message} (block IDENTITY)`, 0]);
  });

  it("is taken up again at the next turn, and so is a text that was edited", async () => {
    const rules = heldFile("RULES", new KnackError("block.unreadable", "cannot be read"));
    const on = stage(site, { blockFiles: { IDENTITY: heldFile("IDENTITY", "You are Otto."), RULES: rules } });
    expect((await on.turn("Hello", [], { conversationId: "c" })).turn.status).toBe("failed");
    rules.held = "Amounts in euros.";
    await on.turn("Hello", [says("Hello.")], { conversationId: "c" });
    expect(systemOf(on)).toContain("IDENTITY\nYou are Otto.\nRULES\nAmounts in euros.\nENVIRONMENT\n");
  });
});

describe("ONBOARDING", () => {
  const listed = (on: Stage) => on.stores.facts.list().map(({ label, text, provenance }) => [label, text, provenance?.sentence]);
  const asking = (on: Stage): string => /ONBOARDING\n([^.]*)\./u.exec(systemOf(on))?.[1] ?? "";

  it("names what is neither known nor declined, and leaves the prompt once nothing is", async () => {
    const on = stage(site, { settings: { memory: true } });
    const turn = (text: string, ...answers: string[]) => on.turn(text, answers, { conversationId: "c" });
    const standing = async (): Promise<string> => /ONBOARDING\n([^.]*)\./u.exec((await on.world.blocks()).L1)?.[1] ?? "";
    await turn("Go on", says("Hello! What is your name?"));
    expect(asking(on)).toBe("You do not know the user's name, location, role");
    // An answer needs no model.
    await turn("Ana");
    expect(await standing()).toBe("You do not know the user's location, role");
    await turn("Go on", says("Where do you live?"));
    expect(asking(on)).toBe("You do not know the user's location, role");
    await turn("I'd rather not say");
    expect(await standing()).toBe("You do not know the user's role");
    await turn("I'm a nurse, what next?", says("Good to know."));
    expect(systemOf(on)).not.toContain("ONBOARDING");
    expect(listed(on)).toEqual([
      ["SOUL", "name is Ana", "Ana"],
      ["SOUL", "I'm a nurse", "I'm a nurse, what next?"],
    ]);
    expect(on.stores.facts.declined()).toEqual(["location"]);
    on.stores.facts.undecline("location");
    await turn("What is a lighthouse?", says("A tower."));
    expect(asking(on)).toBe("You do not know the user's location");
  });

  it.each([
    ["What is your name?", "ana", "my name is ana"],
    ["May I ask your name?", "It's Ana Maria Silva, thanks!", "name is Ana Maria Silva"],
    ["What should I call you?", "Call me Ana", "Call me Ana"],
    ["And where do you live?", "In Lisbon", "location is Lisbon"],
    ["Where are you based?", "I live in Leeds since 2019", "I live in Leeds since 2019"],
    ["What do you do?", "software engineer", "role is software engineer"],
    ["What is your job?", "I work as a nurse", "I work as a nurse"],
  ])("“%s” answered with “%s” is the fact “%s”", async (question, answer, text) => {
    const on = stage(site, { settings: { memory: true } });
    await on.turn("Hello", [says(question)], { conversationId: "c" });
    await on.turn(answer, [says("Thank you.")], { conversationId: "c" });
    expect(listed(on)).toEqual([["SOUL", text, answer]]);
  });

  it.each([
    ["What is the name of the file?", "Invoices"],
    ["What is your name?", "Download my latest bill"],
    ["What is your name?", "Why do you ask?"],
    ["What is your name?", "ok"],
    ["What is your name?", "hunter2"],
    ["What is your name, and where do you live?", "Ana"],
    ["Where do you live?", "Open https://portal.example"],
    ["What do you do?", "Find the cheapest train"],
    ["What is your name? Tell me if you like. Which bill do you mean?", "March"],
    ["Your name is needed.", "Ana"],
  ])("“%s” answered with “%s” is no fact and no decline", async (question, answer) => {
    const on = stage(site, { settings: { memory: true } });
    // No small talk, in which the host asks by itself.
    await on.turn("Go on", [says(question)], { conversationId: "c" });
    await on.turn(answer, [says("All right.")], { conversationId: "c" });
    expect([listed(on), on.stores.facts.declined()]).toEqual([[], []]);
  });

  it("changes nothing that is known, and keeps nothing while memory is off", async () => {
    const on = stage(site, { settings: { memory: true } });
    on.stores.facts.add(fact("a", "SOUL", "My name is Kim"));
    await on.turn("Hello", [says("What is your name?")], { conversationId: "c" });
    await on.turn("Ana", [says("Hello Ana.")], { conversationId: "c" });
    expect(listed(on)).toEqual([["SOUL", "My name is Kim", undefined]]);
    const off = stage(site, { settings: { memory: false } });
    await off.turn("Hello", [says("What is your name?")], { conversationId: "c" });
    await off.turn("Ana", [says("Where do you live?")], { conversationId: "c" });
    await off.turn("I'd rather not say", [says("Fine.")], { conversationId: "c" });
    expect([listed(off), off.stores.facts.declined()]).toEqual([[], []]);
  });

  it("an answer goes with the conversation it was given in", async () => {
    const on = stage(site, { settings: { memory: true } });
    await on.turn("Hello", [says("What is your name?")], { conversationId: "c" });
    await on.turn("Ana", [says("Hello Ana.")], { conversationId: "c" });
    on.stores.facts.loseConversation("c");
    expect(listed(on)).toEqual([]);
  });
});
