import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { RecordingSession } from "#core/ports/index.ts";
import { codeOf, html, never, openStage, type Stage } from "./stage.ts";

const host = "account.knack.test";
const at = (path: string): string => `https://${host}${path}`;

const pages = {
  "/": html('<nav><a href="/account">My account</a><a href="/help">Help</a></nav><main><h1>Welcome</h1></main>'),
  "/account": html('<main><h1>My account</h1><a href="/bills">Bills</a><a href="/details">Details</a></main>'),
  "/bills": html(
    '<main><h1>Bills</h1><table><tr><td>May 2026</td><td><a href="/file?m=may" role="link">Download</a></td></tr><tr><td>April 2026</td><td><a href="/file?m=april">Download</a></td></tr></table></main>',
  ),
  "/file": (_request: Request, url: URL) =>
    new Response("pdf", {
      headers: { "content-type": "application/pdf", "content-disposition": `attachment; filename="bill-${url.searchParams.get("m") ?? ""}.pdf"` },
    }),
  "/form": html(`<h1>Request</h1><form action="/done"><label>From <input type="date" name="from"></label><label>Name <input name="name"></label>
    <label>Reason <select name="reason"><option>Holiday</option><option>Sick leave</option></select></label>
    <label><input type="checkbox" name="half" value="yes"> Half day</label><button>Send</button></form>`),
  "/done": (_request: Request, url: URL) =>
    new Response(html(`<h1>Done</h1><p>${url.search.replace(/password=.*/u, "")}</p>`), { headers: { "content-type": "text/html" } }),
  "/login": html(
    '<h1>Sign in</h1><form action="/done"><label>User <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form>',
  ),
  "/search": html('<h1>Search</h1><form action="/done"><label>Words <input name="q"></label></form>'),
  "/jump": html(
    "<h1>Jump</h1><label>Town <select onchange=\"location.href='/done?town='+this.value\"><option>Oslo</option><option>Rome</option></select></label>",
  ),
  "/app":
    html(`<h1>App</h1><div id="tabs"><div role="tab" tabindex="0" onclick="show('One')">First</div><div role="tab" tabindex="0" onclick="show('Two')">Second</div></div><p id="p"></p>
    <script>function show(t){setTimeout(()=>{document.getElementById('p').textContent=t+' shown'},60)}</script>`),
  "/busy": html('<h1>Busy</h1><button onclick="for(;;);">Work</button>'),
  "/frame": html('<h1>Outer</h1><iframe src="/inner"></iframe>'),
  "/inner": html("<button onclick=\"parent.document.querySelector('h1').textContent='Pressed'\">Inner button</button>"),
  "/tab": html('<h1>Tabs</h1><a href="/account" target="_blank">Account in a tab</a>'),
};

let stage: Stage;
const open: RecordingSession[] = [];

beforeAll(async () => {
  stage = await openStage({ [host]: pages });
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
});
afterAll(async () => {
  await stage.close();
});

async function recordAt(path: string): Promise<RecordingSession> {
  const recording = await stage.launcher.record({ ...stage.options, url: at(path), headed: false }, never);
  open.push(recording);
  return recording;
}

async function shown(path: string, script: readonly (readonly string[])[]): Promise<readonly ShownAction[]> {
  const recording = await recordAt(path);
  await recording.perform(script, never);
  return recording.stop();
}

function short(action: ShownAction): string {
  const within = action.target?.within === undefined ? "" : ` in ${action.target.within}`;
  const target = action.target === undefined ? "" : ` ${action.target.role} ${action.target.name}${within}`;
  return `${action.kind}${target}${action.value === undefined ? "" : ` = ${action.value}`}${action.secret ? " (secret)" : ""} > ${action.after.heading}`;
}

