import { describe, expect, it } from "vitest";
import { type Aligned, align, contentFrom, type LearnableEpisode, whyNotPublish } from "#core/learning/index.ts";
import { choose, clickOn, fileCame, openSite, runOf, typeIn } from "../../fixtures/makers/shown-run.ts";

const aligned = (runs: readonly LearnableEpisode[]): Aligned => {
  const made = align(runs);
  if (!made.ok) throw new Error(made.error);
  return made.value;
};
const steps = (runs: readonly LearnableEpisode[]): string[] => aligned(runs).steps.map((step) => step.do);
const whyNot = (runs: readonly LearnableEpisode[]): Promise<string | null> => {
  const made = aligned(runs);
  return whyNotPublish({ ...contentFrom(runs[0]?.episode.goal ?? "", made), bindings: made.bindings }, runs, {
    isTool: () => true,
    notGranted: () => [],
  });
};

const titles = ["The Salt Road", "Night Ferries", "A Field Guide to Moss"];
const renewed = (goal: string, row: string): LearnableEpisode =>
  runOf(goal, [openSite(), clickOn("link", "Loans"), clickOn("button", "Renew", { within: row, siblings: ["Renew", "Renew"] })]);

describe("rows that differ", () => {
  it("IND-07: and are in no goal need judgement, and the note says so", async () => {
    const runs = ["Renew my book", "Extend my loan", "Please renew it"].map((goal, index) => renewed(goal, titles[index] ?? ""));
    const made = aligned(runs);
    expect(made.steps.at(-1)?.call).toBeUndefined();
    expect(made.steps.at(-1)?.do).toBe(`Decide in which row to press Renew (${titles.join(", ")})`);
    expect(made.notes.join()).toContain("The Salt Road, Night Ferries, A Field Guide to Moss");
    expect(await whyNot(runs)).toBeNull();
  });
  it("IND-07: a row that was the same every time stays as it is", () => {
    expect(steps(["Renew my book", "Extend my loan", "Please renew it"].map((goal) => renewed(goal, "Moss"))).at(-1)).toBe(
      'Click the button "Renew" in the row of Moss',
    );
  });
  it("are an input where two of three goals name theirs", async () => {
    const runs = [
      renewed("Renew The Salt Road", "The Salt Road"),
      renewed("Renew Night Ferries", "Night Ferries"),
      renewed("Extend my loan", "A Field Guide to Moss"),
    ];
    expect(aligned(runs).steps.at(-1)?.call?.args["target"]).toEqual({ role: "button", name: "Renew", within: "{{item}}" });
    expect(aligned(runs).inputs["item"]?.examples).toEqual(["Salt Road", "Night Ferries"]);
    expect(await whyNot(runs)).toBeNull();
  });
  it("IND-05: so does a row that is the first of two presses", () => {
    const runs = titles.map((title, index) =>
      runOf(`Give one back, ${["please", "thanks", "now"][index] ?? ""}`, [
        openSite(),
        clickOn("link", "Loans"),
        clickOn("link", "Details", { within: title }),
        clickOn("button", "Return"),
      ]),
    );
    expect(aligned(runs).steps[2]).toEqual({ do: `Decide in which row to press Details (${[...titles].join(", ")})`, onFail: expect.any(String) as string });
  });
});

describe("goals worded as people word them", () => {
  const lent = (goal: string, title: string): LearnableEpisode =>
    runOf(goal, [openSite(), clickOn("link", "Loans"), clickOn("button", "Renew", { within: title, siblings: ["Renew", "Renew"] })]);
  it("IND-06: a link that two of the goals happen to speak of does not number the inputs after it", async () => {
    const runs = [
      lent('Renew my loans: "The Salt Road"', "The Salt Road"),
      lent("Please renew my loans now, it is Night Ferries", "Night Ferries"),
      lent("I want to renew my books, A Field Guide to Moss", "A Field Guide to Moss"),
    ];
    const made = aligned(runs);
    expect(made.steps.map((step) => step.do)).toEqual([
      "Open https://made.example/",
      'Click the link "Loans"',
      'Click the button "Renew" in the row of {{item}}',
    ]);
    expect([Object.keys(made.inputs), made.required]).toEqual([["item"], ["item"]]);
    expect(made.bindings.map(({ inputs }) => inputs)).toEqual([{ item: "The Salt Road" }, { item: "Night Ferries" }, { item: "Field Guide to Moss" }]);
    expect(await whyNot(runs)).toBeNull();
  });
  it("IND-06: nor does a value that only one run typed elsewhere", () => {
    const runs = [
      runOf("Download the gas bill for May 2026", [
        openSite(),
        typeIn("Search", "gas bill"),
        clickOn("button", "Search"),
        clickOn("button", "Download May 2026 gas bill"),
        fileCame("gas-2026-05.pdf"),
      ]),
      ...["June", "July"].map((month) =>
        runOf(`Download the gas bill for ${month} 2026`, [openSite(), clickOn("link", "Bills"), clickOn("button", `Download ${month} 2026 gas bill`)]),
      ),
    ];
    // The link was pressed in two of three, the search in one: both are detours.
    expect(steps(runs)).toEqual(["Open https://made.example/", 'Click the button "Download {{month|MMMM YYYY}} gas bill"']);
    expect(Object.keys(aligned(runs).inputs)).toEqual(["month"]);
  });
  it("two values that are the same in one run stay two inputs", () => {
    const runs = (
      [
        ["Oslo", "Oslo"],
        ["Bergen", "Turku"],
        ["Lund", "Narvik"],
      ] as const
    ).map(([from, to]) =>
      runOf(`Send the box from ${from} to ${to}`, [openSite(), typeIn("Origin", from), typeIn("Destination", to), clickOn("button", "Dispatch")]),
    );
    const made = aligned(runs);
    expect(made.steps.map((step) => step.do)).toEqual([
      "Open https://made.example/",
      'Fill the textbox "Origin" with {{origin}}',
      'Fill the textbox "Destination" with {{destination}}',
      'Click the button "Dispatch"',
    ]);
    expect(made.bindings.map(({ inputs }) => inputs)).toEqual([
      { origin: "Oslo", destination: "Oslo" },
      { origin: "Bergen", destination: "Turku" },
      { origin: "Lund", destination: "Narvik" },
    ]);
  });
});

