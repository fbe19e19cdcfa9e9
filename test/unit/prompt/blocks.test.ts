import { describe, expect, it } from "vitest";
import { blockMatrix, childSnapshot, computedSource, fileSource, type PromptBlockSpec, standingBlocks, staticSource } from "#core/prompt/blocks/index.ts";
import { toolRegistry, withTools } from "#core/tools/index.ts";
import { heldFile } from "../../fixtures/makers/held-file.ts";
import { digest } from "../../fixtures/makers/stage.ts";
import { memoryStores } from "../../store/fixtures/stores.ts";

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const made = (specs: readonly PromptBlockSpec[], facts = true) => standingBlocks(specs, { facts: facts ? memoryStores().facts : null, digest, log: quiet });
const written = staticSource("Be kind.");
const own = (change: Partial<PromptBlockSpec> = {}): PromptBlockSpec => ({
  name: "HOUSE",
  tier: "operating",
  layer: "L1",
  order: 35,
  source: written,
  ...change,
});

describe("the matrix of blocks", () => {
  it("has the eight of SPEC 5, each with its tier, layer and order", () =>
    expect([...blockMatrix].map(([name, { tier, layer, order }]) => `${name} ${tier} ${layer} ${order}`)).toEqual([
      "BOUNDARIES platform L1 10",
      "IDENTITY platform L1 20",
      "RULES operating L1 30",
      "ENVIRONMENT operating L1 40",
      "USER_PROFILE profile L1 50",
      "PREFERENCES profile L1 60",
      "FOCUS session L2 70",
      "ONBOARDING operating L1 80",
    ]));

  it("gives a known name everything it does not say, and the policy of its tier", () => {
    const [profile] = made([{ name: "USER_PROFILE", source: "memory" }]).blocks;
    expect(profile).toMatchObject({
      tier: "profile",
      layer: "L1",
      order: 50,
      permissions: ["read"],
      labelPrefix: "SOUL:",
      profileFields: ["name", "location", "role"],
      inherit: true,
      onSourceFailure: "omit",
    });
    expect(made([{ name: "IDENTITY", source: written }]).blocks[0]).toMatchObject({ permissions: ["read", "edit"], onSourceFailure: "fail_closed" });
    expect(made([{ name: "ONBOARDING", source: written }]).blocks[0]?.inherit).toBe(false);
  });

  it("lets a known name repeat what the matrix says, also with the space after its label", () =>
    expect(() => made([{ name: "USER_PROFILE", source: "memory", tier: "profile", labelPrefix: "SOUL: ", inherit: true }])).not.toThrow());

  it("puts blocks in order whatever order they are declared in", () =>
    expect(
      made([{ name: "ONBOARDING", source: written }, { name: "FOCUS", source: "memory" }, own(), { name: "BOUNDARIES", source: written }]).blocks.map(
        ({ name }) => name,
      ),
    ).toEqual(["BOUNDARIES", "HOUSE", "ONBOARDING", "FOCUS"]));
});

