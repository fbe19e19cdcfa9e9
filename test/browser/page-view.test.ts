import { describe, expect, it } from "vitest";
import type { PageView } from "#core/ports/index.ts";
import { html, never, useSession } from "./stage.ts";

const host = "view.knack.test";

const pages = {
  "/bills": html(`
    <nav><ul><li><a href="/">Home</a></li><li><a href="/help">Help</a></li></ul></nav>
    <main><h1>Your bills</h1>
      <table><caption>Bills of 2026</caption>
        <tr><th>Month</th><th>Amount</th><th></th></tr>
        <tr><td>May 2026</td><td>£31.90</td><td><button>Download</button></td></tr>
        <tr><td>April 2026</td><td>£34.10</td><td><button>Download</button></td></tr>
      </table>
      <section><h2>Gas</h2><a href="/gas">Details</a></section>
      <section><h2>Power</h2><a href="/power">Details</a></section>
      <dl><dt><a href="/history">Bill history</a></dt><dd>All your bills.</dd></dl>
      <div><a href="/trip">EF3314</a> <b>Port Ellary to Holm</b><br>20 March 2027<br><i>paid</i></div>
      <dl><dt>Arrives</dt><dd>Friday 12 June</dd><dt>Carrier:</dt><dd>Blue Van</dd></dl>
      <div role="alert">Your card runs out in July.</div>
    </main>
    <footer><a href="/help">Help</a></footer>`),
  "/form": html(`
    <main><h1>Time off</h1><form>
      <p><label for="f">From</label> <input id="f" type="date" value="2027-02-14"></p>
      <p><label for="m">Month</label> <input id="m" type="month"></p>
      <p><label for="r">Reason</label> <select id="r"><option>Holiday</option><option selected>Sick</option><option disabled>Strike</option></select></p>
      <p><label for="d">Days</label> <input id="d" type="number" value="3"></p>
      <p><label>Note <textarea>two
lines</textarea></label></p>
      <p><label><input type="checkbox" checked> Paid</label></p>
      <fieldset><legend>Half day?</legend><label><input type="radio" name="h"> Yes</label><label><input type="radio" name="h" checked> No</label></fieldset>
      <fieldset><legend>Tell the team?</legend><label><input type="radio" name="t"> Yes</label><label><input type="radio" name="t"> No</label></fieldset>
      <div id="free" contenteditable="true" role="textbox" aria-label="Remarks">as agreed</div>
      <button type="submit">Send</button><button disabled>Withdraw</button>
      <details><summary>More choices</summary><p>inside</p></details>
    </form></main>`),
  "/secrets": html(`
    <h1>Sign in</h1>
    <label>Name <input name="user" value="mira"></label>
    <label>Password <input type="password" value="s3cret-pass"></label>
    <label>Code <input autocomplete="one-time-code" value="482913"></label>
    <label>Card <input autocomplete="cc-number" value="4111 1111"></label>
    <label>PIN <input value="9876"></label>
    <label>CVV <input name="cardCvv" value="321"></label>
    <label>Shopping <input name="shopping" value="bread"></label>
    <label>Library card number <input name="card-number" value="30418827"></label><label>Library card PIN <input value="7411"></label>
    <input id="flip" type="password" aria-label="Old secret" value="fl1pped">`),
  "/hidden": html(`
    <h1>Plain</h1>
    <p style="display:none">lost-none</p><p style="visibility:hidden">lost-visibility</p><p style="opacity:0">lost-opacity</p>
    <p style="font-size:0">lost-size</p><p>seen before <span style="font-size:1px">lost-inline</span> seen after</p>
    <p style="position:absolute;left:-9999px">lost-off</p><p style="color:#fff;background:#fff">lost-colour</p>
    <p style="position:absolute;clip:rect(0,0,0,0)">lost-clip</p><template><p>lost-template</p></template>
    <p style="text-indent:-9999px">lost-indent</p><div style="height:0;overflow:hidden">lost-flat</div><div style="height:0;overflow:hidden;position:relative"><p style="position:absolute">lost-flat-placed</p></div>
    <div style="max-height:0;overflow:clip"><ul><li>lost-shut</li></ul></div><div style="width:0;overflow:hidden"><b>lost-narrow</b></div>
    <p style="transform:scale(0)">lost-scale</p><p style="transform:rotateX(90deg)">lost-turned</p><div style="transform:scale(.01)"><p>lost-scaled-in</p></div>
    <p style="filter:opacity(0)">lost-filter</p><div style="opacity:.1"><p style="opacity:.1">lost-opacities</p></div>
    <p style="color:rgba(0,0,0,.01)">lost-thin</p><p style="color:rgb(0 0 0 / 2%)">lost-thin-too</p><p style="color:oklch(0 0 0 / .01)">lost-thin-still</p><p style="-webkit-text-fill-color:transparent">lost-fill</p>
    <p style="color:#fefefe">lost-nearly-white</p><div style="background:rgb(255 255 255 / .9)"><p style="color:#fff">lost-on-glass</p></div>
    <div style="background:#123"><button style="background:rgb(255 255 255 / .16);color:#fff;border:0">seen on glass</button></div><p style="clip-path:circle(0)">lost-circle</p><p style="clip-path:inset(0 100% 0 0)">lost-inset</p>
    <button style="font-size:0"><span>lost-button</span></button>
    <div style="font-size:0">lost-between<span style="font-size:16px">seen small parent</span></div>
    <div style="height:0;overflow:hidden">lost-static<p style="position:absolute;top:300px">seen out of it</p></div>
    <a href="/cards" style="display:inline-block;width:90px;height:30px;text-indent:-9999px;overflow:hidden;background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)">Pictured home</a>
    <p>zero\u200Bwidth and r\u202Eight \u{E0041}\u{E0042}tags</p>
    <label style="position:relative"><input type="checkbox" style="opacity:0;position:absolute"> Styled mark</label>`),
  "/many": html(
    `<h1>Long</h1>${Array.from({ length: 100 }, (_, index) => `<p>Paragraph ${index} ${"words ".repeat(40)}</p>`).join("")}<h2>At the end</h2><a href="/x">Last link</a>`,
  ),
  "/frames": html('<h1>Outer</h1><iframe src="/inner"></iframe>'),
  "/inner": html("<h2>Inner heading</h2><button>Inner button</button><input type=password aria-label='Inner secret' value='deep-secret'>"),
  "/cards": html(`<h1>Rooms</h1>
    <div class="card"><h3>Blue room</h3><p>Two beds</p><button>Book</button></div>
    <div class="card"><h3>Red room</h3><p>One bed</p><button>Book</button></div>
    <ul><li>Anna Berg <button>Reply</button></li><li>Tom Lund <button>Reply</button></li></ul>
    <a href="#">More</a><a href="#">More</a>`),
};

