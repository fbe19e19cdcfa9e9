import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { invocationOf } from "#core/skills/index.ts";
import {
  defineTool,
  mostOffered,
  type OfferedEntry,
  type OfferedSources,
  offeredForms,
  offeredSet,
  skillEntry,
  stepChoices,
  toolEntry,
  toolForm,
  toolsForGoal,
  withTools,
} from "#core/tools/index.ts";

const tool = (id: string): OfferedEntry => toolEntry({ id });
const tools = (...ids: readonly string[]): OfferedEntry[] => ids.map(tool);
const sources = (change: Partial<OfferedSources> = {}): OfferedSources => ({
  core: [],
  skill: [],
  semantic: [],
  escape: [],
  rules: [],
  named: tool,
  ...change,
});
const offered = (change: Partial<OfferedSources>, most?: number): string[] => offeredSet(sources(change), most).map(({ name }) => name);

describe("what is offered", () => {
  it("is core, then skill, then semantic, then the escape hatch, each thing once", () =>
    expect(offered({ core: tools("reply", "open"), skill: tools("publish", "open"), semantic: tools("chart", "publish"), escape: tools("ask_user") })).toEqual([
      "reply",
      "open",
      "publish",
      "chart",
      "ask_user",
    ]));

  it("is at most eight, and the escape hatch always has room", () => {
    const many = tools("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
    expect(offered({ core: many, escape: tools("ask_user", "skill_leave") })).toEqual(["a", "b", "c", "d", "e", "f", "ask_user", "skill_leave"]);
  });

  it("has with each tool what a rule names, directly ahead of it and in the order of the rules", () =>
    expect(
      offered({ core: tools("reply"), skill: tools("publish"), escape: tools("ask_user"), rules: [{ before: ["status", "quota"], actions: ["publish"] }] }),
    ).toEqual(["reply", "status", "quota", "publish", "ask_user"]));

  it("puts a tool that would come later ahead of the one it must come before", () =>
    expect(offered({ skill: tools("publish"), semantic: tools("status"), rules: [{ before: ["status"], actions: ["publish"] }] })).toEqual([
      "status",
      "publish",
    ]));

  it("follows rules about the tools that rules name, and ends where they go round in a circle", () =>
    expect(
      offered({
        skill: tools("publish"),
        rules: [
          { before: ["status"], actions: ["publish"] },
          { before: ["sign_in"], actions: ["status"] },
          { before: ["publish"], actions: ["sign_in"] },
        ],
      }),
    ).toEqual(["sign_in", "status", "publish"]));

  it("leaves out a tool where there is no room for what must come before it", () =>
    expect(offered({ core: tools("a", "b"), skill: tools("publish", "chart"), rules: [{ before: ["status"], actions: ["publish"] }] }, 3)).toEqual([
      "a",
      "b",
      "chart",
    ]));

  it("offers a guarded tool also where the tool that a rule names is not there: the gate refuses it", () =>
    expect(offered({ skill: tools("publish"), rules: [{ before: ["status"], actions: ["publish"] }], named: () => null })).toEqual(["publish"]));

  it("says of each entry what it is and who made it", () =>
    expect(
      offeredSet(
        sources({
          core: [toolEntry({ id: "reply" })],
          skill: [toolEntry({ id: "publish", author: "mcp:news" }), skillEntry({ name: "announce" }, "human:Kim")],
        }),
      ),
    ).toEqual([
      { id: "tool:reply", kind: "tool", name: "reply", author: "knack" },
      { id: "tool:publish", kind: "tool", name: "publish", author: "mcp:news" },
      { id: "skill:announce", kind: "skill", name: "announce", author: "human:Kim" },
    ]));

  it("has a tool and a skill of one name apart, each under its id", () => {
    const both = offeredSet(sources({ core: [tool("announce")], skill: [skillEntry({ name: "announce" }, "human:Kim")] }));
    expect(both.map(({ id }) => id)).toEqual(["tool:announce", "skill:announce"]);
    expect(both.map(({ id }) => invocationOf(id))).toEqual([
      { kind: "tool", name: "announce" },
      { kind: "skill", name: "announce" },
    ]);
  });

  it("a rule about a tool says nothing of a skill of that name", () =>
    expect(offeredSet(sources({ skill: [skillEntry({ name: "publish" }, "human:Kim")], rules: [{ before: ["status"], actions: ["publish"] }] }))).toHaveLength(
      1,
    ));

  it("maps the names of skills, and never those of tools", () => {
    expect([skillEntry({ name: "Order_Groceries" }, "human:Kim").id, invocationOf("skill:Order_Groceries").name]).toEqual([
      "skill:order-groceries",
      "order-groceries",
    ]);
    expect([invocationOf("tool:Order_Groceries"), invocationOf("Order_Groceries")].map(({ name }) => name)).toEqual(["Order_Groceries", "Order_Groceries"]);
    expect(() => invocationOf("skill:no/name")).toThrow(/cannot be a skill's name/u);
  });

  it("never is more than eight, never twice, and never a guarded tool ahead of what must come before it", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k");
    const list = fc.array(id, { maxLength: 8 });
    fc.assert(
      fc.property(
        list,
        list,
        list,
        fc.array(id, { maxLength: 3 }),
        fc.array(id, { minLength: 1, maxLength: 3 }),
        id,
        (core, skill, semantic, escape, before, action) => {
          fc.pre(!before.includes(action) && !escape.includes(action));
          const found = offered({
            core: tools(...core),
            skill: tools(...skill),
            semantic: tools(...semantic),
            escape: tools(...escape),
            rules: [{ before, actions: [action] }],
          });
          expect(found.length).toBeLessThanOrEqual(mostOffered);
          expect(new Set(found).size).toBe(found.length);
          if (!found.includes(action)) return;
          const needed = [...new Set(before)].filter((one) => !escape.includes(one));
          for (const one of needed) expect(found.indexOf(one)).toBeLessThan(found.indexOf(action));
          for (const one of needed) expect(found).toContain(one);
        },
      ),
    );
  });
});

const made = (id: string, args: z.ZodType, description = id) => defineTool({ id, primitive: null, description, args, run: async () => ({ text: "" }) });

describe("how a step calls a tool", () => {
  it("is read from its schema: what is listed first, one free text last, optional arguments left out", () =>
    expect(toolForm(made("publish", z.object({ text: z.string(), channel: z.enum(["slack", "mail"]), note: z.string().optional() })))).toEqual({
      tool: "publish",
      args: [
        ["channel", { kind: "choice", choices: ["slack", "mail"] }],
        ["text", { kind: "text" }],
      ],
    }));
  it("takes the arguments that a rule gives", () =>
    expect(toolForm(made("status", z.object({ channel: z.string(), region: z.string().optional() })), { channel: "slack", region: "EU" })).toEqual({
      tool: "status",
      args: [
        ["channel", { kind: "choice", choices: ["slack"] }],
        ["region", { kind: "choice", choices: ["EU"] }],
      ],
    }));
  it("is none where the grammar cannot write it", () => {
    expect(toolForm(made("two", z.object({ a: z.string(), b: z.string() })))).toBeNull();
    expect(toolForm(made("count", z.object({ a: z.number() })))).toBeNull();
  });
  it("without arguments is one choice", () =>
    expect(stepChoices([toolForm(made("status", z.object({}))) as never])).toEqual([{ text: '{"tool":"status","args":{}}' }]));
});

describe("tools from elsewhere", () => {
  it("are found by the words they share with the goal, most of them first", () => {
    const all = [
      made("chart", z.object({}), "draws a chart"),
      made("publish_announcement", z.object({}), "publishes it"),
      made("archive", z.object({}), "archives announcements"),
    ];
    expect(toolsForGoal(all, "Publish the announcement that we ship on Friday").map(({ id }) => id)).toEqual(["publish_announcement", "archive"]);
  });
  it.each([
    ["an id that is taken", "reply"],
    ["the host's own step", "skill_leave"],
    ["an id with a colon", "tool:x"],
    ["an empty id", ""],
  ])("%s is refused", (_what, id) => expect(() => withTools([made(id, z.object({}))])).toThrow());
  it("join those that are built in", () =>
    expect([...withTools([made("publish", z.object({}))]).keys()]).toEqual(expect.arrayContaining(["reply", "publish"])));
});

describe("the forms of a step", () => {
  it("hold what rules bring along ahead of what they guard, without what is held back", () => {
    const form = (name: string) => ({ tool: name, args: [] });
    const of = (heldBack: readonly string[]) =>
      offeredForms({
        page: null,
        without: new Set(),
        urls: [],
        texts: null,
        mayPress: false,
        mayReply: true,
        mayLeave: false,
        mayAct: true,
        hasWorkspace: false,
        memory: null,
        skills: null,
        beyond: {
          skill: [],
          semantic: [form("publish")],
          rules: [{ before: ["status"], actions: ["publish"] }],
          ruleForms: [form("status")],
          heldBack: new Set(heldBack),
        },
      }).map((one) => one.tool);
    expect([of([]), of(["publish"])]).toEqual([
      ["reply", "status", "publish"],
      ["reply", "status"],
    ]);
  });
});