describe("a block is rejected when it is made, and the message says what to do instead", () => {
  const computed = computedSource(() => ({ content: "x", revision: "1" }), { offlineSafe: true });
  const rejected: readonly (readonly [string, PromptBlockSpec | readonly PromptBlockSpec[], string | RegExp])[] = [
    ["a learned tier with a static source", { name: "USER_PROFILE", source: written }, 'use source "memory", or an authored tier'],
    ["a learned tier with a file", { name: "FOCUS", source: fileSource(heldFile("FOCUS")) }, 'use source "memory", or an authored tier'],
    ["a learned tier with a computed source", own({ tier: "session", source: computed }), 'use source "memory", or an authored tier'],
    ["an authored tier over facts", { name: "RULES", source: "memory" }, "use the tier profile or session"],
    ["a tier against the matrix", { name: "BOUNDARIES", source: written, tier: "operating" }, "Leave tier out, or take another name"],
    ["a layer against the matrix", { name: "FOCUS", source: "memory", layer: "L1" }, "Leave layer out, or take another name"],
    ["an order against the matrix", { name: "RULES", source: written, order: 5 }, "Leave order out, or take another name"],
    ["a label against the matrix", { name: "USER_PROFILE", source: "memory", labelPrefix: "NOTE:" }, "Leave labelPrefix out, or take another name"],
    ["an inheritance against the matrix", { name: "ONBOARDING", source: written, inherit: true }, "Leave inherit out, or take another name"],
    ["a profile field the matrix has not", { name: "USER_PROFILE", source: "memory", profileFields: ["salary"] }, '"salary"'],
    ["a permission the matrix has not", { name: "BOUNDARIES", source: written, permissions: ["read", "edit"] }, 'permits "edit" where the matrix has read'],
    ["a permission to write", own({ permissions: ["write"] }), "Nothing may write, replace or delete one by itself"],
    [
      "a permission to delete, of a known name as well",
      { name: "RULES", source: written, permissions: ["delete"] },
      "Nothing may write, replace or delete one by itself",
    ],
    ["the kernel's layer", own({ layer: "L0" as never }), "L0 is the kernel's. Use one of L1, L2"],
    ["a tier that is none", own({ tier: "root" as never }), "Use one of platform, operating, profile, session"],
    ["a policy that is none", own({ onSourceFailure: "ignore" as never }), "Use one of fail_closed, omit, last_known_good"],
    ["an unknown name without a tier", { name: "HOUSE", source: written, layer: "L1", order: 35 }, "known names are BOUNDARIES"],
    ["an unknown name without an order", { name: "HOUSE", source: written, layer: "L1", tier: "operating" }, "Give it a whole number"],
    ["an order that is no place", own({ order: 3.5 }), "Give it a whole number"],
    ["a name in small letters", own({ name: "house" }), "holds at most 64 capitals"],
    ["a name with a line break, which would begin a heading", own({ name: "HOUSE\nRULES" }), "holds at most 64 capitals"],
    ["facts without a label", own({ tier: "profile", source: "memory" }), "Give labelPrefix one of SOUL:, PREFERENCE:, FOCUS:, NOTE:"],
    ["facts of a label that is none", own({ tier: "profile", source: "memory", labelPrefix: "SECRET:" }), "Give labelPrefix one of SOUL:"],
    ["a label without facts", own({ labelPrefix: "SOUL:" }), "leave labelPrefix out"],
    ["profile fields without facts", own({ profileFields: ["name"] }), "leave profileFields out"],
    [
      "a computed source that may reach out",
      own({ source: computedSource(() => ({ content: "x", revision: "1" }), { offlineSafe: false }) }),
      "use a file source",
    ],
    ["a static text that is too long", own({ source: staticSource("x".repeat(2001)) }), "has 2001 characters; at most 2000"],
    ["a stand-in that is too long", own({ source: fileSource(heldFile("X"), "x".repeat(2001)) }), "has 2001 characters; at most 2000"],
    ["a condition that is no function", own({ renderWhen: true as never }), "Give a function"],
    ["two of one name", [own(), own({ order: 36 })], "Give one of them another name"],
    ["two in one place", [own(), own({ name: "HOME" })], "Give it an order of its own"],
  ];
  it.each(rejected)("%s", (_what, specs, instead) =>
    expect(() => made([specs].flat() as PromptBlockSpec[])).toThrow(
      expect.objectContaining({ code: "bad-input", message: expect.stringContaining(instead as string) }),
    ),
  );

  it("facts where there is no store of them", () =>
    expect(() => made([{ name: "USER_PROFILE", source: "memory" }], false)).toThrow("hand over the store, or leave the block out"));

  it("a static source without a text", () => expect(() => staticSource(" \n")).toThrow("has no text"));
});

describe("a child agent", () => {
  const blocks = () =>
    made([
      { name: "BOUNDARIES", source: written },
      { name: "ONBOARDING", source: staticSource("Ask for the name.") },
      own({ name: "PRIVATE", inherit: false }),
    ]);

  it("is given a frozen snapshot of what is inherited, and no way to change it", async () => {
    const snapshot = await childSnapshot(blocks(), ["reply"]);
    expect(snapshot.map(({ name, text }) => [name, text])).toEqual([["BOUNDARIES", "BOUNDARIES\nBe kind."]]);
    expect([Object.isFrozen(snapshot), ...snapshot.map(Object.isFrozen)]).toEqual([true, true]);
  });

  it.each(["block_edit", "edit_block", "tool:prompt_block_replace", "memory_block_append", "delete_blocks"])("is refused the tool %s", async (tool) => {
    await expect(childSnapshot(blocks(), ["reply", tool])).rejects.toThrow("blocks are the user's to edit");
  });

  it("is not given a snapshot where a block fails closed", async () => {
    const failing = made([{ name: "RULES", source: fileSource(heldFile("RULES", new Error("gone"))) }]);
    await expect(childSnapshot(failing, [])).rejects.toThrow("gone");
  });
});

describe("no tool edits blocks", () => {
  it("none that is built in, and none can be added", () => {
    expect([...toolRegistry.keys()].filter((id) => /block/iu.test(id))).toEqual([]);
    const reply = [...toolRegistry.values()][0];
    if (!reply) throw new Error("no tool at all");
    expect(() => withTools([{ ...reply, id: "block_edit" }])).toThrow("which is the user's alone to edit");
    expect(() => withTools([{ ...reply, id: "block_sender" }])).not.toThrow();
  });
});