describe("a link that differs from run to run", () => {
  const clubs = ["Chess club", "Choir", "Football"];
  const joined = (goal: string, club: string): LearnableEpisode =>
    runOf(goal, [openSite(), clickOn("link", club, { siblings: clubs.filter((one) => one !== club) }), clickOn("link", "Forms"), clickOn("button", "Join")]);
  it("IND-07: and is in no goal needs judgement", async () => {
    const runs = ["Join a club", "Sign me up for something", "Enrol me please"].map((goal, index) => joined(goal, clubs[index] ?? ""));
    expect(steps(runs)).toEqual([
      "Open https://made.example/",
      "Decide which to press (Chess club, Choir, Football)",
      'Click the link "Forms"',
      'Click the button "Join"',
    ]);
    expect(aligned(runs).notes.join()).toContain("Chess club, Choir, Football");
    expect(await whyNot(runs)).toBeNull();
  });
  it("IND-06: is an input where two of three goals name it", async () => {
    const runs = [joined("Join the Choir", "Choir"), joined("Sign me up for Football", "Football"), joined("Enrol me please", "Chess club")];
    expect(aligned(runs).steps[1]?.call?.args["target"]).toEqual({ role: "link", name: "{{item}}" });
    expect(await whyNot(runs)).toBeNull();
  });
  it("IND-07: needs judgement where only one names it", () => {
    const runs = [joined("Join the Choir", "Choir"), joined("Sign me up", "Football"), joined("Enrol me please", "Chess club")];
    expect(steps(runs)[1]).toMatch(/^Decide which to press/u);
    expect(aligned(runs).inputs).toEqual({});
  });
  it("is not dropped where goals name it in part", () => {
    const runs = [joined("Join the chess people", "Chess club"), joined("Sign me up for singing", "Choir"), joined("Enrol me for football games", "Football")];
    expect(aligned(runs).steps).toHaveLength(4);
  });
  it("IND-04: a link that only some runs pressed stays a detour", () => {
    const bare = (goal: string): LearnableEpisode => runOf(goal, [openSite(), clickOn("link", "Forms"), clickOn("button", "Join")]);
    expect(steps([bare("Join a club"), joined("Sign me up", "Choir"), joined("Enrol me", "Football")])).toEqual([
      "Open https://made.example/",
      'Click the link "Forms"',
      'Click the button "Join"',
    ]);
  });
  it("IND-07: at the end too", () => {
    const read = (goal: string, name: string): LearnableEpisode => runOf(goal, [openSite(), clickOn("link", "Notices"), clickOn("link", name)]);
    expect(steps([read("Show me news", "Harvest fair"), read("Any news", "Road works"), read("Open a notice", "New bins")])[2]).toBe(
      "Decide which to press (Harvest fair, Road works, New bins)",
    );
  });
  it("IND-03: buttons that differ at the end are other routines", () => {
    const did = (goal: string, name: string): LearnableEpisode => runOf(goal, [openSite(), clickOn("link", "Loan"), clickOn("button", name)]);
    expect(align([did("Do it", "Cancel"), did("Go on", "Confirm"), did("Please", "Print")]).ok).toBe(false);
  });
});

