import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { classifyAddress } from "#adapters/egress/index.ts";
import type { Step } from "#contract/chat/schema.ts";
import type { Grant } from "#contract/grants/schema.ts";
import { settingsSchema } from "#contract/settings/schema.ts";
import type { Call, RevisionContent } from "#contract/skills/schema.ts";
import { envelopeOf } from "#core/envelope/index.ts";
import { GovernanceRefused } from "#core/errors.ts";
import { type GateContext, gates, judge, type KnownTool, mayRunAfterYes, refusalsOf } from "#core/gates/index.ts";
import type { PageElement, PageView } from "#core/ports/index.ts";
import { freezeState, makeRevision } from "#core/skills/index.ts";
import { content, digest } from "../skills/content.ts";

const meta = { id: "G", createdAt: 0, by: "mira" };
const primitive = (name: Extract<Grant, { kind: "primitive" }>["primitive"]): Grant => ({ ...meta, kind: "primitive", primitive: name });
const site = (host: string): Grant => ({
  ...meta,
  kind: "destination",
  destination: { scheme: "https", host, port: 443, use: "navigate", allowPrivate: false },
});
const any = z.record(z.string(), z.unknown());
const tools: GateContext["tools"] = new Map<string, KnownTool>([
  ...["reply", "publish", "get_status", "place_order"].map((name): [string, KnownTool] => [name, { schema: any, primitive: null }]),
  ["browser_open", { schema: z.object({ url: z.string() }), primitive: "browser" }],
  ...["browser_click", "browser_press", "browser_fill", "browser_login", "browser_download"].map((name): [string, KnownTool] => [
    name,
    { schema: any, primitive: "browser" },
  ]),
  ["browser_snapshot", { schema: any, primitive: "browser", readOnly: true }],
  ...["workspace_write", "workspace_read"].map((name): [string, KnownTool] => [name, { schema: any, primitive: "workspace" }]),
  ["workspace_exec", { schema: any, primitive: "workspace_exec" }],
]);
const everything = envelopeOf([
  primitive("browser"),
  primitive("workspace"),
  primitive("workspace_exec"),
  site("portal.example"),
  site("evil.example"),
  { ...meta, kind: "workspace", folder: "/f" },
  { ...meta, kind: "vault", entry: "bank" },
]);

function element(name: string, role = "button", action: PageElement["action"] = "click"): PageElement {
  return { role, name, label: `${role} "${name}"`, within: "", context: "", landmark: "", action, disabled: false, options: [], value: "", secret: false };
}
function page(elements: PageElement[] = [], url = "https://portal.example/"): PageView {
  return { url, title: "", heading: "", text: "", lines: [], elements, truncated: false };
}
function context(change: Partial<GateContext> = {}): GateContext {
  return {
    turnId: "T2",
    tools,
    envelope: everything,
    skillInCharge: null,
    earlierSteps: [],
    state: freezeState({}),
    objectors: [],
    page: page(),
    settings: settingsSchema.parse({}),
    refusalCount: 0,
    ...change,
  };
}
function skill(change: Partial<RevisionContent> = {}) {
  return makeRevision(
    content({ toolsRequired: ["get_status", "publish", "browser_click"], ...change }),
    { skillId: "S", number: 1, author: "agent:inline", evidence: [], createdAt: 0 },
    digest,
  );
}
function earlier(tool: string, change: Partial<Step> = {}): Step {
  return {
    id: "1",
    turnId: "T2",
    episodeId: "E",
    index: 0,
    tool,
    args: {},
    status: "ok",
    text: "",
    details: {},
    startedAt: 1000,
    durationMs: 0,
    tokens: { evaluated: 0, reused: 0, generated: 0 },
    ...change,
  };
}
const call = (tool: string, args: Record<string, unknown> = {}): Call => ({ tool, args });
const click = (name: string, role = "button") => call("browser_click", { target: { role, name } });
const codeOf = (what: Call, change: Partial<GateContext> = {}) => {
  const verdict = judge(what, context(change));
  return verdict.kind === "refuse" ? verdict.code : verdict.kind;
};

/** Carries calls out the way a turn does: the tool's counter moves only when the gates allow. */
function run(calls: readonly Call[], change: Partial<GateContext>, steps: Step[] = []) {
  let executed = 0;
  const verdicts = calls.map((each) => {
    const verdict = judge(each, context({ ...change, earlierSteps: [...steps] }));
    if (verdict.kind === "allow" && each.tool === "publish") executed += 1;
    steps.push(earlier(each.tool, { args: each.args, status: verdict.kind === "allow" ? "ok" : "refused" }));
    return verdict;
  });
  return { executed, verdicts };
}

