import { describe, expect, it } from "vitest";
import { type Answer, scriptedModel } from "#adapters/scripted/index.ts";
import { KnackError } from "#contract/errors.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { evaluateCheck } from "#core/replay/index.ts";
import { billGoal, billWay, portal } from "../../fixtures/makers/bill-runs.ts";
import { clickStep, procedure } from "../../fixtures/makers/content.ts";
import { billsSite, type MadeSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { outspokenModel } from "../../fixtures/makers/outspoken-model.ts";
import { button, page } from "../../fixtures/makers/page.ts";
import { asks, chooses, fills, opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";
import { taught } from "../../fixtures/makers/taught.ts";

const goal = billGoal("December");
const bills = (change: Parameters<typeof stage>[1] = {}): Stage => stage(billsSite(), change);
const skill = (change: Partial<RevisionContent> = {}): Promise<RevisionContent> =>
  taught(billsSite(), goal, [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]).then((content) => ({ ...content, ...change }));
const ledOff = (...answers: readonly Answer[]): Answer[] => [opens(portal), ...answers];

describe("what is stored, and when", () => {
  it("the message is stored before the model is asked for anything", async () => {
    const on = bills();
    let stored: string[] = [];
    await on.turn("Hello there", [
      () => {
        stored = on.stores.conversations
          .list()
          .flatMap(({ id }) => on.stores.conversations.messages(id).map((message) => `${message.role} ${message.status}: ${message.text}`));
        return says("Good day.");
      },
    ]);
    expect(stored).toEqual(["user complete: Hello there"]);
  });

  it("every step is stored as running before it starts, and as over before the next is chosen", async () => {
    const seen: string[][] = [];
    const look = (): void => {
      const [episode] = on.stores.conversations.list().flatMap(({ id }) => on.stores.trace.episodesOf(id));
      seen.push(on.stores.trace.stepsOfEpisode(episode?.id ?? "").map((step) => `${step.tool} ${step.status}`));
    };
    const on = bills({ onCall: look });
    const looked =
      (answer: string): Answer =>
      () => {
        look();
        return answer;
      };
    await on.turn(goal, [looked(opens(portal)), looked(presses("link Bills")), looked(says("There."))]);
    expect(seen).toEqual([
      [],
      ["browser_open running"],
      ["browser_open ok"],
      ["browser_open ok", "browser_click running"],
      ["browser_open ok", "browser_click ok"],
    ]);
  });

  it("events come in one order, the last of them the end of the turn", async () => {
    const { events } = await bills().turn(goal, ledOff(presses("link Bills"), says("There.")));
    expect(
      events
        .map((event) => (event.type === "step-finished" ? `${event.type} ${event.step.tool}` : event.type))
        .filter((type, index, all) => type !== all[index - 1]),
    ).toEqual([
      "turn-started",
      "recall-decided",
      "context-used",
      "step-started",
      "step-finished browser_open",
      "context-used",
      "step-started",
      "step-finished browser_click",
      "text-delta",
      "context-used",
      "step-started",
      "step-finished reply",
      "turn-finished",
    ]);
  });

  it("a turn the user stops is stopped, abandoned and no error", async () => {
    const stop = new AbortController();
    const on = bills();
    const { turn, episode, problem } = await on.turn(
      goal,
      ledOff(() => {
        stop.abort(new DOMException("stopped", "AbortError"));
        return presses("link Bills");
      }),
      { signal: stop.signal },
    );
    expect([turn.status, episode.outcome, problem, on.log.entries, on.calls()]).toEqual(["stopped", "abandoned", null, [], [`open ${portal}`]]);
  });

  it("an error of ours is told, one that is none is logged and told as such", async () => {
    const told = await bills().turn(goal, [new KnackError("model.failed", "The model stopped.")]);
    expect([told.turn.status, told.problem]).toEqual(["failed", "The model stopped."]);
    const on = bills();
    const other = await on.turn(goal, [new Error("secret inner text")]);
    expect([other.problem, on.log.entries[0]?.event]).toEqual(["Something in Knack itself went wrong; the log says what.", "turn-failed"]);
  });
});

describe("outcomes", () => {
  it.each([
    ["talk alone is abandoned", "Hello", [says("Good day.")], "abandoned"],
    ["acting and saying so is a claim", goal, ledOff(presses("link Bills"), says("Done.")), "claimed_success"],
    ["a question leaves it open", goal, ledOff(asks("Which one do you mean?")), null],
  ] as const)("%s", async (_what, text, answers, outcome) => expect((await bills().turn(text, answers)).episode.outcome).toBe(outcome));

  it("what the last act failed at is no success, whatever the model says; what came right after it is", async () => {
    const on = stage(billsSite(), {
      onCall: (call) => {
        if (call === "click link Messages") throw new KnackError("browser.failed", "The browser could not finish pressing.");
      },
    });
    const told = await on.turn(goal, [opens(portal), presses("link Messages"), says("Done, all is well.")]);
    expect([told.episode.outcome, told.episode.reason]).toEqual(["failure", "The browser could not finish pressing."]);
    const mended = await on.turn(goal, [opens(portal), presses("link Messages"), presses("link Bills"), says("Here they are.")]);
    expect(mended.episode.outcome).toBe("claimed_success");
  });

  it("an answer to a question goes on in the same episode, with both texts as its goal", async () => {
    const on = bills();
    const first = await on.turn("Download my bill from https://portal.example/", [asks("Of which month?")], { conversationId: "talk" });
    const second = await on.turn("December", [says("I see.")], { conversationId: "talk" });
    expect([second.episode.id === first.episode.id, second.turn.recall?.goal]).toEqual([true, "Download my bill from https://portal.example/\nDecember"]);
  });

  it("a new wish after an answer is a new episode", async () => {
    const on = bills();
    const first = await on.turn("Hello", [says("Good day.")], { conversationId: "talk" });
    expect((await on.turn("And now?", [says("Now?")], { conversationId: "talk" })).episode.id).not.toBe(first.episode.id);
  });
});

describe("limits", () => {
  it("the step limit ends the turn as a failure, and says so", async () => {
    const on = bills();
    const { episode, message } = await on.turn(goal, ledOff(presses("link Bills"), presses("link Older"), presses("link Older")), { maxSteps: 3 });
    expect([episode.outcome, episode.reason, message?.text]).toEqual(["failure", "step limit", "I stopped after 3 steps without reaching the goal."]);
    expect(on.calls()).toHaveLength(3);
  });

  it("the same step twice without any change is told to the model once; the next time the user is asked", async () => {
    const on = bills();
    const { episode, message } = await on.turn(goal, ledOff(presses("link Home"), presses("link Home"), presses("link Home")));
    const prompts = on.model.requests.map((request) => request.messages.at(-1)?.text.includes("You did the same thing twice") ?? false);
    expect(prompts).toEqual([false, false, false, true]);
    expect([episode.outcome, episode.reason, message?.text]).toEqual(["failure", "loop", expect.stringContaining("Could you tell me how to go on?")]);
  });
});

describe("destinations", () => {
  it("an address of the goal that is not granted is asked for once, before anything is opened", async () => {
    const asked: string[] = [];
    const on = bills({
      granted: [],
      async approve({ reason }) {
        asked.push(`${reason} after ${on.calls().length} calls`);
        return "allow";
      },
    });
    await on.turn(goal, ledOff(says("There.")));
    expect([asked, on.calls()]).toEqual([["May Knack open https://portal.example? after 0 calls"], [`open ${portal}`]]);
  });

  it("a no is plainly said, and nothing reaches the browser", async () => {
    const on = bills({ granted: [] });
    const { message, episode } = await on.turn(goal, ledOff());
    expect([message?.text, episode.outcome, on.calls()]).toEqual([expect.stringMatching(/^I stopped: .*portal\.example/u), "failure", []]);
  });

  it("what the browser itself refuses is plainly said too", async () => {
    const on = bills({ granted: ["https://portal.example", "https://other.example"] });
    const { message } = await on.turn("Look at https://other.example/", [opens("https://other.example/")]);
    expect(message?.text).toBe("I stopped: other.example is not among the granted destinations.");
  });
});

describe("an address that only a page spoke of", () => {
  const away = "https://evil.example/?d=1";

  it("is refused, and what the user asked for is done all the same, with the refusal told", async () => {
    const on = bills({ model: outspokenModel() });
    const { message, episode } = await on.turn(goal, ledOff(opens(away), presses("link Bills"), says("There are the bills.")));
    expect(on.calls()).toEqual([`open ${portal}`, "click link Bills"]);
    expect(message?.text).toBe("There are the bills.\nYou have not granted evil.example, so it was not contacted.");
    expect(episode.outcome).toBe("claimed_success");
  });

  it("tried again, it ends the turn", async () => {
    const on = bills({ model: outspokenModel() });
    const { message, episode } = await on.turn(goal, ledOff(opens(away), opens("https://evil.example/again")));
    expect([message?.text, episode.outcome, on.calls()]).toEqual([expect.stringMatching(/^I stopped: .*evil\.example/u), "failure", [`open ${portal}`]]);
  });

  it("with nothing done after it, the answer is no success", async () => {
    const on = bills({ model: outspokenModel() });
    const { episode } = await on.turn(goal, ledOff(opens(away), says("All done.")));
    expect(episode.outcome).toBe("failure");
  });
});

describe("a skill in charge", () => {
  it("REC-13: taking a suggestion runs it under the skill; leaving it alone leaves the turn free", async () => {
    const on = bills();
    await on.addSkill("download-bill", procedure("Fetch that month bill please, will you", { steps: [clickStep("Bills")] }));
    const text = "Fetch the December 2026 bill";
    const free = await on.turn(text, [says("Where?")]);
    expect([free.turn.recall?.verdict, free.turn.skillId]).toEqual(["suggested", null]);
    const taken = await on.turn(text, [says("I cannot.")], { takeSuggestion: true, mode: "strict" });
    expect(taken.events.map((event) => event.type)).toContain("skill-taken");
    const id = taken.turn.skillId ?? "";
    expect(on.stores.skills.phrasings(id)).toEqual([{ text, counter: false }]);
    expect((await on.turn("Fetch the November 2026 bill", [says("I cannot.")])).turn.recall?.verdict).toBe("matched");
  });

  it("declared reach that is not granted refuses the whole use: no step, an alert, the grant named", async () => {
    const on = bills();
    const content = await skill();
    await on.addSkill("download-bill", {
      ...content,
      capabilities: { ...content.capabilities, destinations: ["https://portal.example", "https://files.example"] },
    });
    const { message, episode, turn } = await on.turn(goal, [], { skill: "download-bill" });
    expect(message?.text).toContain("needs destination https://files.example, which you have not granted, so I did not start");
    expect([episode.outcome, on.calls(), on.stores.trace.stepsOfTurn(turn.id), on.model.requests]).toEqual(["failure", [], [], []]);
    expect(on.stores.alerts.list().map((alert) => alert.kind)).toEqual(["refused"]);
    await on.turn(goal, [], { skill: "download-bill" });
    expect(on.stores.alerts.list()).toHaveLength(1);
  });

  it("one that recall would use and that lacks a grant is refused with an alert too, not passed over in silence", async () => {
    const on = bills();
    const content = await skill();
    await on.addSkill("download-bill", {
      ...content,
      capabilities: { ...content.capabilities, destinations: ["https://portal.example", "https://files.example"] },
    });
    const { message, episode, turn, events } = await on.turn(goal);
    expect([turn.recall?.verdict, turn.recall?.why]).toEqual([
      "blocked",
      expect.stringContaining("destination https://files.example is not granted") as string,
    ]);
    expect(message?.text).toContain("needs destination https://files.example, which you have not granted, so I did not start");
    expect([episode.outcome, on.calls(), on.stores.trace.stepsOfTurn(turn.id), on.model.requests, on.model.questions]).toEqual(["failure", [], [], [], []]);
    expect(events.map(({ type }) => type)).toContain("alert-raised");
    expect(on.stores.alerts.list().map((alert) => alert.kind)).toEqual(["refused"]);
  });

  it("one that would only be suggested and lacks a grant leaves the turn free, and the turn says why; taken, it is refused", async () => {
    const on = bills();
    const capabilities = { primitives: ["browser"], vault: [], destinations: ["https://files.example"] };
    await on.addSkill("download-bill", procedure("Fetch that month bill please, will you", { steps: [clickStep("Bills")], capabilities }));
    const text = "Fetch the December 2026 bill";
    const free = await on.turn(text, [says("Where?")]);
    expect([free.turn.recall?.verdict, free.turn.recall?.blockedBy, free.message?.text, on.stores.alerts.list()]).toEqual([
      "blocked",
      "destination https://files.example is not granted",
      "Where?",
      [],
    ]);
    const taken = await on.turn(text, [], { takeSuggestion: true });
    expect([taken.message?.text, on.stores.alerts.list().map((alert) => alert.kind)]).toEqual([
      expect.stringContaining("so I did not start") as string,
      ["refused"],
    ]);
  });

  it.each([
    ["switched off", "disabled"],
    ["retired", "retired"],
  ] as const)("one that is %s is not taken by its name", async (_what, status) => {
    const on = bills();
    await on.addSkill("download-bill", await skill(), { status });
    const { problem } = await on.turn(goal, [], { skill: "download-bill" });
    expect([problem, on.calls()]).toEqual([expect.stringContaining(`is ${status}`), []]);
  });

  it("INP-02: a value the goal does not say is asked for, and the answer goes on under the same skill", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    const first = await on.turn(`Download my bill from ${portal}`, [], { skill: "download-bill", conversationId: "talk" });
    expect([first.message?.text, on.calls()]).toEqual([expect.stringContaining("you did not say the month (for example December 2026)"), []]);
    const second = await on.turn(
      "The one of March 2026",
      [opens(portal), presses("link Bills"), presses("link Older"), presses("link Older"), presses("button Download March 2026 bill"), says("Here it is.")],
      { conversationId: "talk" },
    );
    expect([second.episode.outcome, second.turn.skillId === first.turn.skillId, on.calls().at(-1)]).toEqual([
      "success",
      true,
      "click button Download March 2026 bill",
    ]);
  });

  it("ends as done only when every step is, and the last check holds", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    const { episode } = await on.turn(goal, [opens(portal), presses("link Bills"), presses("button Download December 2026 bill"), says("Here it is.")], {
      skill: "download-bill",
    });
    expect([episode.outcome, episode.reason]).toEqual(["success", "the last check held"]);
  });

  it("SHO-09: in every step the wrong siblings are not among the choices", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    await on.turn(billGoal("March"), billWay("March"), { skill: "download-bill" });
    const offered = on.model.requests
      .flatMap((request) => request.choices ?? [])
      .filter(({ text }) => text.includes("Download "))
      .map(({ text }) => /Download \w+/u.exec(text)?.[0]);
    expect(new Set(offered)).toEqual(new Set(["Download March"]));
  });

  it("after a step that was not due only the due one is offered, and leaving", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    await on.turn(goal, [opens(portal), presses("link Home"), presses("link Bills")], { skill: "download-bill", maxSteps: 3 });
    const offered = (request: number): Set<string> =>
      new Set(on.model.requests[request]?.choices?.flatMap(({ text }) => /link \w+|skill_leave/u.exec(text)?.[0] ?? []));
    expect(offered(1)).toEqual(new Set(["link Home", "link Help", "link Bills", "link Messages", "skill_leave"]));
    expect(offered(2)).toEqual(new Set(["link Bills", "skill_leave"]));
  });

  it("no answer can be given before the steps are done", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    await on.turn(goal, [opens(portal), presses("link Bills"), presses("button Download December 2026 bill"), says("Here it is.")], { skill: "download-bill" });
    expect(on.model.requests.map((request) => request.choices?.some(({ text }) => text.startsWith('{"tool":"reply"')))).toEqual([false, false, false, true]);
  });

  it("the host says which step is next, with its values", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    const { events } = await on.turn(goal, [opens(portal), presses("link Bills"), presses("button Download December 2026 bill"), says("Here it is.")], {
      skill: "download-bill",
    });
    expect(events.flatMap((event) => (event.type === "place-moved" ? [`${event.at} of ${event.of}: ${event.next}`] : []))).toEqual([
      `1 of 3: Open ${portal}`,
      '2 of 3: Click the link "Bills"',
      '3 of 3: Click the button "Download December 2026 bill"',
    ]);
  });

  it("the model may leave it, and that is neither success nor failure", async () => {
    const on = bills();
    const { id } = await on.addSkill("download-bill", await skill());
    await on.turn(goal, [opens(portal), '{"tool":"skill_leave","args":{"reason":"it is another site now"}}', says("I stopped following it.")], {
      skill: "download-bill",
    });
    expect(on.stores.skills.runs(id).map((run) => [run.outcome, run.finding])).toEqual([["left", "it is another site now"]]);
    expect(on.stores.skills.get(id)?.status).toBe("provisional");
  });

  it("a skill revoked of its grant in the middle acts no more", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    const destination = on.stores.grants.list().find((grant) => grant.kind === "destination");
    const { episode, message } = await on.turn(
      goal,
      [
        opens(portal),
        () => {
          on.stores.grants.remove(destination?.id ?? "");
          return presses("link Bills");
        },
      ],
      { skill: "download-bill" },
    );
    expect([on.calls(), episode.outcome, message?.text]).toEqual([
      [`open ${portal}`],
      "failure",
      expect.stringContaining("destination https://portal.example"),
    ]);
  });
});