describe("relative dates", () => {
  it("are read with the day each run took place", () => {
    const booked = (createdAt: number, day: string): LearnableEpisode =>
      runOf("Book a desk for tomorrow", [openSite(), typeIn("Day", day), clickOn("button", "Book")], createdAt);
    const made = aligned([
      booked(Date.UTC(2027, 0, 10, 12), "2027-01-11"),
      booked(Date.UTC(2027, 0, 20, 12), "2027-01-21"),
      booked(Date.UTC(2027, 1, 1, 12), "2027-02-02"),
    ]);
    expect(made.steps[1]?.call?.args["text"]).toBe("{{day|YYYY-MM-DD}}");
    expect(made.bindings.map(({ inputs }) => inputs["day"])).toEqual(["2027-01-11", "2027-01-21", "2027-02-02"]);
  });
});

describe("fields filled in another order", () => {
  const fields = (room: string, name: string): [string, string][] => [
    ["Room", room],
    ["Name", name],
    ["Note", "none"],
  ];
  const sent = (room: string, name: string, order: readonly number[]): LearnableEpisode =>
    runOf(`Reserve ${room} for ${name}`, [
      openSite(),
      ...order.map((at) => typeIn(...(fields(room, name)[at] as [string, string]))),
      clickOn("button", "Reserve"),
    ]);
  it("IND-16: are one procedure, which the other runs predict", async () => {
    const runs = [sent("Oak", "Ann", [0, 1, 2]), sent("Elm", "Ben", [2, 1, 0]), sent("Ash", "Cid", [1, 0, 2])];
    expect(steps(runs)).toHaveLength(5);
    expect(await whyNot(runs)).toBeNull();
  });
});

describe("a detour in one run of three", () => {
  const got = (
    month: string,
    extra: { before?: ReturnType<typeof clickOn>[]; first?: ReturnType<typeof clickOn>[]; after?: ReturnType<typeof clickOn>[] } = {},
  ): LearnableEpisode =>
    runOf(`Download the ${month} 2026 bill`, [
      openSite(),
      ...(extra.before ?? []),
      clickOn("link", "Bills"),
      ...(extra.first ?? []),
      clickOn("button", `Download ${month} 2026 bill`, { siblings: ["Download March 2026 bill", "Download May 2026 bill"] }),
      fileCame(`bill-${month}.pdf`),
      ...(extra.after ?? []),
    ]);
  const plain = ["Open https://made.example/", 'Click the link "Bills"', 'Click the button "Download {{month|MMMM YYYY}} bill"'];
  it.each([
    ["after the last step", { after: [clickOn("link", "Messages")] }],
    ["two steps after the last one", { after: [clickOn("link", "Messages"), clickOn("button", "Log out")] }],
    ["the wrong month's file first", { first: [clickOn("button", "Download April 2026 bill"), fileCame("bill-April.pdf")] }],
    ["a search first", { before: [typeIn("Search", "bill"), clickOn("button", "Search")] }],
    ["a search of the goal's words first", { before: [typeIn("Search", "2026 bill"), clickOn("button", "Search")] }],
    ["a long way round", { before: ["Help", "Terms", "Contact", "Offices"].map((name) => clickOn("link", name)) }],
  ])("IND-04: %s is no step", async (_what, extra) => {
    for (const at of [0, 1, 2]) {
      const runs = ["June", "July", "August"].map((month, index) => got(month, index === at ? extra : {}));
      expect(steps(runs)).toEqual(plain);
      expect(Object.keys(aligned(runs).inputs)).toEqual(["month"]);
      expect(await whyNot(runs)).toBeNull();
    }
  });
  it("IND-03: two of three that went on are no detour", () =>
    expect(align([got("June"), got("July", { after: [clickOn("button", "Pay")] }), got("May", { after: [clickOn("button", "Print")] })]).ok).toBe(false));
});

describe("a form filled in otherwise", () => {
  const set = (goal: string, field: string): LearnableEpisode =>
    runOf(goal, [openSite(), clickOn("link", "Profile"), clickOn("link", "Edit"), typeIn(field, "x"), clickOn("button", "Save")]);
  it("IND-03: is another routine, not one without the field", () =>
    expect(align([set("Set it", "Phone"), set("Set that", "E-mail"), set("Set this", "Town")]).ok).toBe(false));
  it("IND-04: a field that only some runs filled in is a detour", () =>
    expect(
      steps([
        set("Set it", "Phone"),
        set("Set that", "E-mail"),
        runOf("Set this", [openSite(), clickOn("link", "Profile"), clickOn("link", "Edit"), clickOn("button", "Save")]),
      ]),
    ).toHaveLength(4));
});

describe("options", () => {
  const logged = (goal: string, option: string): LearnableEpisode =>
    runOf(goal, [openSite(), choose("Project", option, ["Alpha (internal)", "Beta (client)", "Gamma"]), clickOn("button", "Log")]);
  it("that most goals name are an input with its choices", () => {
    const made = aligned([logged("Log it on Beta", "Beta (client)"), logged("Log this on alpha", "Alpha (internal)"), logged("Log it as always", "Gamma")]);
    expect(made.inputs["project"]?.choices).toEqual(["Alpha (internal)", "Beta (client)", "Gamma"]);
  });
});