const { at, session } = useSession(host, pages);

async function view(path: string): Promise<PageView> {
  return (await session().open(at(path), never)).page;
}

describe("a page as the model reads it", () => {
  it("has rows, headings and notices in one line each, elements by label", async () => {
    const page = await view("/bills");
    expect(page.text).toBe(
      [
        "[link Home] [link Help]",
        "# Your bills",
        "Bills of 2026",
        "Month | Amount",
        "May 2026 | £31.90 | [button Download (May 2026)]",
        "April 2026 | £34.10 | [button Download (April 2026)]",
        "## Gas",
        "[link Details (Gas)]",
        "## Power",
        "[link Details (Power)]",
        "[link Bill history]",
        "All your bills.",
        "[link EF3314] Port Ellary to Holm 20 March 2027 paid",
        "Arrives: Friday 12 June",
        "Carrier: Blue Van",
        "Your card runs out in July.",
        "Help",
      ].join("\n"),
    );
    expect(page.lines).toContain("April 2026 | £34.10");
    expect(page.lines).toContain("Arrives: Friday 12 June");
    expect(page.heading).toBe("Your bills");
    expect(page.elements.map(({ role, name, within, landmark }) => [role, name, within, landmark].join("|"))).toEqual([
      "link|Home||navigation",
      "link|Help||navigation",
      "button|Download|May 2026|main",
      "button|Download|April 2026|main",
      "link|Details|Gas|main",
      "link|Details|Power|main",
      "link|Bill history||main",
      "link|EF3314||main",
    ]);
  });

  it("has fields with their values and lists with their options", async () => {
    const page = await view("/form");
    expect(page.text).toBe(
      [
        "# Time off",
        "[field From: 2027-02-14]",
        "[field Month]",
        "[list Reason: Holiday | Sick; now Sick]",
        "[field Days: 3]",
        "[field Note: two lines]",
        "[checkbox Paid: checked]",
        "Half day?",
        "[radio Yes (Half day?)] [radio No (Half day?): checked]",
        "Tell the team?",
        "[radio Yes (Tell the team?)] [radio No (Tell the team?)]",
        "[field Remarks: as agreed] [button Send] [button Withdraw] (disabled)",
        "[button More choices]",
      ].join("\n"),
    );
    expect(page.elements.find((element) => element.name === "Reason")).toMatchObject({
      role: "combobox",
      action: "select",
      options: ["Holiday", "Sick"],
      value: "Sick",
    });
    expect(page.elements.find((element) => element.name === "Withdraw")?.disabled).toBe(true);
  });

  it("never holds the value of a secret field, whatever makes it one", async () => {
    const page = await view("/secrets");
    const whole = JSON.stringify(page);
    for (const secret of ["s3cret-pass", "482913", "4111", "9876", "321", "7411", "fl1pped"]) expect(whole).not.toContain(secret);
    expect(page.elements.filter((element) => element.secret).map((element) => element.name)).toEqual([
      "Password",
      "Code",
      "Card",
      "PIN",
      "CVV",
      "Library card PIN",
      "Old secret",
    ]);
    expect(page.elements.find((element) => element.name === "Shopping")?.value).toBe("bread");
    expect(page.elements.find((element) => element.name === "Library card number")?.value).toBe("30418827");
  });

  it("leaves out what a person cannot see, and keeps marks that a label draws", async () => {
    const page = await view("/hidden");
    expect(page.text).not.toMatch(/lost/u);
    expect(page.lines).toContain("seen before seen after");
    expect(page.lines).toContain("seen small parent");
    expect(page.lines).toContain("seen out of it");
    expect(page.lines).toContain("zerowidth and right tags");
    expect(page.elements.map((element) => element.label)).toEqual(["button seen on glass", "link Pictured home", "checkbox Styled mark"]);
  });

  it("keeps headings and elements when it must be shortened, and says so", async () => {
    const page = await view("/many");
    expect(page.truncated).toBe(true);
    expect(page.text.length).toBeLessThanOrEqual(8_000);
    expect(page.text).toContain("## At the end\n[link Last link]");
  });

  it("goes into frames, where secrets are kept as well", async () => {
    const page = await view("/frames");
    expect(page.elements.map((element) => element.label)).toEqual(["button Inner button", "field Inner secret"]);
    expect(JSON.stringify(page)).not.toContain("deep-secret");
  });

  it("tells equal names apart by card, item, and at last by place", async () => {
    const page = await view("/cards");
    expect(page.elements.map((element) => element.label)).toEqual([
      "button Book (Blue room)",
      "button Book (Red room)",
      "button Reply (Anna Berg)",
      "button Reply (Tom Lund)",
      "link More (#1)",
      "link More (#2)",
    ]);
  });
});