describe("strict", () => {
  it("STR-02: halts at the failed check, says what was expected and seen, and calls nothing more", async () => {
    const changed = billsSite({ billsHeading: "Sign in" });
    const on = stage(changed);
    const { id } = await on.addSkill("download-bill", await skill());
    const { message, episode } = await on.turn(goal, [], { skill: "download-bill", mode: "strict" });
    expect(on.calls()).toEqual([`open ${portal}`, "click link Bills"]);
    expect([message?.text, episode.outcome]).toEqual([
      expect.stringContaining("Step 2 did not do what it should: expected heading 'Bills', saw 'Sign in'. Stop and say"),
      "failure",
    ]);
    expect(on.stores.trace.stepsOfEpisode(episode.id)).toHaveLength(2);
    expect(on.stores.skills.runs(id).map((run) => run.finding)).toEqual(["Step 2: expected heading 'Bills', saw 'Sign in'"]);
  });

  it("a page that is still being built is looked at again before a step has failed or its target is missing", async () => {
    const built = billsSite();
    let looks = 0;
    const view: MadeSite["view"] = (path, typed) => {
      const whole = built.view(path, typed);
      if (path === "/bills/1") looks++;
      return path === "/bills/1" && looks <= 2 ? { ...whole, heading: "", text: "Loading", lines: ["Loading"], elements: [] } : whole;
    };
    const on = stage({ ...built, view });
    await on.addSkill("download-bill", await skill());
    const { episode } = await on.turn(goal, [], { skill: "download-bill", mode: "strict" });
    expect([episode.outcome, on.calls()]).toEqual(["success", [`open ${portal}`, "click link Bills", "click button Download December 2026 bill"]]);
  });

  it("STR-03: a call that fails halts it there, with the reason", async () => {
    const on = stage(billsSite(), {
      onCall: (call) => {
        if (call === "click link Bills") throw new KnackError("browser.crashed", "The page crashed.");
      },
    });
    const { id } = await on.addSkill("download-bill", await skill());
    const { message, episode } = await on.turn(goal, [], { skill: "download-bill", mode: "strict" });
    expect([message?.text, episode.outcome]).toEqual(["Step 2 failed: The page crashed.", "failure"]);
    expect(on.stores.skills.runs(id).map((run) => run.finding)).toEqual(["Step 2: The page crashed."]);
    expect(on.stores.trace.stepsOfEpisode(episode.id).map((step) => step.status)).toEqual(["ok", "error"]);
  });

  it.each([
    ["the network is gone", new KnackError("browser.unreachable", "The site could not be reached."), "abandoned"],
    ["no browser is there", new KnackError("browser.missing", "No browser was found."), "abandoned"],
    ["the value is of the wrong form", new KnackError("browser.bad-value", "The field takes a date."), "abandoned"],
    ["a host is not granted", new KnackError("dest.host", "https://portal.example is not granted."), "abandoned"],
    ["the site sends on to another host", new KnackError("hop.host", "https://other.example is not granted."), "failure"],
    ["a link is gone", new KnackError("browser.target-missing", "There is no link Bills."), "failure"],
    ["a button is disabled", new KnackError("browser.target-disabled", "It is disabled."), "failure"],
  ])("when %s, the goal has failed, and the run counts against the routine only where it can help it", async (_what, error, outcome) => {
    const on = stage(billsSite(), {
      onCall: (call) => {
        if (call === "click link Bills") throw error;
      },
    });
    const { id } = await on.addSkill("download-bill", await skill());
    const { episode } = await on.turn(goal, [], { skill: "download-bill", mode: "strict" });
    expect([episode.outcome, on.stores.skills.runs(id)[0]?.outcome]).toEqual(["failure", outcome]);
  });

  it("STR-07: stopped between two steps, the next is not begun", async () => {
    const on = bills();
    const { id } = await on.addSkill("download-bill", await skill());
    const stop = new AbortController();
    const { episode } = await on.turn(goal, [], {
      skill: "download-bill",
      mode: "strict",
      signal: stop.signal,
      onEvent: (event) => (event.type === "step-finished" ? stop.abort() : undefined),
    });
    expect([on.calls(), episode.outcome, on.stores.skills.runs(id)[0]?.outcome]).toEqual([[`open ${portal}`], "abandoned", "abandoned"]);
  });

  it("STR-07: a grant that is revoked between two steps halts it before the next", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    const { message, episode } = await on.turn(goal, [], {
      skill: "download-bill",
      mode: "strict",
      onEvent: (event) => {
        if (event.type !== "step-finished") return;
        for (const grant of on.stores.grants.list()) if (grant.kind === "destination") on.stores.grants.remove(grant.id);
      },
    });
    expect([on.calls(), episode.outcome, message?.text]).toEqual([
      [`open ${portal}`],
      "failure",
      expect.stringContaining("destination https://portal.example"),
    ]);
  });

  it("what was done strictly is in the talk that follows", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    const { message } = await on.turn(goal, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    await on.turn("Which month was it?", [says("December.")], { conversationId: "talk", noSkills: true });
    const told = on.model.requests[0]?.messages.map(({ role, text }) => `${role}: ${text}`) ?? [];
    expect(told.slice(1, 3)).toEqual([`user: ${goal}`, `assistant: ${says(message?.text ?? "")}`]);
  });

  it("STR-04: works with no model at all", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill());
    const world = { ...on.world, model: () => Promise.reject(new Error("no model")) };
    Object.assign(on.world, world);
    const { episode } = await on.turn(goal, [], { skill: "download-bill", mode: "strict" });
    expect([episode.outcome, episode.reason]).toEqual(["success", "every check held"]);
  });

  it("STR-01: a step that needs judgement is an error that names it, before anything is done", async () => {
    const on = bills();
    const content = await skill();
    await on.addSkill("read-bill", { ...content, steps: [...content.steps, { do: "Read this page and answer what was asked", onFail: "" }] });
    const { problem } = await on.turn(goal, [], { skill: "read-bill", mode: "strict" });
    expect([problem, on.calls()]).toEqual([expect.stringContaining('step 4 ("Read this page and answer what was asked") needs judgement'), []]);
  });

  it("without a skill there is nothing to run strictly", async () => {
    const { problem } = await bills().turn("Hello", [], { mode: "strict" });
    expect(problem).toBe("No skill fits, so there is nothing to run strictly. No skill has been learned yet.");
  });

  describe("SHO-09: where two rows fit the goal alike", () => {
    const orders: MadeSite = {
      ...billsSite(),
      view: () =>
        page(
          "Orders",
          ["3 May", "9 May"].map((day) => button("Cancel", { within: day, context: `Kettle | ${day}` })),
          { url: portal },
        ),
    };
    const cancel = async (): Promise<Stage> => {
      const on = stage(orders);
      await on.addSkill(
        "cancel-order",
        procedure("Cancel the order of the Lamp", {
          inputs: { type: "object", properties: { item: { type: "string", kind: "text", description: "item", examples: ["Lamp"] } }, required: ["item"] },
          steps: [
            { ...clickStep("x"), call: { tool: "browser_open", args: { url: portal } }, check: { page: { url: "/" } } },
            { ...clickStep("Cancel"), call: { tool: "browser_click", args: { target: { role: "button", name: "Cancel", within: "{{item}}" } } } },
          ],
          bindings: [{ goal: "Cancel the order of the Lamp", inputs: { item: "Lamp" } }],
          toolsRequired: ["browser_open", "browser_click"],
        }),
      );
      return on;
    };
    it.each(["strict", "advisory", "assisted"] as const)("none is pressed, and the user is asked which (%s)", async (mode) => {
      const on = await cancel();
      const { message, episode, turn } = await on.turn("Cancel the order of the Kettle", [opens(portal)], { skill: "cancel-order", mode });
      expect(on.calls()).toEqual([`open ${portal}`]);
      expect(message?.text).toContain("Which one do you mean?");
      expect(message?.text).toMatch(/3 May.*9 May/u);
      expect([episode.open, on.stores.skills.runOfTurn(turn.id)?.outcome]).toEqual([true, "abandoned"]);
    });
    it("and what is answered decides", async () => {
      const on = await cancel();
      await on.turn("Cancel the order of the Kettle", [], { skill: "cancel-order", mode: "strict", conversationId: "talk" });
      await on.turn("That of 9 May", [], { skill: "cancel-order", mode: "strict", conversationId: "talk" });
      expect(on.calls().slice(1)).toEqual([`open ${portal}`, expect.stringContaining("9 May")]);
    });
  });

  it.each([
    ["strict", []],
    ["assisted", []],
    ["advisory", [opens(portal), presses("button Pay now")]],
  ] as const)("STR-08: a step that pays asks first, and a no means not done (%s)", async (mode, answers) => {
    const shop: MadeSite = { ...billsSite(), view: () => page("Basket", [button("Pay now")], { url: portal }) };
    const on = stage(shop);
    await on.addSkill(
      "pay-basket",
      procedure("Settle my basket", {
        steps: [
          { ...clickStep("x"), call: { tool: "browser_open", args: { url: portal } }, check: { page: { url: "/" } } },
          { ...clickStep("Pay now"), call: { tool: "browser_click", args: { target: { role: "button", name: "Pay now" } } } },
        ],
        toolsRequired: ["browser_open", "browser_click"],
      }),
    );
    const { message } = await on.turn(`Settle my basket at ${portal}`, answers, { skill: "pay-basket", mode });
    expect([on.calls(), message?.text]).toEqual([[`open ${portal}`], expect.stringContaining("Knack never pays, orders or buys by itself")]);
  });
});

