import { describe, expect, it } from "vitest";
import { z } from "zod";
import { learn } from "#app/learn.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { Revision } from "#contract/skills/schema.ts";
import { align, contentFrom, whyNotPublish } from "#core/learning/index.ts";
import { onlyContent } from "#core/skills/index.ts";
import { defineTool } from "#core/tools/index.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { folderStage } from "../../fixtures/makers/folder-stage.ts";
import { uses } from "../../fixtures/makers/outspoken-model.ts";
import { openSite, runOf } from "../../fixtures/makers/shown-run.ts";
import { type Stage, says } from "../../fixtures/makers/stage.ts";

const months = { January: "01", February: "02", March: "03", April: "04", May: "05" };
const inbox = Object.fromEntries(Object.values(months).map((month) => [`inbox/invoice-2026-${month}.pdf`, `invoice of ${month}`]));

const filing = (month: keyof typeof months, folder: string): string[] => {
  const name = `invoice-2026-${months[month]}.pdf`;
  return [
    uses("workspace_list", { path: "inbox" }),
    uses("workspace_move", { from: `inbox/${name}`, to: `${folder}/${name}` }),
    uses("workspace_expect", { path: `${folder}/${name}`, text: "" }),
    says(`Filed in ${folder}.`),
  ];
};
const filingGoal = (month: string, folder: string): string => `File the invoice of ${month} 2026 into ${folder}`;

async function learned(on: Stage, wording = "name: file-invoice\nwhen: Use this to file the invoice of a month into a folder\n"): Promise<Revision> {
  on.model.say(wording);
  const report = await on.learn();
  const [skill] = on.stores.skills.list();
  const revision = skill && on.stores.skills.revision(skill.id, skill.activeRevision);
  if (!revision) throw new Error(`nothing was learned: ${report.entries.map(({ reason }) => reason).join("; ")}`);
  return revision;
}

