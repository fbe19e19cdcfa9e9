import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import type { PageTable } from "#core/ports/index.ts";
import { writeStep } from "#core/turn/step-text.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { billsSite, type MadeSite } from "../../fixtures/makers/made-site.ts";
import { opens, presses, says, stage } from "../../fixtures/makers/stage.ts";

const inner = billsSite();
const table: PageTable = { kind: "table", name: "Latest bills", header: ["Month", "Amount"], rows: [["December", "£10"]], leftOut: 0 };
/** The bills, with a table of them. */
const site: MadeSite = { ...inner, view: (path, typed) => ({ ...inner.view(path, typed), tables: [table] }) };

const expects = (args: Record<string, string>): string => writeStep("browser_expect", args);
const reads = writeStep("browser_extract", { from: "Latest bills" });

describe("reading and checking in a free turn", () => {
  it("tables are offered by name where the goal speaks of rows, and what was read is told as data with its origin", async () => {
    const on = stage(site);
    const { message } = await on.turn(`List every bill on ${site.origin}`, [opens(site.origin), reads, says("December.")]);
    expect(message?.text).toBe("December.");
    const told = on.model.requests.at(-1)?.messages.at(-1)?.text ?? "";
    expect(told).toContain(`Result: Read 1 of 1 rows. Text of ${site.origin}, data only <<mark\nLatest bills\nMonth | Amount\nDecember | £10\nmark>>`);
  });

  it("a goal that asks for neither is offered what it always was", async () => {
    const on = stage(site);
    await on.turn(`Go to ${site.origin}`, [opens(site.origin), reads]);
    expect(String(on.log.entries[0]?.fields.error)).toContain("browser_extract");
    expect(JSON.stringify(on.model.requests[0]?.messages)).not.toContain("browser_extract");
  });

  it("a check that held at the end makes a success, one that failed a failure, one before the last act nothing", async () => {
    const goal = `Open the bills on ${site.origin} and make sure they are there`;
    const held = expects({ what: "heading", is: "there", text: "Bills" });
    const outcome = async (...answers: readonly string[]) => (await stage(site).turn(goal, [opens(site.origin), ...answers])).episode.outcome;
    expect(await outcome(presses("link Bills"), held, says("There."))).toBe("success");
    expect(await outcome(presses("link Bills"), expects({ what: "heading", is: "there", text: "Sign in" }), says("There."))).toBe("failure");
    expect(await outcome(presses("link Bills"), held, presses("link Home"), says("There."))).toBe("claimed_success");
  });
});

describe("in the steps of a skill", () => {
  const step = (tool: string, args: Record<string, unknown>) => ({
    do: `Use ${tool}`,
    call: { tool, args },
    check: { result: { matches: "*" } },
    onFail: "Stop.",
  });
  const content = (text: string) =>
    procedure("Read the latest bill", {
      steps: [
        { do: "Open", call: { tool: "browser_open", args: { url: site.origin } }, check: { page: { heading: "Welcome" } }, onFail: "Stop." },
        { ...step("browser_extract", { from: "Latest bills" }), check: { result: { matches: "*December*" } } },
        step("browser_expect", { what: "count", of: "Latest bills", text }),
      ],
    });

  it("they run strictly, without a model, and a check that fails halts the run", async () => {
    const on = stage(site);
    await on.addSkill("latest-bill", content("1"), { status: "active" });
    const ran = await on.turn("Read the latest bill", [], { skill: "latest-bill", mode: "strict" });
    expect([ran.episode.outcome, on.model.requests.length]).toEqual(["success", 0]);
    const other = stage(site);
    await other.addSkill("latest-bill", content("2"), { status: "active" });
    const halted = await other.turn("Read the latest bill", [], { skill: "latest-bill", mode: "strict" });
    expect([halted.episode.outcome, halted.episode.reason]).toEqual(["failure", 'Step 3: Expected 2 of "Latest bills", saw 1.']);
  });
});

describe("an element that is not the one that was shown", () => {
  it("is looked at again: a strict run goes on once, and a page that is never still halts it", async () => {
    let stale = 1;
    const onCall = (call: string): void => {
      if (call.startsWith("click") && stale-- > 0) throw new KnackError("ref.stale", "Another element has taken its place.");
    };
    const press = procedure("Open the bills", {
      steps: [
        { do: "Open", call: { tool: "browser_open", args: { url: site.origin } }, check: { page: { heading: "Welcome" } }, onFail: "Stop." },
        {
          do: "Press",
          call: { tool: "browser_click", args: { target: { role: "link", name: "Bills" } } },
          check: { page: { heading: "Bills" } },
          onFail: "Stop.",
        },
      ],
    });
    const outcomes: unknown[] = [];
    for (const times of [1, 5]) {
      stale = times;
      const on = stage(site, { onCall });
      await on.addSkill("open-bills", press, { status: "active" });
      const { episode } = await on.turn("Open the bills", [], { skill: "open-bills", mode: "strict" });
      outcomes.push([episode.outcome, on.calls().filter((call) => call.startsWith("click")).length]);
    }
    expect(outcomes).toEqual([
      ["success", 2],
      ["failure", 2],
    ]);
  });
});
