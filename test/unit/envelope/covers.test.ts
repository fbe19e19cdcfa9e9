import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Grant } from "#contract/grants/schema.ts";
import { capabilitiesOf, covers, declaresOrigin, destinationsOf, envelopeOf, intersect, originText, parseOrigin, primitiveOf } from "#core/envelope/index.ts";

const meta = { id: "G", createdAt: 0, by: "mira" };
const site = (host: string, change: Partial<Extract<Grant, { kind: "destination" }>["destination"]> = {}): Grant => ({
  ...meta,
  kind: "destination",
  destination: { scheme: "https", host, port: 443, use: "navigate", allowPrivate: false, ...change },
});
const granted = envelopeOf([
  { ...meta, kind: "primitive", primitive: "browser" },
  site("portal.example"),
  site("*.shop.example"),
  site("cdn.example", { use: "subresource" }),
  { ...meta, kind: "vault", entry: "bank" },
  { ...meta, kind: "workspace", folder: "/home/mira/bills" },
]);
const declare = (change: object) => ({ primitives: [], vault: [], destinations: [], ...change });

describe("declared ⊆ granted", () => {
  it("holds when all is granted", () =>
    expect(covers(declare({ primitives: ["browser"], vault: ["bank"], destinations: ["https://portal.example", "https://a.shop.example"] }), granted)).toEqual({
      covered: true,
    }));
  it("TRU-08: names everything that is missing", () => {
    expect(covers(declare({ primitives: ["browser", "workspace"], vault: ["mail"], destinations: ["https://other.example"] }), granted)).toEqual({
      covered: false,
      missing: ["primitive workspace", "vault entry mail", "destination https://other.example"],
    });
  });
  it.each([
    "http://portal.example",
    "http://portal.example:443",
    "https://portal.example:8443",
    "https://portal.example.evil.test",
    "https://xportal.example",
    "https://shop.example",
    "https://*.example",
    "https://cdn.example",
    "not an address",
    "https://user@portal.example",
    "",
  ])("%j is not covered", (destination) => expect(covers(declare({ destinations: [destination] }), granted).covered).toBe(false));
  it("a declared wildcard is covered by the same or a wider one", () => {
    expect(covers(declare({ destinations: ["https://*.shop.example", "https://*.eu.shop.example"] }), granted).covered).toBe(true);
  });
  it("nothing declared needs nothing; nothing granted covers nothing", () => {
    expect(covers(declare({}), envelopeOf([]))).toEqual({ covered: true });
    fc.assert(
      fc.property(
        fc.constantFrom("browser", "web_fetch", "__proto__", "constructor"),
        (primitive) => !covers(declare({ primitives: [primitive] }), envelopeOf([])).covered,
      ),
    );
  });
  it("a skill inside a skill has the intersection", () => {
    expect(
      intersect(
        declare({ primitives: ["browser"], vault: ["bank"], destinations: ["https://*.shop.example"] }),
        declare({ primitives: ["browser", "memory"], vault: ["mail"], destinations: ["https://a.shop.example", "https://portal.example"] }),
      ),
    ).toEqual({ primitives: ["browser"], vault: [], destinations: ["https://a.shop.example"] });
  });
  it("an origin is declared exactly", () => {
    expect(declaresOrigin(declare({ destinations: ["https://portal.example/start?x=1"] }), parseOrigin("https://PORTAL.example:443/other")!)).toBe(true);
    expect(declaresOrigin(declare({ destinations: ["https://portal.example"] }), parseOrigin("http://portal.example")!)).toBe(false);
  });
  it("an origin reads back as itself", () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const origin = parseOrigin(url);
        if (origin !== null) expect(parseOrigin(originText(origin))).toEqual(origin);
      }),
    );
  });
});

describe("what a call reaches", () => {
  it.each([
    ["browser_click", "browser"],
    ["tool:browser_open", "browser"],
    ["web_fetch", "web_fetch"],
    ["workspace_read", "workspace"],
    ["workspace_exec", "workspace_exec"],
    ["remember", "memory"],
    ["reply", null],
    ["skill_create", null],
    ["publish", null],
  ])("%s needs %s", (tool, primitive) => expect(primitiveOf(tool)).toBe(primitive));
  it("its destinations are the origins it names", () => {
    expect(destinationsOf({ tool: "browser_open", args: { url: "https://portal.example:443/bills?month={{month}}" } })).toEqual(["https://portal.example"]);
    expect(destinationsOf({ tool: "browser_open", args: { url: "https://{{host}}/" } })).toEqual([]);
    expect(destinationsOf({ tool: "browser_click", args: { target: { role: "link", name: "https://evil.test" } } })).toEqual([]);
  });
  it("a procedure declares the reach of its calls", () => {
    const step = (tool: string, args: Record<string, unknown>) => ({ do: "", onFail: "", call: { tool, args } });
    expect(
      capabilitiesOf([
        step("browser_open", { url: "https://portal.example/" }),
        step("browser_login", { entry: "bank" }),
        step("workspace_write", {}),
        { do: "", onFail: "" },
      ]),
    ).toEqual({ primitives: ["browser", "workspace"], vault: ["bank"], destinations: ["https://portal.example"] });
  });
});
