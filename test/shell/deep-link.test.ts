import { describe, expect, it } from "vitest";
import { linkAmong, routeOfLink } from "#shells/electron/deep-link.ts";

describe("a link from outside", () => {
  it.each([
    ["knack://skills/visitor-permit", "#/skills/visitor-permit"],
    ["knack://alerts", "#/alerts"],
    ["knack://alerts/", "#/alerts"],
    ["knack://chat/01ARZ3NDEKTSV4RRFFQ69G5FAV", "#/chat/01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    ["knack://skills/a%20b", "#/skills/a%20b"],
    ["knack://skills/%2e%2e%2fx", "#/skills/..%2Fx"],
    ["knack://skills/%", "#/skills/%25"],
  ])("%s leads to %s", (link, route) => expect(routeOfLink(link)).toBe(route));

  it.each([
    "knack://app/",
    "knack://app/#/vault",
    "knack://skills/a/b",
    "knack://skills/a?run=1",
    "knack://skills/a#b",
    "knack://evil.test/a",
    "knack:skills",
    "https://skills/a",
    "knack://SKILLS/a",
    `knack://skills/${"a".repeat(300)}`,
    "",
  ])("%s leads nowhere", (link) => expect(routeOfLink(link)).toBeNull());

  it("is found among the words a program was started with, the last one", () => {
    expect(linkAmong(["knack", "--flag", "knack://alerts", "knack://skills/a"])).toBe("knack://skills/a");
    expect(linkAmong(["knack", "https://evil.test/"])).toBeNull();
  });
});
