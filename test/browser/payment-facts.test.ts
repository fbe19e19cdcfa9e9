import { describe, expect, it } from "vitest";
import { paymentReason } from "#core/gates/index.ts";
import type { PageView } from "#core/ports/index.ts";
import { html, never, useSession } from "./stage.ts";

const host = "till.knack.test";
const form = (inside: string): string =>
  html(`<h1>Till</h1><form action="/done">${inside}<button>Continue</button><a href="#">Onwards</a></form><a href="/">Help</a>`);
const pages = {
  "/autocomplete": form('<label>Number <input autocomplete="section-a billing cc-number"></label>'),
  "/named": form('<label>Number <input name="cardNumber"></label>'),
  "/id": form('<label>Nummer <input id="cc_exp"></label>'),
  "/list": form('<label>Bis <select autocomplete="cc-exp-month"><option>01</option></select></label>'),
  "/spoken": form('<input aria-label="Debit card">'),
  "/frame": html('<h1>Till</h1><iframe src="/autocomplete"></iframe><button>Go on</button>'),
  "/library": form('<label>Library card <input name="cardNumber"></label>'),
  "/plain": form('<label>Number <input name="number" autocomplete="street-address"></label>'),
};

const { at, session } = useSession(host, pages);

const open = async (path: string): Promise<PageView> => (await session().open(at(path), never)).page;
const asks = (page: PageView, role: string, name: string): boolean => paymentReason({ tool: "browser_click", args: { target: { role, name } } }, page) !== null;

describe("a form that takes a payment, whatever it calls its fields,", () => {
  it.each(["/autocomplete", "/named", "/id", "/list", "/spoken", "/frame"])("asks before it is sent: %s", async (path) => {
    const page = await open(path);
    expect(asks(page, "button", "Continue")).toBe(true);
    expect(asks(page, "link", "Onwards")).toBe(true);
    expect(asks(page, "link", "Help")).toBe(false);
  });

  it("asks before a button beside its frame is pressed", async () => {
    expect(asks(await open("/frame"), "button", "Go on")).toBe(true);
  });

  it.each(["/library", "/plain"])("is told from one that does not: %s", async (path) => {
    expect(asks(await open(path), "button", "Continue")).toBe(false);
  });
});