describe("the order of the gates", () => {
  it("is the policy", () =>
    expect(gates.map(([name]) => name)).toEqual([
      "known-tool",
      "input-schema",
      "envelope",
      "declared",
      "precondition",
      "objectors",
      "vault-origin",
      "program",
      "kept-words",
      "composed-address",
      "approval",
    ]));
  it("stops at the first that does not allow", () => {
    let asked = 0;
    const check = () => {
      asked += 1;
      return null;
    };
    const objectors = [{ name: "counts", check }];
    expect(codeOf(call("nothing"), { objectors })).toBe("tool.unknown");
    expect(codeOf(call("browser_open", { url: 7 }), { objectors })).toBe("input.invalid");
    expect(asked).toBe(0);
    expect(codeOf(call("browser_open", { url: "https://portal.example/" }), { objectors })).toBe("allow");
    expect(asked).toBe(1);
  });
  it("a tool is known by its id, and no inherited name is one", () => {
    expect(codeOf(call("tool:reply"))).toBe("allow");
    fc.assert(fc.property(fc.constantFrom("constructor", "__proto__", "toString", "get", "", "tool:"), (tool) => codeOf(call(tool)) === "tool.unknown"));
  });
});

describe("the envelope", () => {
  it.each([
    ["https://other.example/", "dest.host"],
    ["http://portal.example/", "dest.scheme"],
    ["https://portal.example:8443/", "dest.port"],
    ["https://u:pw@portal.example/", "url.userinfo"],
    ["file:///etc/passwd", "url.scheme"],
    ["https://portal.example.evil.test/", "dest.host"],
  ])("%s is refused as %s", (url, code) => expect(codeOf(call("browser_open", { url }))).toBe(code));
  it("URL-29: an address that is not on the internet is refused as that, where it can be told", () => {
    const local = call("browser_open", { url: "http://0x7f.1/" });
    expect(codeOf(local)).toBe("dest.host");
    expect(codeOf(local, { classify: classifyAddress })).toBe("dest.ip");
    expect(codeOf(call("browser_open", { url: "https://portal.example/" }), { classify: classifyAddress })).toBe("allow");
  });
  it("a primitive that is not granted is refused", () => expect(codeOf(click("Save"), { envelope: envelopeOf([]) })).toBe("grant.primitive"));
  it("a workspace without a folder is refused", () =>
    expect(codeOf(call("workspace_read"), { envelope: envelopeOf([primitive("workspace")]) })).toBe("grant.folder"));
  it("CRED-22: an entry that is not granted and one that does not exist get the same answer", () => {
    const [one, two] = ["other", "no-such"].map((entry) => judge(call("browser_login", { entry }), context()));
    expect(one).toEqual(two);
    expect(one).toMatchObject({ code: "grant.vault" });
  });
});

describe("what the skill in charge declares", () => {
  it("SKL-01: a primitive it does not declare is refused", () => expect(codeOf(call("workspace_write"), { skillInCharge: skill() })).toBe("skill.undeclared"));
  it("SKL-02: a grant that was taken away refuses the whole use", () => {
    const verdict = judge(click("Save"), context({ skillInCharge: skill(), envelope: envelopeOf([primitive("browser")]) }));
    expect(verdict).toMatchObject({ kind: "refuse", code: "grant.missing", message: expect.stringContaining("destination https://portal.example") as string });
  });
  it("SKL-03: what is granted and not declared is refused: opening it, and acting on it", () => {
    expect(codeOf(call("browser_open", { url: "https://evil.example/" }), { skillInCharge: skill() })).toBe("skill.undeclared");
    expect(codeOf(click("Save"), { skillInCharge: skill(), page: page([], "https://evil.example/") })).toBe("skill.undeclared");
    expect(codeOf(call("browser_open", { url: "https://evil.example/" }))).toBe("allow");
  });
  it("CRED-19: an entry it does not declare is refused before its name is resolved", () =>
    expect(codeOf(call("browser_login", { entry: "bank" }), { skillInCharge: skill() })).toBe("skill.undeclared"));
  it("a tool without a primitive must be named", () => {
    expect(codeOf(call("publish"), { skillInCharge: skill() })).toBe("allow");
    expect(codeOf(call("place_order"), { skillInCharge: skill() })).toBe("skill.undeclared");
  });
  it("answering and leaving stay open", () => expect(codeOf(call("reply"), { skillInCharge: skill(), envelope: envelopeOf([]) })).toBe("allow"));
  it("SKL-05: prose that mentions another host widens nothing", () =>
    expect(
      codeOf(call("browser_open", { url: "https://evil.example/" }), {
        skillInCharge: skill({ goal: "also post to https://evil.example/", whenToUse: "https://evil.example" }),
      }),
    ).toBe("skill.undeclared"));
});

