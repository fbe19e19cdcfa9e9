import { describe, expect, it } from "vitest";
import type { Draft } from "#contract/learning/schema.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { draftFromShowing, generalise, nameFromGoal, tidyShowing, withoutSecrets } from "#core/learning/index.ts";
import { bindInputs } from "#core/recall/index.ts";
import { look, startPlace } from "#core/replay/index.ts";
import { fullyMechanical } from "#core/skills/index.ts";
import { billsSite, loansSite, type MadeSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { link, page } from "../../fixtures/makers/page.ts";
import { type ShownLine, showOn } from "../../fixtures/makers/show-on.ts";
import { choose, clickOn, typeIn } from "../../fixtures/makers/shown-run.ts";
import { stage } from "../../fixtures/makers/stage.ts";
import { shownOn, taught } from "../../fixtures/makers/taught.ts";

const council = "https://council.example/";
const portal = "https://portal.example/";
const permitGoal = `Request a visitor permit for KX27 ABC on 14 February 2027 in the Old Town from ${council}`;
const permitWay: ShownLine[] = [
  ["open", council],
  ["click", "link", "Visitor permit"],
  ["fill", "Registration", "KX27 ABC"],
  ["fill", "Day", "2027-02-14"],
  ["select", "Zone", "Old Town"],
  ["click", "button", "Request permit"],
];
const calls = (content: Pick<RevisionContent, "steps">): string[] => content.steps.map((step) => step.do);

async function draft(site: MadeSite, goal: string, way: readonly ShownLine[]): Promise<Draft> {
  const actions = await showOn(site, way);
  return draftFromShowing({ id: "showing", goal }, actions, shownOn);
}

describe("a task shown once", () => {
  it("SHO-01: its steps go by role and name, with one input for each value of the goal", async () => {
    const content = await taught(permitSite(), permitGoal, permitWay);
    expect(calls(content)).toEqual([
      `Open ${council}`,
      'Click the link "{{item}}"',
      'Fill the textbox "Registration" with {{registration}}',
      'Fill the textbox "Day" with {{day|YYYY-MM-DD}}',
      'Choose {{zone}} in the combobox "Zone"',
      'Click the button "Request permit"',
    ]);
    expect(content.inputs.required).toEqual(["registration", "day", "zone"]);
    expect(content.inputs.properties["zone"]?.choices).toEqual(["North", "South", "Old Town"]);
  });

  it("SHO-01: every step has a check, so it can run strictly", async () => {
    const content = await taught(permitSite(), permitGoal, permitWay);
    expect(content.steps.map((step) => Object.keys(step.check ?? {}))).toEqual([["page"], ["page"], ["result"], ["result"], ["result"], ["page"]]);
    expect(fullyMechanical(content)).toBe(true);
  });

  it("SHO-01: it runs strictly on other values, without the model", async () => {
    const on = stage(permitSite());
    await on.addSkill("visitor-permit", await taught(permitSite(), permitGoal, permitWay));
    const { episode, message } = await on.turn(`Request a visitor permit for AB12 CDE on 3 March 2027 in the North from ${council}`, [], {
      skill: "visitor-permit",
      mode: "strict",
    });
    expect(on.calls()).toEqual([
      `open ${council}`,
      "click link Visitor permit",
      "fill Registration: AB12 CDE",
      "fill Day: 2027-03-03",
      "select Zone: North",
      "click button Request permit",
    ]);
    expect([episode.outcome, on.model.requests, message?.text]).toEqual(["success", [], expect.stringContaining("registration: AB12 CDE")]);
  });

  it("its name is made of the goal's words that are no values", () => {
    expect(nameFromGoal("Download the April 2026 invoice from https://portal.example", [], shownOn)).toBe("download-invoice");
    expect(nameFromGoal("Renew Night Ferries", ["Night Ferries"], shownOn)).toBe("renew");
    expect(nameFromGoal("14 February 2027", [], shownOn)).toBe("routine");
  });
});

describe("what a person would not want repeated", () => {
  it("SHO-02: ways that came back are left out, and the draft says so", async () => {
    const made = await draft(billsSite(), `Download the December 2026 bill from ${portal}`, [
      ["open", portal],
      ["click", "link", "Messages"],
      ["click", "link", "Home"],
      ["click", "link", "Bills"],
      ["click", "link", "Older"],
      ["click", "link", "Newer"],
      ["click", "button", "Download December 2026 bill"],
    ]);
    expect(calls(made.content)).toEqual([`Open ${portal}`, 'Click the link "Bills"', 'Click the button "Download {{month|MMMM YYYY}} bill"']);
    expect(made.notes).toEqual(["Left out: a way that led back (Messages).", "Left out: a way that led back (Older)."]);
  });

  it("SHO-02: of a typo that was corrected the final value stays", async () => {
    const made = await draft(permitSite(), permitGoal, [
      ...permitWay.slice(0, 2),
      ["fill", "Registration", "KX27 ABD"],
      ["fill", "Day", "2027-02-15"],
      ...permitWay.slice(2),
    ]);
    expect(made.content.bindings[0]?.inputs).toMatchObject({ registration: "KX27 ABC", day: "2027-02-14" });
    expect(made.content.steps).toHaveLength(6);
    expect(made.notes.filter((note) => note.startsWith("Left out"))).toEqual([
      "Left out: an earlier value of Registration.",
      "Left out: an earlier value of Day.",
    ]);
  });

  it("a way on which something was picked or ticked is no detour", () => {
    const [home, options] = ["Home", "Options"].map((heading) => ({ heading, path: `/${heading}`, text: heading }));
    for (const role of ["checkbox", "radio", "switch"]) {
      const way = [clickOn("link", "Home", home), clickOn("link", "Options", options), clickOn(role, "By post", options), clickOn("link", "Back", home)];
      expect(tidyShowing(way).kept.map((action) => action.target?.name)).toEqual(["Home", "Options", "By post", "Back"]);
    }
  });

  it("a way on which something was typed is no detour", async () => {
    const actions = await showOn(permitSite(), [
      ["open", council],
      ["click", "link", "Visitor permit"],
      ["fill", "Registration", "KX27 ABC"],
      ["open", council],
      ["click", "link", "Bins"],
    ]);
    expect(tidyShowing(actions).kept.some((action) => action.kind === "fill")).toBe(true);
  });

  it("a page opened twice is opened once", async () =>
    expect(
      tidyShowing(
        await showOn(billsSite(), [
          ["open", portal],
          ["open", portal],
          ["click", "link", "Bills"],
        ]),
      ).kept.map((action) => action.kind),
    ).toEqual(["open", "click"]));
});

describe("values of a showing", () => {
  it("SHO-04: a value that is not in the goal is constant, and the draft says so", async () => {
    const made = await draft(permitSite(), `Request a visitor permit for KX27 ABC on 14 February 2027 from ${council}`, permitWay);
    expect(made.content.steps.find((step) => step.call?.tool === "browser_select")?.call?.args["option"]).toBe("Old Town");
    expect(made.content.inputs.properties["zone"]).toBeUndefined();
    expect(made.notes).toContain('"Old Town" in Zone is kept as it is: the goal does not name it.');
  });

  it("a number that is written as no number is the text that it is", () => {
    const { steps, inputs } = generalise("Send the reading 007 for the gas meter", [typeIn("Meter reading", "007")], shownOn);
    expect(steps[0]?.call?.args.text).toBe("{{meter-reading}}");
    expect(inputs["meter-reading"]).toMatchObject({ examples: ["007"] });
  });

  it("a button's words beside its day are a value where other buttons have others, its verb is not", () => {
    const siblings = ["Cancel Yoga Flow, Tuesday 12 January", "Cancel Spin, Thursday 14 January", "Cancel Yoga Flow, Thursday 14 January"];
    const { steps } = generalise(
      "Cancel my Yoga Flow class on Thursday 14 January",
      [clickOn("button", "Cancel Yoga Flow, Thursday 14 January", { siblings })],
      shownOn,
    );
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "Cancel {{item}}, {{date|dddd D MMMM}}" });
    const classes = ["Book Spin at 06:45", "Book Pilates at 18:30", "Waiting list for Pump at 17:30"];
    const booked = generalise("Book Pilates at 18:30", [clickOn("button", "Book Pilates at 18:30", { siblings: classes })], shownOn);
    expect(booked.steps[0]?.call?.args.target).toMatchObject({ name: "Book {{item}} at {{time|HH:mm}}" });
  });

  it("a word in small letters is a value where another control has another in its place", () => {
    const siblings = ["Wednesday 14 April, afternoon", "Thursday 15 April, morning"];
    const { steps } = generalise("Sign me up on Wednesday 14 April, morning", [clickOn("link", "Wednesday 14 April, morning", { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "{{date|dddd D MMMM}}, {{item}}" });
  });

  it("a verb at the head of a later sentence is the control's, a name behind a small word is whole", () => {
    const siblings = ["Add 2 GB", "Add 10 GB"];
    const { steps } = generalise("She has run out. Add 5 GB to her phone", [clickOn("button", "Add 5 GB", { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "Add {{number}} GB" });
    const phones = ["Tom's phone", "Family tablet"];
    const made = generalise("Add more to Maya's phone", [clickOn("link", "Maya's phone", { siblings: phones })], shownOn);
    expect(made.steps[0]?.call?.args.target).toMatchObject({ name: "{{item}}" });
  });

  it("what a control says beside its value stays, the thing's own link is no other thing", () => {
    const siblings = ["Economic History", "My studies"];
    const { steps } = generalise(
      "Move me to another group for Economic History",
      [clickOn("link", "Change seminar for Economic History", { siblings })],
      shownOn,
    );
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "Change seminar for {{item}}" });
  });

  it("a control that denies something is no value of what it denies", () => {
    const { steps, inputs } = generalise("A tap drips (not an emergency)", [clickOn("link", "It is not an emergency", { siblings: ["Help"] })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "It is not an emergency" });
    expect(inputs).toEqual({});
  });

  it("a word that is a part of what another step picks is no value by itself", () => {
    const actions = [clickOn("link", "Library", { siblings: ["Sport", "Food"] }), choose("Building", "Main Library", ["Main Library", "Law Library"])];
    const { steps, inputs } = generalise("Book a room in the Main Library", actions, shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "Library" });
    expect(Object.keys(inputs)).toEqual(["building"]);
  });

  it("a thing's own figure is a part of its name; a brand that two have in common is no frame", () => {
    const siblings = ["Order Acula Daily Moist 30 pack again", "Order Solent Monthly again", "Order Vista Fortnightly again"];
    const { steps } = generalise("Reorder my Acula Daily 30 pack", [clickOn("link", "Order Acula Daily 30 pack again", { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "Order {{item}} again" });
    const stays = ["View stay at Bath, 20 February 2026", "View stay at Leith, 9 January 2026"];
    const stay = generalise(
      "the bill of my stay at York Yard on 12 March 2026",
      [clickOn("link", "View stay at York Yard, 12 March 2026", { siblings: stays })],
      shownOn,
    );
    expect(stay.steps[0]?.call?.args.target).toMatchObject({ name: "View stay at {{item}}, {{date|D MMMM YYYY}}" });
    const papers = ["Ask for copies of PR 301/4"];
    const copy = generalise("Copies of S 208/1 please", [clickOn("link", "Ask for copies of S 208/1", { siblings: papers })], shownOn);
    expect(copy.steps[0]?.call?.args.target).toMatchObject({ name: "Ask for copies of {{id}}" });
  });

  it("a title with a figure that the goal has as a whole is whole", () => {
    const siblings = ["Year 6 leavers' hoodies", "Spring concert", "Museum trip for Year 5"];
    const { steps } = generalise("When is the Year 4 swimming gala?", [clickOn("link", "Year 4 swimming gala", { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "{{item}}" });
  });

  it.each([
    ["episode 18 of Field Notes", "Episode 18: Night Bus", ["Episode 17: The Long Field", "Episode 16: Low Tide"], "Episode {{number}}: *"],
    ["notice no. 4 to tenants", "Notice 4 (lifts)", ["Notice 3 (bins)", "Notice 2 (lifts)"], "Notice {{number}} (lifts)"],
    ["minutes of meeting 7", "Meeting 7, minutes", ["Meeting 6, minutes", "Meeting 7, agenda"], "Meeting {{number}}, {{item}}"],
    ["the 3 newest photos", "Photos (3)", ["Albums (2)"], "Photos (3)"],
  ])("a small number is a value where the same word stands before it, and a title of its own behind it is none: %s", (said, name, siblings, wanted) => {
    const { steps } = generalise(`Please get me ${said}`, [clickOn("link", name, { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: wanted });
  });

  it("what leads elsewhere about the same thing is no frame of its name", () => {
    const siblings = ["Borrow strimmer", "Notes: garden shredder", "Notes: strimmer"];
    const { steps } = generalise("Book the garden shredder", [clickOn("link", "Borrow garden shredder", { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "Borrow {{item}}" });
  });

  it("an address that is typed is an input", () => {
    const { inputs } = generalise("Block the site chatterbox.example at https://portal.example", [typeIn("Website address", "chatterbox.example")], shownOn);
    expect(inputs["website-address"]).toMatchObject({ kind: "site" });
  });

  it("a choice's words beside its time are a part of the choice", () => {
    const siblings = ["Afternoon, 13:30"];
    const { inputs } = generalise("In the morning session, 09:30", [clickOn("radio", "Morning, 09:30", { siblings })], shownOn);
    expect(inputs["choice"]).toMatchObject({ choices: ["Morning, 09:30", "Afternoon, 13:30"] });
  });

  it("somebody's thing is found by the name of that one", () => {
    const { steps } = generalise("Download the summary of Olive's visit", [clickOn("link", "Olive", { siblings: ["Pepper", "Biscuit"] })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "{{item}}" });
  });

  it("one of several boxes is a choice, named by its telling words", () => {
    const siblings = ["Salbutamol inhaler", "Metformin 500mg tablets"];
    const { steps } = generalise("I need more amlodipine 5mg", [clickOn("checkbox", "Amlodipine 5mg tablets", { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "{{choice}}" });
  });

  it("an article before a title is no frame for other titles", () => {
    const siblings = ["The Winter Guest", "The Paper Lighthouse", "Swan Lake"];
    const { steps } = generalise("Book seats for The Paper Lighthouse", [clickOn("link", "The Paper Lighthouse", { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "{{item}}" });
  });

  it("a range that is chosen from a list is one choice", () => {
    const weeks = ["8 to 12 June 2026", "15 to 19 June 2026"];
    const { steps, inputs } = generalise("Deliver in the week 15 to 19 June 2026", [choose("Week", "15 to 19 June 2026", weeks)], shownOn);
    expect(steps[0]?.call?.args.option).toBe("{{week}}");
    expect(inputs.week).toMatchObject({ kind: "text", choices: weeks });
  });

  it("what a row is about is a value beside its day, what all rows are called is none", () => {
    const row = (within: string, context: string, heading: string) => clickOn("button", "Cancel", { within, context, heading, siblings: ["Cancel", "Cancel"] });
    const kettle = generalise("Cancel the order of the kettle of 3 May 2027", [row("Kettle, 1.7 l", "Kettle, 1.7 l | 3 May 2027", "Orders")], shownOn);
    expect(kettle.steps[0]?.call?.args.target).toMatchObject({ within: "{{date|D MMMM YYYY}}*{{item}}" });
    const order = generalise("Cancel the order of 3 May 2027", [row("Order of Oat milk", "Order of Oat milk | 3 May 2027", "Orders")], shownOn);
    expect(order.steps[0]?.call?.args.target).toMatchObject({ within: "{{date|D MMMM YYYY}}" });
  });

  it("a field of which a list has many is told by the goal's value in its name", () => {
    const siblings = ["Quantity, Oat milk", "Quantity, Rye bread", "Note"];
    const { steps, inputs } = generalise("Set the rye bread to 3", [typeIn("Quantity, Rye bread", "3", { siblings })], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "Quantity, {{item}}" });
    expect(inputs.item?.default).toBeUndefined();
    const days = ["Hours, Mon 11 Jan", "Hours, Tue 12 Jan"];
    const hours = generalise("Put 7.5 hours on 12 January 2027", [typeIn("Hours, Tue 12 Jan", "7.5", { siblings: days })], shownOn);
    expect(hours.steps[0]?.call?.args.target).toMatchObject({ name: "Hours, {{date|ddd D MMM}}" });
  });

  it("a field whose like is filled as well keeps its name", () => {
    const siblings = ["Street of sender", "Street of recipient"];
    const way = [typeIn("Street of sender", "Mill Lane", { siblings }), typeIn("Street of recipient", "High Road", { siblings })];
    const { steps } = generalise("Send it from the sender at Mill Lane to the recipient at High Road", way, shownOn);
    expect(steps.map(({ call }) => call?.args.target)).toMatchObject([{ name: "Street of sender" }, { name: "Street of recipient" }]);
  });

  it("a word of a longer name in the goal is no value where the page uses it as a word", () => {
    const way = [clickOn("checkbox", "I live in this street", { siblings: ["I live in this street"] })];
    const { steps } = generalise("Get a permit for my visitor in Castle Street", way, shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "I live in this street" });
  });

  it("a link that only its row knows is found by its row", () => {
    const shown = clickOn("link", "TV-4551", { siblings: ["TV-4551", "TV-4520"], context: "TV-4551 | 18 January 2027 | Alder to Birch | £8.90" });
    const { steps, inputs } = generalise("Download the receipt for my journey from Alder to Birch on 18 January 2027", [shown], shownOn);
    expect(steps[0]?.call?.args.target).toMatchObject({ name: "TV-*", within: "{{date|D MMMM YYYY}}*{{item}}" });
    expect(inputs.item?.examples).toEqual(["Alder to Birch"]);
  });

  it("a link whose row says nothing of the goal stays as it is", () => {
    const shown = clickOn("link", "Form 12", { siblings: ["Form 12", "Form 14"], context: "Form 12 | Other matters" });
    expect(generalise("Apply for a badge", [shown], shownOn).steps[0]?.call?.args.target).toMatchObject({ name: "Form 12" });
  });

  it("SHO-03: a secret is a step that asks for a vault entry, and nothing of it is kept", () => {
    const after = { url: council, title: "", heading: "Sign in", text: "" };
    const secret = {
      kind: "fill" as const,
      target: { role: "textbox", name: "Password" },
      secret: true,
      siblings: [],
      landmark: "",
      context: "",
      after,
      at: 0,
    };
    const { steps } = generalise("Sign in", [secret], shownOn);
    expect(steps).toEqual([{ do: "Enter the secret for Password from a vault entry (choose one)", onFail: expect.any(String) as string }]);
  });

  it("UNT-03: a card number typed into a harmless field is left out of the draft, which says so", async () => {
    const card = "4111 1111 1111 1111";
    const made = await draft(permitSite(), `Request a visitor permit on 14 February 2027 in the Old Town from ${council}`, [
      ["open", council],
      ["click", "link", "Visitor permit"],
      ["fill", "Registration", card],
      ["fill", "Day", "2027-02-14"],
      ["click", "button", "Request permit"],
    ]);
    expect(JSON.stringify(made)).not.toMatch(/4111(?: |%20|\+)1111/u);
    expect(made.notes).toContain('What was typed into "Registration" is or looks like a secret and was left out: choose a vault entry for it.');
    expect(calls(made.content)).toContain("Enter the secret for Registration from a vault entry (choose one)");
  });

  it("UNT-03: what was typed into a field called PIN is left out, whatever it looks like", () => {
    const kept = withoutSecrets([typeIn("PIN", "rosebud"), typeIn("Pincushions", "pink"), clickOn("link", "Hello rosebud")]);
    expect(kept.map(({ secret, value, target }) => [secret, value, target?.name])).toEqual([
      [true, "", "PIN"],
      [false, "pink", "Pincushions"],
      [false, undefined, "Hello ***"],
    ]);
  });

  it("UNT-03: a goal with a secret in it becomes no draft, and the reason names the field", async () =>
    expect(draft(permitSite(), `Request a visitor permit with password: hunter22 from ${council}`, permitWay)).rejects.toThrow(
      "This cannot become a routine: it holds something that looks like a secret (goal). Show it again without that.",
    ));

  it("UNT-04: nothing invisible of a page is in the draft", async () => {
    const hidden = "\u200B\u202E\u{E0069}";
    const actions = (await showOn(permitSite(), permitWay)).map((action) => ({
      ...action,
      ...(action.target ? { target: { ...action.target, name: `${hidden}${action.target.name}` } } : {}),
      after: { ...action.after, heading: `${action.after.heading.slice(0, 3)}${hidden}${action.after.heading.slice(3)}` },
    }));
    const showing = { id: "showing", goal: permitGoal };
    const made = draftFromShowing(showing, actions, shownOn);
    expect(JSON.stringify(made)).not.toMatch(/[\u200B\u202E]|\uDB40/u);
    expect(made.body).toBe((await draft(permitSite(), permitGoal, permitWay)).body);
  });

  it("SHO-05: of two elements of one name the row's own text tells which", async () => {
    const content = await taught(loansSite(), "Renew Night Ferries at https://library.example/", [
      ["open", "https://library.example/"],
      ["click", "link", "Your loans"],
      ["click", "button", "Renew", "Night Ferries"],
    ]);
    expect(content.steps[2]?.call?.args["target"]).toEqual({ role: "button", name: "Renew", within: "{{item}}" });
    const on = stage(loansSite());
    await on.addSkill("renew-loan", content);
    await on.turn("Renew A Field Guide to Moss at https://library.example/", [], { skill: "renew-loan", mode: "strict" });
    expect(on.calls().at(-1)).toBe("click button Renew (A Field Guide to Moss)");
  });

  it("SHO-05: what changes with a day or a counter is no part of a check", async () => {
    const site: MadeSite = {
      ...billsSite(),
      view: (path) => page(path === "/bills/1" ? "Bills (12 new)" : "Welcome", [link("Bills")], { url: portal.slice(0, -1) + path }),
    };
    const { steps } = await taught(site, `Open my bills at ${portal}`, [
      ["open", portal],
      ["click", "link", "Bills"],
    ]);
    expect(steps[1]?.check).toEqual({ page: { heading: "{{item}} (* new)", url: "/*/*" } });
  });

  it("SHO-06: a task that ends with reading ends with a step that replies and needs judgement", async () => {
    const content = await taught(permitSite(), `Which bins are there at ${council}?`, [
      ["open", council],
      ["click", "link", "Bins"],
    ]);
    expect(content.steps.at(-1)).toEqual({ do: "Read this page and answer what was asked", onFail: expect.any(String) as string });
    expect(fullyMechanical(content)).toBe(false);
  });

  it("SHO-10: a word of the goal that is also a fixed link is an input nobody is asked for", async () => {
    const { inputs } = await taught(permitSite(), permitGoal, permitWay);
    expect([inputs.properties["item"]?.default, inputs.required.includes("item")]).toEqual(["Visitor permit", false]);
  });

  it.each(["Get AB12 CDE a permit", "Request a permit for AB12 CDE", "AB12 CDE needs a visitor's permit", "A guest with AB12 CDE wants to park"])(
    "SHO-10: %s: nobody is asked for it, and the link is pressed as it was shown",
    async (said) => {
      const on = stage(permitSite());
      await on.addSkill("visitor-permit", await taught(permitSite(), permitGoal, permitWay));
      const { episode } = await on.turn(`${said} on 3 March 2027 in the North from ${council}`, [], {
        skill: "visitor-permit",
        mode: "strict",
        inputs: { registration: "AB12 CDE" },
      });
      expect([episode.outcome, on.calls()[1], on.calls().at(-1)]).toEqual(["success", "click link Visitor permit", "click button Request permit"]);
    },
  );

  it("SHO-10: a link of the navigation is none at all", async () => {
    const site: MadeSite = {
      ...permitSite(),
      view: (path, typed) =>
        path === "/" ? page("Council", [link("Parking", { landmark: "navigation" })], { url: council }) : permitSite().view("/permit", typed),
      press: () => ({ to: "/permit" }),
    };
    const content = await taught(site, `Get a parking permit at ${council}`, [
      ["open", council],
      ["click", "link", "Parking"],
    ]);
    expect([content.steps[1]?.call?.args["target"], content.inputs.properties]).toEqual([{ role: "link", name: "Parking" }, {}]);
  });

  it("a value in a file's name is the run's own", async () => {
    const content = await taught(billsSite(), `Download the December 2026 bill from ${portal}`, [
      ["open", portal],
      ["click", "link", "Bills"],
      ["click", "button", "Download December 2026 bill"],
    ]);
    expect(content.steps.at(-1)?.check).toEqual({ file: { exists: "bill-{{month|YYYY-MM}}.pdf" } });
  });
});

describe("a verb of the goal that is also what a control is called", () => {
  const inputsOf = (goal: string, role: string, name: string, siblings: readonly string[] = []): string[] =>
    Object.keys(generalise(goal, [clickOn(role, name, { siblings: [...siblings] })], shownOn).inputs);
  it.each([
    ["Send the message to Ada", "button", "Send"],
    ["Write to Ada and send it", "button", "Send"],
    ["Fill in the form, then press Send", "button", "Send"],
    ["I want to cancel my booking", "link", "Cancel"],
    ["Please could you renew my card", "button", "Renew"],
    ["Sign up for the newsletter", "link", "Sign up"],
    ["Abschicken der Nachricht", "button", "Abschicken"],
    ["Search the shop for tea", "button", "Search"],
  ])("is no input: %s", (goal, role, name) => expect(inputsOf(goal, role, name)).toEqual([]));

  it.each([
    ["Order a medium latte", "button", "Medium", ["Small", "Large"]],
    ["Show me the posts under Archive", "link", "Archive", ["News"]],
    ["Buy Roses at the shop", "link", "Roses", ["Tulips"]],
  ])("and a thing stays one: %s", (goal, role, name, siblings) => expect(inputsOf(goal, role, name, siblings)).toHaveLength(1));
});

describe("another value than the one that was shown", () => {
  const first = (): Promise<RevisionContent> =>
    taught(billsSite(), `Download the December 2026 bill from ${portal}`, [
      ["open", portal],
      ["click", "link", "Bills"],
      ["click", "button", "Download December 2026 bill"],
    ]);

  it("SHO-08: two pages on it is found by paging, which was never shown", async () => {
    const on = stage(billsSite());
    await on.addSkill("download-bill", await first());
    const { episode } = await on.turn(`Download the March 2026 bill from ${portal}`, [], { skill: "download-bill", mode: "strict" });
    expect(on.calls().slice(2)).toEqual(["click link Older", "click link Older", "click button Download March 2026 bill"]);
    expect(episode.outcome).toBe("success");
  });

  it("SHO-09: where it is nowhere its siblings are not touched, and the user is told", async () => {
    const on = stage(billsSite());
    await on.addSkill("download-bill", await first());
    const { episode, message } = await on.turn(`Download the March 2025 bill from ${portal}`, [], { skill: "download-bill", mode: "strict" });
    expect(on.calls().filter((call) => call.includes("Download"))).toEqual([]);
    expect(episode.outcome).toBe("abandoned");
    expect(message?.text).toMatch(
      /^March 2025 is not there: .* could not find button Download March 2025 bill\. There is: Download \w+ 2026 bill; .* left them alone/u,
    );
  });
});

describe("faults found in showing", () => {
  it("SHO-05: a control whose name holds a counter is found by its stable part", async () => {
    const site = (count: number): MadeSite => ({
      ...billsSite(),
      view: () => page("Welcome", [link(`Messages (${count})`), link("Bills")], { url: portal }),
      press: () => ({ to: "/" }),
    });
    const goal = `Open what was written to me at ${portal}`;
    const content = await taught(site(3), goal, [
      ["open", portal],
      ["click", "link", "Messages (3)"],
    ]);
    const { values, named } = await bindInputs(content, goal, { now: shownOn, model: null, signal: new AbortController().signal });
    expect(
      look(content.steps, { ...startPlace, at: 1 }, site(5).view("/", new Map()), { inputs: content.inputs, values, goal, named: new Set(named) }).kind,
    ).toBe("call");
  });

  it("SHO-08: the paging that worked is proposed as a revision", async () => {
    const on = stage(billsSite());
    const skill = await on.addSkill(
      "download-bill",
      await taught(billsSite(), `Download the December 2026 bill from ${portal}`, [
        ["open", portal],
        ["click", "link", "Bills"],
        ["click", "button", "Download December 2026 bill"],
      ]),
    );
    await on.turn(`Download the March 2026 bill from ${portal}`, [], { skill: "download-bill", mode: "strict" });
    expect(on.stores.proposals.list().map(({ skillId, base, reason }) => [skillId, base, reason])).toEqual([
      [skill.id, 1, "Before step 3: Press Older until the next target is there"],
    ]);
    expect(on.stores.skills.revisions(skill.id)).toHaveLength(1);
  });
});