describe("what a person shows is taken down", () => {
  it("click by click to a file, with what was there and what came of it", async () => {
    const actions = await shown("/", [
      ["open", at("/")],
      ["click", "link", "My account"],
      ["click", "link", "Bills"],
      ["click", "link", "Download"],
    ]);
    expect(actions.map(short)).toEqual([
      `open = ${at("/")} > Welcome`,
      "click link My account > My account",
      "click link Bills > Bills",
      "click link Download in May 2026 > Bills",
      "download = bill-may.pdf > Bills",
    ]);
    expect(actions[1]).toMatchObject({ siblings: ["Help"], landmark: "navigation", after: { url: at("/account"), title: "A page" } });
    expect(actions[3]?.context).toContain("May 2026");
    expect(actions[2]?.after.text).toContain("May 2026 | Download");
  });

  it("as final values of fields, lists and marks", async () => {
    const actions = await shown("/form", [
      ["fill", "From", "2027-02-14"],
      ["fill", "Name", "Mira Quil"],
      ["fill", "Name", "Mira Quill"],
      ["select", "Reason", "Sick leave"],
      ["click", "checkbox", "Half day"],
      ["click", "button", "Send"],
    ]);
    expect(actions.map(short)).toEqual([
      `open = ${at("/form")} > Request`,
      "fill textbox From = 2027-02-14 > Request",
      "fill textbox Name = Mira Quill > Request",
      "select combobox Reason = Sick leave > Request",
      "click checkbox Half day > Request",
      "click button Send > Done",
    ]);
    expect(actions.at(-1)?.after.text).toContain("?from=2027-02-14&name=Mira+Quill&reason=Sick+leave&half=yes");
  });

  it("without a password, though the site gets it (SHO-03)", async () => {
    const actions = await shown("/login", [
      ["fill", "User", "mira"],
      ["fill", "Password", "s3cret"],
      ["click", "button", "Sign in"],
    ]);
    expect(actions.map(short).slice(1, 3)).toEqual(["fill textbox User = mira > Sign in", "fill textbox Password =  (secret) > Sign in"]);
    expect(actions.map((action) => action.after.url).at(-1)).toBe(at("/done?user=mira"));
    expect(JSON.stringify(actions)).not.toContain("s3cret");
    expect(stage.asked(host).at(-1)).toContain("password=s3cret");
  });

  it("with Enter, when it sends the field", async () => {
    const actions = await shown("/search", [
      ["fill", "Words", "red shoes"],
      ["press", "Enter"],
    ]);
    expect(actions.map(short).slice(1)).toEqual(["fill textbox Words = red shoes > Search", "press textbox Words = Enter > Done"]);
    expect(stage.asked(host).at(-1)).toBe("GET /done?q=red+shoes");
  });

  it("before a list that leaves the page by itself", async () => {
    const actions = await shown("/jump", [["select", "Town", "Rome"]]);
    expect(actions.map(short).slice(1)).toEqual(["select combobox Town = Rome > Done"]);
  });

  it("in applications that change without a new page", async () => {
    const actions = await shown("/app", [["click", "tab", "Second"]]);
    expect(actions.map(short).slice(1)).toEqual(["click tab Second > App"]);
    expect(actions[1]?.after.text).toContain("Two shown");
  });

  it("inside frames", async () => {
    const actions = await shown("/frame", [["click", "button", "Inner button"]]);
    expect(actions.map(short).slice(1)).toEqual(["click button Inner button > Pressed"]);
  });

  it("across a new tab", async () => {
    const actions = await shown("/tab", [
      ["click", "link", "Account in a tab"],
      ["click", "link", "Bills"],
    ]);
    expect(actions.map(short).slice(1)).toEqual(["click link Account in a tab > My account", "click link Bills > Bills"]);
  });

  it("and announced once each, when it is final", async () => {
    const heard: string[] = [];
    const recording = await stage.launcher.record({ ...stage.options, url: at("/form"), headed: false, onAction: (action) => heard.push(action.kind) }, never);
    open.push(recording);
    await recording.perform(
      [
        ["fill", "Name", "a"],
        ["fill", "Name", "b"],
        ["click", "button", "Send"],
      ],
      never,
    );
    await recording.stop();
    expect(heard).toEqual(["open", "fill", "click"]);
  });
});

describe("a recording", () => {
  it("keeps what was shown when it is stopped, and ends", async () => {
    const recording = await recordAt("/");
    await recording.perform([["click", "link", "My account"]], never);
    const actions = await recording.stop();
    await recording.ended;
    expect(actions).toHaveLength(2);
    expect(recording.actions()).toEqual(actions);
  });

  it("ends also where its page hangs for ever", async () => {
    const recording = await recordAt("/busy");
    const soon = AbortSignal.timeout(1_500);
    await recording.perform([["click", "button", "Work"]], soon).catch(() => undefined);
    expect((await recording.stop())[0]).toMatchObject({ kind: "open" });
  });

  it("says which line of a script could not be shown", async () => {
    const recording = await recordAt("/");
    expect(await codeOf(recording.perform([["click", "link", "Nowhere"]], never))).toBe("browser.target-missing");
    await expect(recording.perform([["click", "link", "Nowhere"]], never)).rejects.toThrow(/Line 1 \(click link Nowhere\)/u);
  });

  it("goes only where it may", async () => {
    expect(await codeOf(stage.launcher.record({ ...stage.options, url: "https://evil.knack.test/", headed: false }, never))).toBe("dest.host");
  });
});
