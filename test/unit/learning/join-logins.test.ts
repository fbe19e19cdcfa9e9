import { describe, expect, it } from "vitest";
import { withLogin } from "#app/choose-login.ts";
import type { Showing, ShownAction } from "#contract/learning/schema.ts";
import { draftFromShowing, withoutSecrets } from "#core/learning/index.ts";
import { joinLogins } from "#core/learning/join-logins.ts";

const site = "https://surgery.example";
const page = (heading: string, path: string): ShownAction["after"] => ({ url: `${site}${path}`, title: heading, heading, text: heading });
const signInPage = page("Sign in", "/sign-in");
const home = page("My care", "/care");
let at = 0;
const act = (kind: ShownAction["kind"], role: string, name: string, after: ShownAction["after"], more: Partial<ShownAction> = {}): ShownAction => ({
  kind,
  target: { role, name },
  secret: false,
  siblings: [],
  landmark: "main",
  context: "",
  after,
  at: (at += 1),
  ...more,
});
const open: ShownAction = { kind: "open", value: `${site}/sign-in`, secret: false, siblings: [], landmark: "", context: "", after: signInPage, at: 0 };
const user = (value = "wren.alder", after = signInPage): ShownAction => act("fill", "textbox", "User name", after, { value });
const password = (after = signInPage, name = "Password"): ShownAction => act("fill", "textbox", name, after, { value: "", secret: true });
const send = (after = home, name = "Sign in"): ShownAction => act("click", "button", name, after);
const said = (actions: readonly ShownAction[]): string[] =>
  joinLogins(actions).map(
    ({ kind, target, secret, isSent, after }) => `${kind} ${target?.name ?? ""}${secret ? " secret" : ""}${isSent ? " sent" : ""} > ${after.heading}`,
  );

describe("a person who signs in while showing", () => {
  it("does one thing: name, password and the button are a login that led where the button led", () =>
    expect(said([open, user(), password(), send(), act("click", "link", "Medicines", page("Medicines", "/care/medicines"))])).toEqual([
      "open  > Sign in",
      "fill Password secret sent > My care",
      "click Medicines > Medicines",
    ]));

  it("may send it by Enter", () =>
    expect(said([user(), password(), { ...send(), kind: "press", value: "Enter" }])).toEqual(["fill Password secret sent > My care"]));

  it("does what else the form asks for first", () =>
    expect(
      said([
        user(),
        password(),
        act("click", "checkbox", "Stay signed in", signInPage),
        act("select", "combobox", "Branch", signInPage, { value: "Mill Lane" }),
        send(),
      ]),
    ).toEqual(["click Stay signed in > Sign in", "select Branch > Sign in", "fill Password secret sent > My care"]));

  it("gives the name on one page and the password on the next: two logins", () => {
    const second = page("Welcome back", "/sign-in/password");
    expect(said([open, user(), send(second, "Next"), password(second), send()])).toEqual([
      "open  > Sign in",
      "fill User name secret sent > Welcome back",
      "fill Password secret sent > My care",
    ]);
  });

  it("types a password that nothing sends: what was not seen is not said", () =>
    expect(said([user(), password()])).toEqual(["fill Password secret > Sign in"]));

  it.each([
    [
      "a search before it is none of it",
      [act("fill", "searchbox", "Search", signInPage, { value: "opening times" }), password(), send()],
      ["fill Search > Sign in", "fill Password secret sent > My care"],
    ],
    [
      "a card's number is no login, and its button is pressed by nobody else",
      [act("fill", "textbox", "Card number", signInPage, { value: "", secret: true }), send(home, "Pay now")],
      ["fill Card number secret > Sign in", "click Pay now > My care"],
    ],
    [
      "a password beside a card's number neither",
      [password(), act("fill", "textbox", "Card number", signInPage, { value: "", secret: true }), send(home, "Pay now")],
      ["fill Password secret > Sign in", "fill Card number secret > Sign in", "click Pay now > My care"],
    ],
    [
      "a link after it does not send it",
      [password(), act("click", "link", "Help", page("Help", "/help"))],
      ["fill Password secret > Sign in", "click Help > Help"],
    ],
  ] as const)("%s", (_what, actions, expected) => expect(said(actions)).toEqual(expected));
});

describe("what is kept of it", () => {
  const shown = [
    open,
    user(),
    password(),
    send({ ...home, text: "My care\nSigned in as wren.alder" }),
    act("click", "link", "Medicines", page("Medicines", "/care/medicines")),
  ];
  const showing = (actions: readonly ShownAction[]): Showing =>
    ({
      id: "s",
      goal: "Show my medicines",
      url: site,
      status: "draft",
      actions,
      createdAt: Date.UTC(2027, 0, 10),
      aim: { kind: "new" },
      base: null,
      edits: [],
      skillId: null,
    }) as unknown as Showing;

  it("SEC-27: neither the name of the account nor what a page says of it", () => expect(JSON.stringify(withoutSecrets(shown))).not.toContain("wren.alder"));

  it("keeps a name that belongs to no login", () => {
    const other = [act("fill", "textbox", "User name", signInPage, { value: "wren.alder" }), send(home, "Find")];
    expect(JSON.stringify(withoutSecrets(other))).toContain("wren.alder");
  });

  const base = () => draftFromShowing({ id: "s", goal: "Show my medicines" }, withoutSecrets(shown), new Date(Date.UTC(2027, 0, 10)));
  const known = (bindings: Record<string, string[]>, granted: string[] = []) => ({
    bindings: () => new Map(Object.entries(bindings)),
    granted: () => new Set(granted),
  });

  it("the draft asks for a login, and has nothing else to type there", () => {
    const draft = base();
    expect(draft.content.steps.map(({ do: words, call }) => call?.tool ?? words)).toEqual([
      "browser_open",
      "Enter the secret for Password from a vault entry (choose one)",
      "browser_click",
    ]);
    expect(draft.needJudgement).toEqual([2]);
  });

  it("signs in with the only login of the vault for that site, and with what it led to as its check", () => {
    const draft = withLogin(base(), showing(shown), known({ surgery: [site], bank: ["https://bank.example"] }));
    expect([draft.content.steps[1]?.call, draft.content.steps[1]?.check, draft.content.capabilities.vault, draft.needJudgement]).toEqual([
      { tool: "browser_login", args: { entry: "surgery" } },
      { page: { heading: "My care", url: "/care" } },
      ["surgery"],
      [],
    ]);
    expect(draft.notes[0]).toContain('"surgery"');
  });

  it("of several takes the one that is granted, and leaves it open where that does not tell", () => {
    const two = { mine: [site], hers: [site] };
    expect(withLogin(base(), showing(shown), known(two, ["hers"])).content.capabilities.vault).toEqual(["hers"]);
    expect(withLogin(base(), showing(shown), known(two)).content.capabilities.vault).toEqual([]);
    expect(withLogin(base(), showing(shown), known({ bank: ["https://bank.example"] })).content.capabilities.vault).toEqual([]);
  });
});