describe("corrections", () => {
  it("REC-14: a correction makes a failure of the run, and the turn goes on free in the same episode", async () => {
    const on = bills();
    const { id } = await on.addSkill("download-bill", await skill());
    const first = await on.turn(goal, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    expect(on.stores.skills.runs(id).map((run) => run.outcome)).toEqual(["success"]);
    const second = await on.turn("No, not that one", [asks("Which one then?")], { conversationId: "talk" });
    expect(on.stores.skills.runs(id).map((run) => [run.outcome, run.finding])).toEqual([["failure", "corrected by the user"]]);
    expect([second.episode.id === first.episode.id, second.turn.skillId, second.turn.recall]).toEqual([true, null, null]);
  });
});

describe("REC-01: learning off", () => {
  const prompts = async (change: Parameters<typeof stage>[1]): Promise<string> => {
    const on = bills(change);
    await on.turn(goal, billWay("December"), { conversationId: "talk" });
    await on.turn("Thank you", [says("You are welcome.")], { conversationId: "talk" });
    return JSON.stringify(on.model.requests);
  };

  it("the model reads byte for byte the same whether nothing is learned or learning is off", async () => {
    const read = await prompts({ settings: { learning: true } });
    expect(read).toContain(goal);
    expect(read).toBe(await prompts({ settings: { learning: false } }));
  });

  it("learning switched off, no skill there is leaves a byte in what the model reads, whatever it says and however it is asked for", async () => {
    const on = bills({ settings: { learning: false } });
    const content = await skill();
    await on.addSkill("download-bill", content);
    // Its rule guards what this turn does not do: the gate holds also while learning is off.
    const writes = { do: "Write it", call: { tool: "workspace_write", args: { path: "a.txt", text: "b" } }, onFail: "Stop." };
    await on.addSkill("write-note", procedure("Write a note", { steps: [writes], toolsRequired: ["workspace_write"], preconditions: ["workspace_list"] }));
    await on.addSkill("pack-bill", { ...content, goal: "Fetch a bill", antiPreconditions: ["it is late"] }, { author: "authored:acme", status: "active" });
    await on.turn(goal, billWay("December"), { conversationId: "talk" });
    await on.turn("Thank you", [says("You are welcome.")], { conversationId: "talk" });
    expect(JSON.stringify(on.model.requests)).toBe(await prompts({}));
  });

  it("with learning off nothing is embedded and nothing recalled", async () => {
    const on = bills({ settings: { learning: false } });
    await on.addSkill("download-bill", await skill());
    const asked = on.embedder.asked.length;
    const { turn } = await on.turn(goal, billWay("December"));
    expect([turn.recall, on.embedder.asked.length - asked]).toEqual([null, 0]);
  });

  it("a skill that is off leaves the prompt as if it were not there", async () => {
    const on = bills();
    await on.addSkill("download-bill", await skill(), { status: "disabled" });
    await on.turn(goal, billWay("December"), { conversationId: "talk" });
    await on.turn("Thank you", [says("You are welcome.")], { conversationId: "talk" });
    expect(JSON.stringify(on.model.requests)).toBe(await prompts({}));
  });

  it("the prompt only grows: what was read once is read again from the same bytes", async () => {
    const on = bills();
    await on.turn(goal, billWay("December"));
    const [first, ...rest] = on.model.requests.map((request) => request.messages);
    for (const messages of rest) {
      expect(messages[0]).toEqual(first?.[0]);
      expect(messages.filter((message) => message.role === "assistant").every((message) => billWay("December").includes(message.text))).toBe(true);
    }
  });
});

describe("faults found in turns", () => {
  it("REC-14: what was corrected is kept as a counter-phrasing of the skill", async () => {
    const on = bills();
    const { id } = await on.addSkill("download-bill", await skill());
    const other = `Show the December 2026 readings at ${portal}`;
    await on.turn(other, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    await on.turn("That was the wrong routine", [asks("Which one then?")], { conversationId: "talk" });
    expect(on.stores.skills.phrasings(id)).toEqual([{ text: other, counter: true }]);
  });

  it.each([
    ["the goal it was taught with", goal, "No, not that one"],
    ["the same in another month", goal.replace("December", "November"), "That's wrong"],
    ["another value named", `Show the December 2026 readings at ${portal}`, "No, I meant November"],
    ["the value said to be wrong", `Show the December 2026 readings at ${portal}`, "You got the wrong month"],
  ])("REC-14: the right skill with another value is a failed run and no counter-phrasing: %s", async (_what, asked, correction) => {
    const on = bills();
    const { id } = await on.addSkill("download-bill", await skill());
    await on.turn(asked, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    await on.turn(correction, [asks("Which one then?")], { conversationId: "talk" });
    expect([on.stores.skills.runs(id).map((run) => run.outcome), on.stores.skills.phrasings(id)]).toEqual([["failure"], []]);
    const again = await on.turn(goal, [], { mode: "strict" });
    expect(again.turn.skillId).toBe(id);
  });

  it("a confirmation in words makes a success of what was claimed (isConfirmation is asked by nobody)", async () => {
    const on = bills();
    const { episode } = await on.turn(goal, billWay("December"), { conversationId: "talk" });
    await on.turn("Perfect, thank you", [says("You are welcome.")], { conversationId: "talk" });
    expect(on.stores.trace.episode(episode.id)?.outcome).toBe("success");
  });

  it("a correction makes a failure of what was claimed without a skill", async () => {
    const on = bills();
    const { episode } = await on.turn(goal, billWay("December"), { conversationId: "talk" });
    await on.turn("No, that is wrong", [says("I am sorry.")], { conversationId: "talk" });
    expect(on.stores.trace.episode(episode.id)?.outcome).toBe("failure");
  });

  it("a run that was left stays so when what followed is corrected: leaving is neither success nor failure", async () => {
    const on = bills();
    const { id } = await on.addSkill("download-bill", await skill());
    await on.turn(goal, [opens(portal), '{"tool":"skill_leave","args":{"reason":"other site"}}', says("Done otherwise.")], {
      skill: "download-bill",
      conversationId: "talk",
    });
    await on.turn("No, that is wrong", [says("I am sorry.")], { conversationId: "talk" });
    expect(on.stores.skills.runs(id).map((run) => run.outcome)).toEqual(["left"]);
  });

  it("a skill switched off between its question and the answer is not used", async () => {
    const on = bills();
    const { id } = await on.addSkill("download-bill", await skill());
    await on.turn(`Download my bill from ${portal}`, [], { skill: "download-bill", conversationId: "talk" });
    on.stores.skills.setStatus(
      id,
      "disabled",
      { id: "row", skillId: id, action: "disable", actor: "human:Kim", reason: "", before: null, after: null, at: 1 },
      1,
    );
    const { turn } = await on.turn("December 2026", [says("I have nothing for that.")], { conversationId: "talk" });
    expect(turn.skillId).toBeNull();
  });

  it("REC-07: a condition in words is put to the model in a turn too (recall is given none there, so such a skill is always blocked)", async () => {
    const on = stage(billsSite(), { model: scriptedModel([], () => 0.95) });
    await on.addSkill("show-bills", procedure("Show my bills", { preconditions: ["the user has an account"] }));
    expect((await on.turn("Show my bills", [asks("Where?")])).turn.recall?.verdict).toBe("matched");
  });

  it("without any check that was made, a finished procedure is a claim and no success", async () => {
    const on = bills();
    const content = await skill();
    await on.addSkill("download-bill", { ...content, steps: content.steps.map(({ check: _check, ...step }) => step) });
    const { episode } = await on.turn(goal, [opens(portal), presses("link Bills"), presses("button Download December 2026 bill"), says("Here it is.")], {
      skill: "download-bill",
    });
    expect(episode.outcome).toBe("claimed_success");
  });

  it("the address *, which learning writes where the runs had nothing in common and a turn where a value is unknown, fits every page", () => {
    const seen = { page: page("Bills", [], { url: `${portal}bills/1` }), downloads: [], resultText: "" };
    expect(evaluateCheck({ page: { url: "*" } }, seen).held).toBe(true);
  });
});

describe("advice", () => {
  it("a day is offered in the form that the advice tells, and as nothing else", async () => {
    const on = stage(permitSite());
    const hint = "Press Visitor permit, fill in the Registration and the Day as dd/mm/yyyy, choose the Zone and press Request permit";
    await on.turn(
      "Get AB12 CDE a permit for 3 March 2027 in North at https://council.example",
      [
        opens("https://council.example"),
        presses("link Visitor permit"),
        fills("textbox Registration", "AB12 CDE"),
        fills("textbox Day", "03/03/2027"),
        chooses("combobox Zone", "North"),
        presses("button Request permit"),
        says("Done."),
      ],
      { hint, noSkills: true },
    );
    const offered = on.model.requests[3]?.choices?.map(({ text }) => text).filter((text) => text.includes("textbox Day"));
    expect(offered).toEqual([fills("textbox Day", "03/03/2027")]);
    expect(on.calls().at(-1)).toBe("click button Request permit");
    // Followed to its end, it leaves only telling.
    expect(on.model.requests.at(-1)?.choices?.map(({ text }) => text.slice(0, 16))).toEqual(['{"tool":"reply",', '{"tool":"ask_use']);
  });
});
