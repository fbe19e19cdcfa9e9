import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Offer, offeredForms, stepChoices } from "#core/tools/index.ts";
import { readStep } from "#core/turn/step-text.ts";
import { button, field, link, list, page } from "../../fixtures/makers/page.ts";

const offer = (change: Partial<Offer> = {}): Offer => ({
  page: null,
  without: new Set(),
  urls: [],
  texts: null,
  mayPress: true,
  mayReply: true,
  mayLeave: false,
  mayAct: true,
  hasWorkspace: false,
  memory: null,
  skills: null,
  ...change,
});
const texts = (change: Partial<Offer>): string[] => stepChoices(offeredForms(offer(change))).map((choice) => choice.text + (choice.open ? "…" : ""));

describe("the steps that may be written now", () => {
  it("are those of the targets that are there, and of no others", () => {
    const view = page("Bills", [
      link("Home"),
      button("Download June bill"),
      button("Archive", { disabled: true }),
      field("Search bills"),
      list("Year", ["2026", "2025"]),
    ]);
    expect(texts({ page: view })).toEqual([
      '{"tool":"browser_click","args":{"target":"link Home"}}',
      '{"tool":"browser_click","args":{"target":"button Download June bill"}}',
      '{"tool":"browser_fill","args":{"target":"textbox Search bills","text":"…',
      '{"tool":"browser_select","args":{"target":"combobox Year","option":"2026"}}',
      '{"tool":"browser_select","args":{"target":"combobox Year","option":"2025"}}',
      '{"tool":"reply","args":{"text":"…',
      '{"tool":"ask_user","args":{"question":"…',
    ]);
  });

  it("never touch what is to be left alone", () => {
    const [march, june] = [button("Download March bill"), button("Download June bill")];
    expect(texts({ page: page("Bills", [march, june]), without: new Set([march]), mayReply: false })).toEqual([
      '{"tool":"browser_click","args":{"target":"button Download June bill"}}',
      '{"tool":"ask_user","args":{"question":"…',
    ]);
  });

  it("while searching press only the ways on", () => {
    const [older, help] = [link("Older"), link("Help")];
    expect(texts({ page: page("Bills", [older, help]), only: [older], mayReply: false }).slice(0, -1)).toEqual([
      '{"tool":"browser_click","args":{"target":"link Older"}}',
    ]);
  });

  it("do not type into a field for secrets", () => {
    expect(texts({ page: page("Sign in", [field("Password", { secret: true })]) }).filter((text) => text.includes("browser_fill"))).toEqual([]);
  });

  it("type only the values there are, where these are known", () => {
    const view = page("Form", [field("Day"), field("Name")]);
    expect(texts({ page: view, texts: (element) => (element.name === "Day" ? ["2027-02-14"] : []) }).filter((text) => text.includes("browser_fill"))).toEqual([
      '{"tool":"browser_fill","args":{"target":"textbox Day","text":"2027-02-14"}}',
    ]);
  });

  it("open only addresses the user named, where the user named one", () => {
    expect(texts({ urls: ["https://portal.example/"] })).toContain('{"tool":"browser_open","args":{"url":"https://portal.example/"}}');
    expect(texts({}).some((text) => text.includes("browser_open"))).toBe(false);
  });

  it("press Enter only where it may be pressed", () => {
    const view = page("Search", [field("Search bills", { value: "June" })]);
    expect([true, false].map((mayPress) => texts({ page: view, mayPress }).some((text) => text.includes("browser_press")))).toEqual([true, false]);
  });

  it("do nothing but talk once acting is over", () => {
    expect(texts({ page: page("Bills", [link("Home")]), mayAct: false })).toEqual([
      '{"tool":"reply","args":{"text":"…',
      '{"tool":"ask_user","args":{"question":"…',
    ]);
  });

  it("hold names with quotes and backslashes as JSON that reads back to the same name", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 20 }), (name, option) => {
        const [choice] = stepChoices([
          {
            tool: "browser_select",
            args: [
              ["target", { kind: "choice", choices: [name] }],
              ["option", { kind: "choice", choices: [option] }],
            ],
          },
        ]);
        expect(readStep(choice?.text ?? "")).toEqual({ tool: "browser_select", args: { target: name, option } });
      }),
    );
  });

  it("let free text stand last only", () => {
    expect(() =>
      stepChoices([
        {
          tool: "browser_fill",
          args: [
            ["text", { kind: "text" }],
            ["target", { kind: "choice", choices: ["x"] }],
          ],
        },
      ]),
    ).toThrow("free text must stand last");
  });

  it("are never none", () =>
    expect(() => stepChoices([{ tool: "browser_click", args: [["target", { kind: "choice", choices: [] }]] }])).toThrow("at least one tool"));
});