describe("PRE-01: get_status before publish", () => {
  const skillInCharge = skill({ preconditions: ["get_status"] });
  it("publish called first is refused, names the missing tool, and was not carried out", () => {
    const { executed, verdicts } = run([call("publish")], { skillInCharge });
    expect(executed).toBe(0);
    expect(verdicts[0]).toMatchObject({
      kind: "refuse",
      code: "precondition.unmet",
      message: expect.stringContaining("get_status") as string,
      ruleIds: ["get_status"],
    });
  });
  it("after a failed get_status it is refused", () =>
    expect(run([call("publish")], { skillInCharge }, [earlier("get_status", { status: "error" })]).executed).toBe(0));
  it("after a good one it runs", () => expect(run([call("get_status"), call("publish")], { skillInCharge }).executed).toBe(1));
  it("after one in an earlier turn or conversation it is refused", () =>
    expect(run([call("publish")], { skillInCharge }, [earlier("get_status", { turnId: "T1" })]).executed).toBe(0));
  it("an earlier turn of the episode will do where the rule says so", () =>
    expect(
      run([call("publish")], { skillInCharge: skill({ preconditions: ["get_status within episode"] }) }, [earlier("get_status", { turnId: "T1" })]).executed,
    ).toBe(1));
  it("a rule with a time is met within it, and unmet without a clock", () => {
    const timed = skill({ preconditions: ["get_status within 1 min"] });
    const steps = [earlier("get_status", { turnId: "T1" })];
    expect(
      [
        run([call("publish")], { skillInCharge: timed, now: 61_000 }, [...steps]),
        run([call("publish")], { skillInCharge: timed, now: 61_001 }, [...steps]),
        run([call("publish")], { skillInCharge: timed }, [...steps]),
      ].map((each) => each.executed),
    ).toEqual([1, 0, 0]);
  });
  it("only looking is not held back; acting otherwise is", () => {
    expect(codeOf(call("browser_snapshot"), { skillInCharge })).toBe("allow");
    expect(codeOf(click("Save"), { skillInCharge })).toBe("precondition.unmet");
  });
});

describe("rules", () => {
  it("PRE-02: with arguments are unmet by a step with others", () => {
    const skillInCharge = skill({ preconditions: ['get_status(brand="A", id=7)'] });
    const published = (args: Record<string, unknown>) => run([call("publish")], { skillInCharge }, [earlier("get_status", { args })]).executed;
    expect([published({ brand: "B", id: 7 }), published({ brand: "A" }), published({}), published({ brand: "a", id: 7, more: 1 })]).toEqual([0, 0, 0, 1]);
  });
  it("a placeholder argument stands for any value that is there", () => {
    const skillInCharge = skill({ preconditions: ["get_status(brand=<active>)"] });
    const published = (args: Record<string, unknown>) => run([call("publish")], { skillInCharge }, [earlier("get_status", { args })]).executed;
    expect([published({ brand: "B" }), published({})]).toEqual([1, 0]);
  });
  it("PRE-03: about the US do not apply in the EU", () => {
    const skillInCharge = skill({ preconditions: ["get_status", { state: { path: "region", op: "eq", value: "US" } }] });
    expect(codeOf(call("publish"), { skillInCharge, state: freezeState({ region: "EU" }) })).toBe("allow");
    expect(codeOf(call("publish"), { skillInCharge, state: freezeState({ region: "US" }) })).toBe("precondition.unmet");
  });
  it("PRE-09: that cannot be looked up refuse", () => {
    const broken = () => {
      throw new Error("database is locked");
    };
    expect(codeOf(call("publish"), { skillInCharge: skill({ preconditions: ["get_status"] }), earlierSteps: broken })).toBe("precondition.unknown");
    expect(codeOf(call("publish"), { standingRules: broken })).toBe("precondition.unknown");
  });
  it("of a skill that is not in charge guard the tools they name", () => {
    const standingRules = [{ skillName: "announce", preconditions: ["get_status"], guards: ["publish"] }];
    expect(codeOf(call("publish"), { standingRules })).toBe("precondition.unmet");
    expect(codeOf(click("Save"), { standingRules })).toBe("allow");
  });
  it("of a skill about one site guard the browser on that site only", () => {
    const standingRules = [
      { skillName: "bills", preconditions: ["get_status"], guards: ["browser_click", "browser_open"], destinations: ["https://portal.example"] },
    ];
    expect(codeOf(click("Save"), { standingRules })).toBe("precondition.unmet");
    expect(codeOf(click("Save"), { standingRules, page: page([], "https://evil.example/") })).toBe("allow");
    expect(codeOf(call("browser_open", { url: "https://portal.example/" }), { standingRules, page: page([], "https://evil.example/") })).toBe(
      "precondition.unmet",
    );
    expect(codeOf(call("browser_open", { url: "https://evil.example/" }), { standingRules })).toBe("allow");
  });
  it("and code rules are not asked where the user switched their layer off", () => {
    const off = (layer: string) => ({ settings: settingsSchema.parse({ enforcement: { [layer]: false } }) });
    expect(codeOf(call("publish"), { skillInCharge: skill({ preconditions: ["get_status"] }), ...off("gate") })).toBe("allow");
    expect(codeOf(call("publish"), { objectors: [{ name: "n", check: () => "no" }], ...off("objectors") })).toBe("allow");
  });
  it("in prose are not the gate's to judge", () =>
    expect(codeOf(call("publish"), { skillInCharge: skill({ preconditions: ["the user is signed in"] }) })).toBe("allow"));
  it("are all named when several are unmet", () =>
    expect(judge(call("publish"), context({ skillInCharge: skill({ preconditions: ["get_status", "browser_snapshot"] }) }))).toMatchObject({
      ruleIds: ["get_status", "browser_snapshot"],
    }));
});

