import { describe, expect, it } from "vitest";
import { z } from "zod";
import { revertSkill, reviseSkill } from "#app/skills.ts";
import type { RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { defineTool } from "#core/tools/index.ts";
import { billGoal, portal } from "../../fixtures/makers/bill-runs.ts";
import { clickStep, procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const goal = billGoal("December");
const reach = (change: Partial<RevisionContent["capabilities"]> = {}): RevisionContent["capabilities"] => ({
  primitives: ["browser"],
  vault: [],
  destinations: ["https://portal.example"],
  ...change,
});
const openStep: SkillStep = { do: "Open it", call: { tool: "browser_open", args: { url: portal } }, check: { page: { heading: "Welcome" } }, onFail: "Stop." };
const loginStep: SkillStep = { do: "Sign in", call: { tool: "browser_login", args: { entry: "bank" } }, check: { result: { matches: "*" } }, onFail: "Stop." };

/** A browser that counts what reaches it, and a stand-in for the only tool that reads the vault, which counts its reads. */
function counted(change: Parameters<typeof stage>[1] = {}): Stage & { readonly reads: () => number } {
  let reads = 0;
  const login = defineTool({
    id: "browser_login",
    primitive: "browser",
    description: "browser_login {entry}: sign in",
    args: z.object({ entry: z.string() }),
    async run() {
      reads += 1;
      return { text: "Signed in." };
    },
  });
  const on = stage(billsSite(), change);
  on.world.tools = new Map([...on.world.tools, [login.id, login]]);
  on.stores.grants.add({ id: "vault-bank", kind: "vault", entry: "bank", createdAt: 0, by: "user" });
  return { ...on, reads: () => reads };
}
const revoke = (on: Stage, kind: string): void => {
  for (const grant of on.stores.grants.list()) if (grant.kind === kind) on.stores.grants.remove(grant.id);
};

describe("an input the skill does not have", () => {
  it.each(["constructor", "__proto__", "toString", "month"])("%s is refused as one, and nothing is run", async (name) => {
    const on = counted();
    await on.addSkill("show-bills", procedure("Show my bills"));
    const { problem } = await on.turn("Show my bills", [], { skill: "show-bills", inputs: Object.fromEntries([[name, "x"]]) });
    expect([problem, on.calls()]).toEqual([`"show-bills" has no input "${name}"; it has: none`, []]);
  });
});

describe("a grant that was taken back", () => {
  it.each([
    ["destination", "destination https://portal.example"],
    ["primitive", "primitive browser"],
    ["vault", "vault entry bank"],
  ])("%s: the whole use is refused, named, with an alert; the site has no hit and the vault no read", async (kind, named) => {
    const on = counted();
    const { id } = await on.addSkill("sign-in", procedure("Sign in", { steps: [openStep, loginStep], capabilities: reach({ vault: ["bank"] }) }));
    revoke(on, kind);
    for (const mode of ["advisory", "strict"] as const) {
      const { episode, message, turn } = await on.turn(goal, [], { skill: "sign-in", mode });
      expect([episode.outcome, message?.text]).toEqual(["failure", expect.stringContaining(`needs ${named}, which you have not granted`)]);
      expect([on.calls(), on.sessions(), on.reads(), on.stores.trace.stepsOfTurn(turn.id), on.model.requests]).toEqual([[], 0, 0, [], []]);
    }
    expect(on.stores.alerts.list().map((alert) => [alert.kind, alert.skillId, alert.title])).toEqual([
      ["refused", id, `"sign-in" was not used: ${named} is not granted`],
    ]);
    expect(on.stores.skills.runs(id)).toEqual([]);
  });

  it("between two steps halts before the vault is read", async () => {
    const on = counted();
    await on.addSkill("sign-in", procedure("Sign in", { steps: [openStep, loginStep], capabilities: reach({ vault: ["bank"] }) }));
    const { message } = await on.turn(goal, [], {
      skill: "sign-in",
      mode: "strict",
      onEvent: (event) => (event.type === "step-finished" ? revoke(on, "vault") : undefined),
    });
    expect([on.calls(), on.reads(), message?.text]).toEqual([[`open ${portal}`], 0, expect.stringContaining("vault entry is not granted")]);
  });

  it("TRU-08: going back to a revision that declares it works; its use is refused with the grant named", async () => {
    const on = counted();
    const steps = [openStep, clickStep("Bills")];
    const skill = await on.addSkill(
      "bills",
      procedure("Bills", { steps, capabilities: reach({ destinations: ["https://portal.example", "https://files.example"] }) }),
    );
    await reviseSkill(
      on.skillWorld,
      skill,
      { content: procedure("Bills", { steps }), author: "human:Kim", evidence: [], reason: "less" },
      AbortSignal.timeout(5000),
    );
    expect((await on.turn(goal, [], { skill: "bills", mode: "strict" })).episode.outcome).toBe("success");
    const hits = on.calls().length;
    await revertSkill(on.skillWorld, "bills", 1, "human:Kim");
    expect(on.stores.skills.get(skill.id)?.activeRevision).toBe(1);
    const { message } = await on.turn(goal, [], { skill: "bills", mode: "strict" });
    expect([message?.text, on.calls().length, on.reads()]).toEqual([expect.stringContaining("destination https://files.example"), hits, 0]);
    expect(on.stores.grants.list().some((grant) => grant.kind === "destination" && grant.destination.host === "files.example")).toBe(false);
  });
});

describe("while a skill is in charge", () => {
  it("what is granted and not declared by the pinned revision does not run, even when a later revision declares it", async () => {
    const on = counted({ granted: ["https://portal.example", "https://other.example"] });
    const skill = await on.addSkill("bills", procedure("Bills", { steps: [openStep, loginStep, clickStep("Bills")] }));
    const { message } = await on.turn(goal, [], {
      skill: "bills",
      mode: "strict",
      onEvent(event) {
        if (event.type !== "step-started") return;
        void reviseSkill(
          on.skillWorld,
          skill,
          {
            content: procedure("Bills", { steps: [openStep, loginStep], capabilities: reach({ vault: ["bank"] }) }),
            author: "human:Kim",
            evidence: [],
            reason: "more",
          },
          AbortSignal.timeout(5000),
        );
      },
    });
    expect([on.calls(), on.reads(), message?.text]).toEqual([[`open ${portal}`], 0, expect.stringContaining("does not declare that vault entry")]);
  });
});

describe("a skill inside a skill, in real turns", () => {
  const nested = async (inner: Partial<RevisionContent>, outer: Partial<RevisionContent> = {}): Promise<ReturnType<typeof counted>> => {
    const on = counted({ granted: ["https://portal.example", "https://other.example"] });
    await on.addSkill("inner", procedure("Go to the bills", inner));
    await on.addSkill(
      "outer",
      procedure("Look at the bills", {
        steps: [openStep, { do: "Go on", call: { tool: "skill:Inner", args: {} }, onFail: "Stop." }],
        toolsRequired: ["browser_click"],
        ...outer,
      }),
    );
    return on;
  };

  it("its steps are done as those of the outer one, strictly and with the model", async () => {
    const on = await nested({ steps: [clickStep("Bills")] });
    const strict = await on.turn(goal, [], { skill: "outer", mode: "strict" });
    expect([strict.episode.outcome, on.calls()]).toEqual(["success", [`open ${portal}`, "click link Bills"]]);
    const advised = await on.turn(goal, [opens(portal), presses("link Bills"), says("Here they are.")], { skill: "outer" });
    expect([advised.episode.outcome, advised.events.filter((event) => event.type === "place-moved").at(-1)]).toMatchObject(["success", { at: 2, of: 2 }]);
  });

  it("may not do what the outer one does not declare", async () => {
    const on = await nested({ steps: [loginStep], capabilities: reach({ vault: ["bank"] }) });
    const { message } = await on.turn(goal, [], { skill: "outer", mode: "strict" });
    expect([on.calls(), on.reads(), message?.text]).toEqual([[`open ${portal}`], 0, expect.stringContaining("does not declare that vault entry")]);
  });

  it("may not do what it does not declare itself, though the outer one does", async () => {
    const on = await nested({ steps: [loginStep] }, { capabilities: reach({ vault: ["bank"] }) });
    const { message } = await on.turn(goal, [], { skill: "outer", mode: "strict" });
    expect([on.reads(), message?.text]).toEqual([0, expect.stringContaining("does not declare that vault entry")]);
  });

  it("a step of the outer one keeps the outer one's reach", async () => {
    const open = (url: string): SkillStep => ({ do: "Open", call: { tool: "browser_open", args: { url } }, onFail: "Stop." });
    const on = await nested(
      { steps: [{ ...openStep, do: "Open again" }], capabilities: reach() },
      {
        steps: [
          { do: "Go on", call: { tool: "skill:inner", args: {} }, onFail: "Stop." },
          { ...open("https://other.example/"), check: { page: { url: "*" } } },
        ],
        capabilities: reach({ destinations: ["https://portal.example", "https://other.example"] }),
      },
    );
    await on.turn(goal, [], { skill: "outer", mode: "strict" });
    expect(on.calls()).toEqual([`open ${portal}`, "open https://other.example/"]);
  });

  it.each(["disabled", "retired"] as const)("one that is %s is an error that names it, before anything is done", async (status) => {
    const on = await nested({ steps: [clickStep("Bills")] });
    const inner = on.stores.skills.byName("inner");
    on.stores.skills.setStatus(
      inner?.id ?? "",
      status,
      { id: "off", skillId: inner?.id ?? "", action: "disable", actor: "human:Kim", reason: "", before: "active", after: status, at: 1 },
      1,
    );
    const { problem } = await on.turn(goal, [], { skill: "outer" });
    expect([problem, on.calls(), on.model.requests]).toEqual([expect.stringContaining(`uses the skill "inner", which is ${status}`), [], []]);
  });

  it("its rules hold back what it does", async () => {
    const on = await nested({ steps: [clickStep("Bills")], preconditions: ["browser_snapshot"] });
    const { message } = await on.turn(goal, [], { skill: "outer", mode: "strict" });
    expect([on.calls(), message?.text]).toEqual([[`open ${portal}`], expect.stringContaining("call browser_snapshot first")]);
  });
});

describe("ask first", () => {
  it.each([
    ["a form that is sent", { askBeforeSubmit: true }, "This sends a form."],
    ["a download", { askBeforeDownload: true }, "This downloads a file."],
  ])("%s: without anybody to ask it is not done", async (_what, settings, reason) => {
    const site = billsSite();
    const on = stage(
      {
        ...site,
        view: (path, typed) => {
          const view = site.view(path, typed);
          const field = {
            ...view.elements[0],
            role: "textbox",
            name: "Search",
            label: "textbox Search",
            action: "fill" as const,
          } as (typeof view.elements)[number];
          return { ...view, elements: [...view.elements, field] };
        },
      },
      { settings },
    );
    const label = "button Download December 2026 bill";
    const { message } = await on.turn(goal, [opens(portal), presses("link Bills"), presses(label)], { noSkills: true });
    expect([on.calls(), message?.text]).toEqual([
      [`open ${portal}`, "click link Bills"],
      expect.stringContaining(`${reason} I did not do it, because nobody agreed to it.`),
    ]);
  });
});