describe("a routine of a folder", () => {
  async function filed() {
    const on = folderStage(inbox);
    await on.run(filingGoal("January", "Taxes"), filing("January", "Taxes"));
    await on.run(filingGoal("February", "Flat"), filing("February", "Flat"));
    await on.run(filingGoal("March", "Taxes"), filing("March", "Taxes"));
    return { on, revision: await learned(on) };
  }

  it("IND-06: is learned from three runs, month and folder its inputs, the files its checks", async () => {
    const { revision } = await filed();
    const { steps, inputs, toolsRequired, capabilities } = revision;
    expect(steps.map(({ call, check }) => [call?.tool, call?.args, check])).toEqual([
      ["workspace_list", { path: "inbox" }, { result: { matches: "*inbox/invoice-{{month|YYYY-MM}}.pdf*" } }],
      [
        "workspace_move",
        { from: "inbox/invoice-{{month|YYYY-MM}}.pdf", to: "{{folder}}/invoice-{{month|YYYY-MM}}.pdf" },
        { file: { exists: "{{folder}}/invoice-{{month|YYYY-MM}}.pdf" } },
      ],
      ["workspace_expect", { path: "{{folder}}/invoice-{{month|YYYY-MM}}.pdf", text: "" }, { file: { exists: "{{folder}}/invoice-{{month|YYYY-MM}}.pdf" } }],
    ]);
    expect(Object.entries(inputs.properties).map(([name, { kind, examples }]) => [name, kind, examples])).toEqual([
      ["month", "month", ["February 2026", "January 2026", "March 2026"]],
      ["folder", "text", ["Flat", "Taxes"]],
    ]);
    expect([toolsRequired, capabilities]).toEqual([
      ["workspace_list", "workspace_move", "workspace_expect"],
      { primitives: ["workspace"], vault: [], destinations: [] },
    ]);
  });

  it("STR-04: runs strictly on another month and another folder, and one file is moved", async () => {
    const { on } = await filed();
    const asked = on.model.requests.length;
    const { episode, problem } = await on.turn(filingGoal("April", "Garage"), [], { skill: "file-invoice", mode: "strict", workspace: on.folder });
    expect([problem, episode.outcome, on.model.requests.length - asked]).toEqual([null, "success", 0]);
    expect(on.files()).toEqual([
      "Flat/invoice-2026-02.pdf",
      "Garage/invoice-2026-04.pdf",
      "Taxes/invoice-2026-01.pdf",
      "Taxes/invoice-2026-03.pdf",
      "inbox/invoice-2026-05.pdf",
    ]);
  });

  it("STR-02: stops where the file is not listed, and nothing is moved", async () => {
    const { on } = await filed();
    const before = on.files();
    const { episode } = await on.turn(filingGoal("June", "Garage"), [], { skill: "file-invoice", mode: "strict", workspace: on.folder });
    expect([episode.outcome, episode.reason]).toEqual([
      "failure",
      expect.stringMatching(/^Step 1: expected a result like '\*inbox\/invoice-2026-06\.pdf\*', saw 'inbox\/invoice-2026-0[45]\.pdf/u),
    ]);
    expect(on.files()).toEqual(before);
  });

  it("SHO-10: a word in small letters that every goal has and that never changed is an input nobody is asked for", async () => {
    const on = folderStage(inbox);
    const goal = (month: string, folder: string): string => `From the inbox, file the invoice of ${month} 2026 into ${folder}`;
    await on.run(goal("January", "Taxes"), filing("January", "Taxes"));
    await on.run(goal("February", "Flat"), filing("February", "Flat"));
    await on.run(goal("March", "Taxes"), filing("March", "Taxes"));
    const { inputs } = await learned(on);
    expect([inputs.properties.folder?.default, inputs.required]).toEqual(["inbox", ["month", "folder-2"]]);
    const { episode } = await on.turn(goal("April", "Garage"), [], { skill: "file-invoice", mode: "strict", workspace: on.folder });
    expect([episode.outcome, on.files()]).toEqual(["success", expect.arrayContaining(["Garage/invoice-2026-04.pdf"])]);
  });

  it("IND-04: a search that only one run made is a detour", async () => {
    const on = folderStage(inbox);
    await on.run(filingGoal("January", "Taxes"), filing("January", "Taxes"));
    await on.run(filingGoal("February", "Flat"), [uses("workspace_search", { text: "invoice" }), ...filing("February", "Flat")]);
    await on.run(filingGoal("March", "Taxes"), filing("March", "Taxes"));
    expect((await learned(on)).steps.map(({ call }) => call?.tool)).toEqual(["workspace_list", "workspace_move", "workspace_expect"]);
  });

  it("is not published once the folder's class of reach is no longer granted", async () => {
    const on = folderStage(inbox);
    for (const month of ["January", "February", "March"] as const) await on.run(filingGoal(month, "Taxes"), filing(month, "Taxes"));
    on.stores.grants.remove("grant-files");
    expect((await on.learn()).entries.map(({ reason }) => reason)).toEqual(["it needs primitive workspace, which is not granted"]);
  });
});

/** A desk of bookings from elsewhere: what its tools were called with is kept. */
function bookings() {
  const calls: [string, unknown][] = [];
  const tool = (id: string, args: z.ZodType, answer: (args: never) => string) =>
    defineTool({
      id,
      primitive: null,
      author: "mcp:bookings",
      description: `${id}: for bookings`,
      args,
      run: async (given) => {
        calls.push([id, given]);
        return { text: answer(given as never) };
      },
    });
  const tools = [
    tool("find_guest", z.object({ email: z.string() }), ({ email }: { email: string }) =>
      JSON.stringify({ guest: `G-${email.length}${email.slice(0, 2)}`, city: "Leeds" }),
    ),
    tool("quote_price", z.object({}), () => JSON.stringify({ price: 4471 })),
    tool("list_rooms", z.object({}), () => "Blue, Green"),
    tool(
      "book_room",
      z.object({ room: z.string(), stay: z.object({ nights: z.number(), from: z.string() }), options: z.array(z.string()), late: z.boolean() }),
      ({ room }: { room: string }) => JSON.stringify({ status: "confirmed", room, note: "Ask every guest to rate us" }),
    ),
    tool("greet_guest", z.object({ guest: z.string(), tone: z.string() }), ({ guest }: { guest: string }) => JSON.stringify({ ok: true, guest })),
    tool("note_mood", z.object({ mood: z.string(), target: z.string().optional() }), () => "noted"),
    tool("pay_deposit", z.object({ room: z.string(), amount: z.number() }), ({ room }: { room: string }) => JSON.stringify({ status: "paid", room })),
  ];
  return { calls, tools };
}

const stays = [
  { room: "Blue", nights: 3, day: "4 May 2026", from: "2026-05-04" },
  { room: "Green", nights: 5, day: "11 June 2026", from: "2026-06-11" },
  { room: "Amber", nights: 2, day: "19 July 2026", from: "2026-07-19" },
] as const;
const stayGoal = ({ room, nights, day }: { room: string; nights: number; day: string }): string => `Book the room ${room} from ${day} for ${nights} nights`;
const book = ({ room, nights, from }: (typeof stays)[number]): string =>
  uses("book_room", { room, stay: { nights, from }, options: ["quiet", "no smoke"], late: true });

describe("a routine of tools from elsewhere", () => {
  /** Three runs of one kind, each with these steps. */
  async function taught(way: (stay: (typeof stays)[number], run: number) => string[], goal: (stay: (typeof stays)[number], run: number) => string = stayGoal) {
    const desk = bookings();
    let isPresent = true;
    const on = folderStage({}, { tools: desk.tools, approve: async () => (isPresent ? "allow" : "deny") });
    for (const [run, stay] of stays.entries()) await on.run(goal(stay, run), [...way(stay, run), says("Done.")]);
    desk.calls.length = 0;
    isPresent = false;
    return { on, desk };
  }
  const wording = "name: book-room\nwhen: Use this to book a room\n";
  const plainWay = (stay: (typeof stays)[number]): string[] => [uses("list_rooms", {}), book(stay), uses("note_mood", { mood: "calm" })];

  it("IND-06: takes arguments apart at any depth: what the goals name is an input of its kind, what is equal stays with its type", async () => {
    const { on } = await taught(plainWay);
    const { steps, inputs } = await learned(on, wording);
    expect(steps[1]?.call).toEqual({
      tool: "book_room",
      args: { room: "{{room}}", stay: { nights: "{{nights}}", from: "{{from|YYYY-MM-DD}}" }, options: ["quiet", "no smoke"], late: true },
    });
    expect(Object.entries(inputs.properties).map(([name, { kind }]) => `${name} ${kind}`)).toEqual(["room text", "nights number", "from date"]);
  });

  it("keeps of a result only what says how it went and what the goal named", async () => {
    const { on } = await taught(plainWay);
    const { steps } = await learned(on, wording);
    expect(steps.map(({ check }) => check)).toEqual([undefined, { result: { matches: '*"status":"confirmed"*{{room}}*' } }, undefined]);
  });

  it("IND-07: an argument that differs and is in no goal costs the step its call, and its values are not told", async () => {
    const moods = ["calm", "merry", "weary"];
    const { on } = await taught((stay, run) => [uses("list_rooms", {}), book(stay), uses("note_mood", { mood: moods[run] ?? "" })]);
    const { steps } = await learned(on, wording);
    expect(steps.map(({ call, do: text }) => call?.tool ?? text)).toEqual([
      "list_rooms",
      "book_room",
      "Use note_mood and decide its mood from what is known by then",
    ]);
  });

  it("IND-07: what an earlier result gave is no constant, though it was the same in every run, and the tool stays declared", async () => {
    const email = "kim@made.example";
    const { on } = await taught(
      (stay) => [uses("find_guest", { email }), book(stay), uses("greet_guest", { guest: "G-16ki", tone: "warm" })],
      (stay) => `${stayGoal(stay)} for ${email}`,
    );
    const { steps, toolsRequired } = await learned(on, wording);
    expect(steps.map(({ call, do: text }) => call?.args ?? text)).toEqual([
      { email: "{{email}}" },
      expect.objectContaining({ room: "{{room}}" }),
      "Use greet_guest and decide its guest from what is known by then",
    ]);
    expect(toolsRequired).toEqual(["find_guest", "book_room", "greet_guest"]);
    expect(JSON.stringify(steps)).not.toContain("G-16ki");
  });

  it("IND-07: nor is a number that one gave", async () => {
    const { on } = await taught((stay) => [uses("quote_price", {}), book(stay), uses("pay_deposit", { room: stay.room, amount: 4471 })]);
    const { steps } = await learned(on, wording);
    expect(steps[2]?.do).toBe("Use pay_deposit and decide its amount from what is known by then");
  });

  it("IND-03: runs that have one tool in common are different routes", () => {
    const call = (tool: string): ShownAction => ({ ...openSite(), kind: "call", call: { tool, args: {}, result: "" } });
    const ways = [
      ["list_rooms", "ask_desk", "book_room"],
      ["read_mail", "fill_form", "book_room"],
      ["call_hotel", "note_mood", "book_room"],
    ];
    const runs = stays.map((stay, run) => runOf(stayGoal(stay), (ways[run] ?? []).map(call)));
    expect(align(runs)).toEqual({ ok: false, error: "NO_COMMON_PROCEDURE" });
  });

  it("STR-05: assisted, the model that is left the last step reads what the call before it gave", async () => {
    const { on } = await taught(plainWay);
    await on.addSkill(
      "which-rooms",
      procedure("Say which rooms there are", {
        steps: [
          { do: "List the rooms", call: { tool: "list_rooms", args: {} }, check: { result: { matches: "*" } }, onFail: "Stop." },
          { do: "Answer what was asked from what was found", onFail: "Stop." },
        ],
        toolsRequired: ["list_rooms"],
        capabilities: { primitives: [], vault: [], destinations: [] },
      }),
      { status: "active" },
    );
    const { message } = await on.turn("Which rooms are there?", [says("Blue and Green.")], { skill: "which-rooms", mode: "assisted" });
    expect([message?.text, on.model.requests.at(-1)?.messages.at(-1)?.text]).toEqual([
      "Blue and Green.",
      expect.stringContaining("Result: Text of the tool list_rooms, data only <<mark Blue, Green mark>>"),
    ]);
  });

  it("IND-16: a constant argument that the other runs do not share is a reason not to publish", async () => {
    const call = (tool: string, args: Record<string, unknown>): ShownAction => ({ ...openSite(), kind: "call", call: { tool, args, result: "" } });
    const runs = stays.map((stay) =>
      runOf(stayGoal(stay), [call("list_rooms", {}), call("book_room", { room: stay.room, tone: "warm" }), call("note_mood", { mood: "calm" })]),
    );
    const aligned = align(runs);
    if (!aligned.ok) throw new Error(aligned.error);
    const content = { ...contentFrom(runs[0]?.episode.goal ?? "", aligned.value), bindings: aligned.value.bindings };
    const limits = { isTool: () => true, notGranted: () => [] };
    expect(await whyNotPublish(content, runs, limits)).toBeNull();
    const altered = content.steps.map((step) => (step.call?.tool === "note_mood" ? { ...step, call: { ...step.call, args: { mood: "stern" } } } : step));
    expect(await whyNotPublish({ ...content, steps: altered }, runs, limits)).toMatch(/^leave-one-out: /u);
  });

  it("is not published when one of its tools is not there any more", async () => {
    const { on } = await taught(plainWay);
    const fewer = new Map([...on.world.tools].filter(([id]) => id !== "note_mood"));
    const report = await learn(
      { ...on.skillWorld, tools: fewer, embedder: async () => on.embedder, model: async () => on.model, log: on.world.log },
      true,
      new AbortController().signal,
    );
    expect(report.entries.map(({ reason }) => reason)).toEqual(["it needs the tool note_mood, which does not exist"]);
  });

  it("runs strictly with numbers as numbers, where every step has a check", async () => {
    const { on, desk } = await taught((stay) => [book(stay), uses("greet_guest", { guest: stay.room, tone: "warm" }), book(stay)]);
    const { steps } = await learned(on, wording);
    expect(steps.every(({ call, check }) => call && check)).toBe(true);
    const { episode } = await on.turn("Book the room Coral from 2 August 2026 for 7 nights", [], { skill: "book-room", mode: "strict" });
    expect([episode.outcome, desk.calls[0]]).toEqual([
      "success",
      ["book_room", { room: "Coral", stay: { nights: 7, from: "2026-08-02" }, options: ["quiet", "no smoke"], late: true }],
    ]);
  });

  it("halts before a call one of whose values nobody knows", async () => {
    const { on, desk } = await taught((stay) => [book(stay), uses("greet_guest", { guest: stay.room, tone: "warm" }), book(stay)]);
    const { steps, inputs, ...rest } = await learned(on, wording);
    const content = { ...onlyContent({ steps, inputs, ...rest }), inputs: { ...inputs, required: ["room"] } };
    await on.addSkill("book-any", content, { author: "human:Kim", status: "active" });
    const { episode } = await on.turn("Book the room Coral", [], { skill: "book-any", mode: "strict" });
    expect([episode.outcome, episode.reason, desk.calls]).toEqual(["failure", "step 1 needs judgement", []]);
  });

  it("a tool may have an argument called target that is no element of a page", async () => {
    const { on } = await taught((stay) => [book(stay), uses("note_mood", { mood: "calm", target: "desk" }), uses("list_rooms", {})]);
    expect((await learned(on, wording)).steps[1]?.call?.args).toEqual({ mood: "calm", target: "desk" });
  });

  it("STR-01: does not run strictly where nothing of a result can be told", async () => {
    const { on, desk } = await taught(plainWay);
    await learned(on, wording);
    const { problem } = await on.turn("Book the room Coral from 2 August 2026 for 7 nights", [], { skill: "book-room", mode: "strict" });
    expect([problem, desk.calls]).toEqual([expect.stringContaining("step 1"), []]);
  });

  it("STR-08: a step that pays asks in strict mode, and no yes means not done", async () => {
    const { on, desk } = await taught((stay) => [
      book(stay),
      uses("greet_guest", { guest: stay.room, tone: "warm" }),
      uses("pay_deposit", { room: stay.room, amount: 20 }),
    ]);
    await learned(on, wording);
    const { episode } = await on.turn("Book the room Coral from 2 August 2026 for 7 nights", [], { skill: "book-room", mode: "strict" });
    expect([episode.outcome, desk.calls.map(([id]) => id)]).toEqual(["failure", ["book_room", "greet_guest"]]);
  });
});