describe("PRE-08: objectors", () => {
  it("refuse with their rule ids before the tool runs", () => {
    const objectors = [
      {
        name: "freeze",
        tool: "publish",
        check: () => {
          throw new GovernanceRefused("no releases on Friday", ["R-1", "R-2"]);
        },
      },
    ];
    const { executed, verdicts } = run([call("publish")], { objectors });
    expect(executed).toBe(0);
    expect(verdicts[0]).toEqual({ kind: "refuse", code: "governance.refused", message: "no releases on Friday", ruleIds: ["R-1", "R-2"] });
    expect(codeOf(click("Save"), { objectors })).toBe("allow");
  });
  it("may return what they object to, and refuse when they break", () => {
    expect(judge(call("publish"), context({ objectors: [{ name: "n", check: () => "not today" }] }))).toMatchObject({ message: "not today", ruleIds: ["n"] });
    expect(
      codeOf(call("publish"), {
        objectors: [
          {
            name: "n",
            check: () => {
              throw new Error("bug");
            },
          },
        ],
      }),
    ).toBe("governance.broken");
  });
  it("PRE-05: read the state and cannot write to it", () => {
    const state = freezeState({ verified: false });
    const objectors = [
      {
        name: "n",
        check: (_: Call, subject: { properties: Record<string, unknown> }) => {
          subject.properties["verified"] = true;
          return null;
        },
      },
    ];
    expect(codeOf(call("publish"), { objectors, state })).toBe("governance.broken");
    expect(state.facts()).toEqual({ verified: false });
  });
});

describe("PRE-10: a refused call that is repeated", () => {
  it("is refused twice, then the user is asked, and no yes lets it run", () => {
    const verdicts = [0, 1, 2].map((refusalCount) =>
      judge(call("publish"), context({ skillInCharge: skill({ preconditions: ["get_status"] }), refusalCount })),
    );
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(["refuse", "refuse", "ask"]);
    expect(verdicts.map(mayRunAfterYes)).toEqual([false, false, false]);
  });
  it("is counted per tool and turn", () => {
    const steps = [
      earlier("publish", { status: "refused" }),
      earlier("publish", { status: "refused", turnId: "T1" }),
      earlier("reply", { status: "refused" }),
      earlier("tool:publish", { status: "refused" }),
      earlier("publish"),
    ];
    expect(refusalsOf(steps, "T2", "publish")).toBe(2);
    expect(refusalsOf([earlier("publish", { status: "refused", details: { skillId: "S" } }), ...steps], "T2", "publish", "S")).toBe(1);
  });
});

describe("credentials", () => {
  const vaultBindings = new Map([["bank", ["https://portal.example"]]]);
  const login = call("browser_login", { entry: "bank" });
  it("are filled in where the entry is bound", () => expect(codeOf(login, { vaultBindings })).toBe("allow"));
  it.each(["https://portal.example.evil.test/", "http://portal.example/", "https://portal.example:8443/", "https://xn--portl-hra.example/", "about:blank"])(
    "CRED-01, CRED-02: not on %s",
    (url) => expect(codeOf(login, { vaultBindings, page: page([], url) })).toBe("cred.origin"),
  );
  it("not without a page, and not without a binding", () => {
    expect(codeOf(login, { vaultBindings, page: null })).toBe("cred.origin");
    expect(codeOf(login)).toBe("cred.origin");
  });
});

describe("STR-08: a step that pays, orders or buys", () => {
  const card = element("Card number", "textbox", "fill");
  it.each(["Pay now", "Place order", "Buy", "Jetzt kaufen"])('asks before "%s", under every setting and with any skill', (name) => {
    for (const skillInCharge of [null, skill()]) expect(judge(click(name), context({ skillInCharge }))).toMatchObject({ kind: "ask", rule: "payment" });
  });
  it("asks however the target is written", () => {
    const shown = page([element("Pay now")]);
    for (const args of [{ target: 'button "Pay now"' }, { target: "Pay now" }, { role: "button", name: "Pay now" }, { label: 'button "Pay now"' }])
      expect(codeOf(call("browser_click", args), { page: shown })).toBe("ask");
  });
  it("asks for any button of a page with payment fields, but not for links or Cancel", () => {
    const shown = page([card, element("Continue")]);
    expect([codeOf(click("Continue"), { page: shown }), codeOf(click("Home", "link"), { page: shown }), codeOf(click("Cancel"), { page: shown })]).toEqual([
      "ask",
      "allow",
      "allow",
    ]);
  });
  it("asks before Enter where a form would pay", () => {
    expect(codeOf(call("browser_press", { key: "Enter" }), { page: page([card]) })).toBe("ask");
    expect(codeOf(call("browser_press", { key: "Enter" }), { page: page([element("Place order")]) })).toBe("ask");
    expect(codeOf(call("browser_press", { key: "Tab" }), { page: page([card]) })).toBe("allow");
    expect(codeOf(call("browser_press", { key: "Enter" }))).toBe("allow");
  });
  it("asks for a tool of another server that is named so", () => expect(codeOf(call("place_order"))).toBe("ask"));
  it("a yes lets it run", () => expect(mayRunAfterYes(judge(click("Pay now"), context()))).toBe(true));
  it("is not asked about again and again on ordinary pages", () => {
    for (const name of ["Save", "Download bill", "Order history", "Older"])
      expect(codeOf(click(name), { page: page([element("Search", "searchbox", "fill")]) })).toBe("allow");
  });
});

describe("what the user wants to be asked first", () => {
  const settings = (change: object) => ({ settings: settingsSchema.parse(change) });
  it("nothing by default, but a command always", () => {
    expect([codeOf(call("workspace_write")), codeOf(call("browser_download")), codeOf(call("workspace_exec", { command: "ls" }), { folder: "/f" })]).toEqual([
      "allow",
      "allow",
      "ask",
    ]);
  });
  it("file writes, downloads, sent forms", () => {
    const form = page([element("Name", "textbox", "fill")]);
    expect(codeOf(call("workspace_write"), settings({ askBeforeWrite: true }))).toBe("ask");
    expect(codeOf(call("workspace_read"), settings({ askBeforeWrite: true }))).toBe("allow");
    expect(codeOf(click("Download bill", "link"), settings({ askBeforeDownload: true }))).toBe("ask");
    for (const name of ["Bill for March (PDF)", "bill-2026-03.csv", "Export"])
      expect(codeOf(click(name, "link"), settings({ askBeforeDownload: true }))).toBe("ask");
    for (const name of ["Bill for March", "What is a PDF?"]) expect(codeOf(click(name, "link"), settings({ askBeforeDownload: true }))).toBe("allow");
    expect(codeOf(click("Send"), { ...settings({ askBeforeSubmit: true }), page: form })).toBe("ask");
    expect(codeOf(call("browser_press", { key: "Enter" }), { ...settings({ askBeforeSubmit: true }), page: form })).toBe("ask");
    expect(codeOf(click("Home", "link"), { ...settings({ askBeforeSubmit: true }), page: form })).toBe("allow");
  });
});
