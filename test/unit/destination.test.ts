import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyAddress, isPublicSuffix } from "#adapters/egress/index.ts";
import { hostWarning } from "#contract/grants/host-warning.ts";
import type { Destination } from "#contract/grants/schema.ts";
import { covers, hostMatches, parseDestination, parsePlace, type Use } from "#core/envelope/destination.ts";

const app: Destination = { scheme: "https", host: "app.test", port: 443, use: "navigate", allowPrivate: false };
const cdn: Destination = { scheme: "https", host: "cdn.test", port: 443, use: "subresource", allowPrivate: false };
const granted = [app, cdn];

function code(url: string, grants: readonly Destination[] = granted, use: Use = "navigate"): string {
  const cover = covers(grants, url, use, classifyAddress);
  return cover.allowed ? `ok ${cover.place.host}` : cover.refusal.code;
}

function grantCode(text: string): string {
  const read = parseDestination(text, { isPublicSuffix, classify: classifyAddress });
  return read.ok ? `${read.value.scheme} ${read.value.host} ${read.value.port}` : read.error.code;
}

describe("an address is matched in its canonical form", () => {
  it.each([
    ["URL-01", "https://app.test@evil.test/", "url.userinfo"],
    ["URL-03", "https://app.test%20@evil.test/", "url.userinfo"],
    ["URL-03", "https://app.test%3A@evil.test/", "url.userinfo"],
    ["URL-04", "https://user:pw@app.test/", "url.userinfo"],
    ["URL-05", "https://evil.test\\@app.test/", "dest.host"],
    ["URL-07", "https:evil.test", "dest.host"],
    ["URL-07", "https:///evil.test", "dest.host"],
    ["URL-09", "https://app.test./", "url.host"],
    ["URL-11", "https://\u0430pp.test/", "dest.host"],
    ["URL-15", "https://app.test.evil.test/", "dest.host"],
    ["URL-15", "https://evilapp.test/", "dest.host"],
    ["URL-15", "https://app.test-evil.test/", "dest.host"],
    ["URL-18", "https://app.test;.evil.test/", "url.host"],
    ["URL-18", "https://app.test&.evil.test/", "url.host"],
    ["URL-18", "https://*.app.test/", "url.host"],
    ["URL-18", "https://app..test/", "url.host"],
    ["URL-20", "https://app.test:8443/", "dest.port"],
    ["URL-23", "http://app.test/", "dest.scheme"],
    ["URL-23", "http://app.test:443/", "dest.scheme"],
    ["URL-25", "file:///etc/passwd", "url.scheme"],
    ["URL-25", "file://app.test/share", "url.scheme"],
    ["URL-26", "javascript:alert(1)", "url.scheme"],
    ["URL-26", "JaVaScRiPt:alert(1)", "url.scheme"],
    ["URL-26", "java\tscript:alert(1)", "url.scheme"],
    ["URL-26", "\u0001javascript:alert(1)", "url.scheme"],
    ["URL-27", "data:text/html,<script>1</script>", "url.scheme"],
    ["URL-27", "blob:https://app.test/uuid", "url.scheme"],
    ["URL-27", "filesystem:https://app.test/x", "url.scheme"],
    ["URL-41", `https://${"a".repeat(64)}.test/`, "url.length"],
    ["URL-41", `https://${"abcdefghi.".repeat(26)}test/`, "url.length"],
    ["URL-41", `https://${"a".repeat(20_000)}/`, "url.length"],
    ["", "", "url.parse"],
    ["", "app.test", "url.parse"],
    ["HOP-03", "https://cdn.test/", "dest.kind"],
  ])("%s refuses %j with %s", (_row, url, expected) => {
    expect(code(url)).toBe(expected);
  });

  it.each([
    "https://APP.Test/",
    " https://app.test/",
    "https://a\npp.test/",
    "https://app.test\u00AD/",
    "https://app%2etest/",
    "https://app\u3002test/",
    "https://\uFF41\uFF50\uFF50\uFF0E\uFF54\uFF45\uFF53\uFF54/",
    "https://app.test:443/",
    "https://app.test:0443/",
    "https://app.test:/",
  ])("URL-10, URL-21: %j is app.test", (url) => {
    expect(code(url)).toBe("ok app.test");
  });

  it("lets a part of a page come from a host that is granted for parts only", () => {
    expect(code("https://cdn.test/x.js", granted, "subresource")).toBe("ok cdn.test");
  });

  it("never repeats a password in the message", () => {
    const cover = covers(granted, "https://user:hunter2@app.test/", "navigate", classifyAddress);
    expect(JSON.stringify(cover)).not.toContain("hunter2");
  });

  it("URL-41: refuses three megabytes by their length", () => {
    expect(code(`https://app.test/${"a".repeat(3_000_000)}`)).toBe("url.length");
  });

  it("URL-41: answers at once for hostile lengths", () => {
    const start = performance.now();
    for (const url of [`https://${"a".repeat(64)}.test/`, `https://${"a.".repeat(2_000_000)}`, `https://${"%61".repeat(9_000)}/`]) code(url);
    expect(performance.now() - start).toBeLessThan(150);
  });

  it.each([
    ["URL-16", "https://a.app.test", "ok a.app.test"],
    ["URL-16", "https://xn--pp-6kc.app.test", "ok xn--pp-6kc.app.test"],
    ["URL-16", "https://.app.test", "url.host"],
    ["URL-16", "https://aapp.test", "dest.host"],
  ])("%s: a grant for all names below one takes %j for %s", (_row, url, expected) => {
    expect(code(url, [{ ...app, host: "*.app.test" }])).toBe(expected);
  });

  it.each([
    ["https://cdn.test/p.gif?d=canary", "query"],
    ["https://cdn.test/p.gif?", "ok cdn.test"],
    ["https://cdn.test/p.gif#?d=canary", "ok cdn.test"],
    ["https://cdn.test/p.gif", "ok cdn.test"],
  ])("NET-13: a host that is granted without queries takes %j for %s", (url, expected) => {
    expect(code(url, [{ ...cdn, noQuery: true }], "subresource")).toBe(expected);
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ["app.test"],
    [["app.test"]],
    [[{ ...app, port: "443" }]],
    [[{ scheme: "https", host: "app.test", use: "navigate", allowPrivate: false }]],
    [[{ ...app, host: ["app.test"] }]],
    [[{ ...app, host: "" }]],
    [[{ ...app, host: "*" }]],
    [[{ ...app, port: 0 }]],
    [[{ ...app, port: 443.5 }]],
    [[{ ...app, use: "all" }]],
    [[{ ...app, scheme: "HTTPS" }]],
    [[{ ...app, noQuery: "no" }]],
    [[{ ...app, mostSent: -1 }]],
    [[app, null]],
    [{ 0: app, length: 1 }],
  ])("URL-42: opens nothing under the policy %j", (policy) => {
    const cover = covers(policy as never, "https://app.test/", "navigate", classifyAddress);
    expect(cover.allowed ? "ok" : cover.refusal.code).toBe("policy.invalid");
    expect(code("https://app.test/")).toBe("ok app.test");
  });

  it("URL-45: whatever is put together from a granted and another name, what is allowed is the granted host", () => {
    const part = fc.constantFrom(
      "https:",
      "http:",
      "//",
      "/",
      "\\",
      "@",
      ":",
      "#",
      "?",
      "app.test",
      "evil.test",
      ".",
      "%2e",
      "%00",
      "443",
      " ",
      "\t",
      "[",
      "]",
      ";",
      "*",
      "xn--",
      "\u3002",
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const cover = covers(granted, text, "navigate", classifyAddress);
        if (!cover.allowed) return;
        expect(new URL(text).hostname).toBe("app.test");
        expect(new URL(cover.place.href).host).toBe("app.test");
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("an address literal", () => {
  const wide = (host: string): Destination[] => [{ scheme: "http", host, port: 80, use: "navigate", allowPrivate: true }];

  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "0177.1",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[4000::1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::a00:1]",
    "[2002:7f00:1::]",
    "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
    "[2a00:1450::5efe:7f00:1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "192.0.0.8",
    "192.88.99.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[fe80::1]",
    "[fc00::1]",
    "[2001:db8::1]",
  ])("URL-29 to URL-37: http://%s/ is refused as an address", (host) => {
    expect(code(`http://${host}/`, [])).toBe("dest.ip");
  });

  it.each([
    "169.254.169.254",
    "0251.0376.0251.0376",
    "169.16689662",
    "0xa9fea9fe",
    "100.100.100.200",
    "169.254.170.2",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",
    "[fd00:ec2::254]",
    "[::169.254.169.254]",
    "[64:ff9b:1::a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]",
    "[2001:0:a9fe:a9fe::1]",
    "[2001:0:5db8:d70e:0:0:5601:5601]",
    "[2a00:1450::5efe:a9fe:a9fe]",
  ])("URL-36: http://%s/ is refused even under a grant for it", (host) => {
    const url = `http://${host}/`;
    expect(code(url, wide(new URL(url).hostname))).toBe("dest.ip");
    expect(grantCode(url)).toBe("dest.ip");
  });

  it.each(["metadata.google.internal", "METADATA.goog", "metadata", "instance-data.ec2.internal"])("URL-36: the name %s is refused under any grant", (name) => {
    const host = name.toLowerCase();
    expect(code(`http://${name}/latest`, wide(host))).toBe("dest.ip");
    expect(code(`http://x.${host}/`, [...wide(`*.${host}`)])).toBe(`ok x.${host}`);
    expect(grantCode(`http://${name}`)).not.toContain(" ");
  });

  it.each(["010.0.0.1", "0x7f.1", "127.1", "1.2.3", "1.2.3.4.5", "", "::ffff:999.1.1.1"])("an answer written as %j counts as no address", (text) => {
    expect(classifyAddress(text)).toBe("never");
  });

  it("works where the user granted it", () => {
    expect(code("http://127.0.0.1/", wide("127.0.0.1"))).toBe("ok 127.0.0.1");
  });

  it.each(["93.184.215.14", "2606:2800:21f:cb07::1", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1", "::ffff:93.184.215.14"])("%s is public", (address) => {
    expect(classifyAddress(address)).toBe("public");
  });

  it("takes what is no address for never", () => {
    expect(classifyAddress("localhost")).toBe("never");
  });
});

describe("a host with letters beyond a to z", () => {
  it.each([
    ["xn--pp-6kc.test", /mixes Latin and Cyrillic letters/u],
    ["xn--80ak6aa92e.com", /Cyrillic letters, some of which look like a to z/u],
    ["www.xn--pple-zld.com", /mixes Latin and Greek letters/u],
    ["xn--prtal-jua.example", /accented letters/u],
    ["xn--wgv71a119e.example", /East Asian letters/u],
    ["xn--!.example", /cannot be read/u],
    ["xn--99999999999.example", /cannot be read/u],
  ])("URL-12: %s is warned of", (host, warning) => {
    expect(hostWarning(host)).toMatch(warning);
    expect(hostWarning(host)).toContain(`"${host}"`);
  });

  it.each(["app.test", "10.0.0.1", "[::1]", "*.portal.example", "xn.example"])("URL-12: %s needs no warning", (host) => {
    expect(hostWarning(host)).toBeNull();
  });

  it("URL-11: is the same host however it is written, and the warning never writes the letters themselves", () => {
    expect(new URL("https://\u0430pp.test/").hostname).toBe("xn--pp-6kc.test");
    expect(hostWarning("xn--pp-6kc.test")).not.toContain("\u0430");
  });

  it("is decoded as the parser of addresses encodes it", () => {
    const letters = fc.constantFrom("\u0430", "\u03b1", "\u4e2d", "\u3042", "\ud55c", "a", "b", "\u00f6", "\u0561", "\ud801\udc28");
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 12 }), (parts) => {
        const url = URL.parse(`https://${parts.join("")}.test/`);
        if (url === null || !url.hostname.startsWith("xn--")) return;
        expect(hostWarning(url.hostname)).not.toMatch(/cannot be read/u);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a grant", () => {
  it.each([
    "*",
    "*.test",
    "*.co.uk",
    "*.github.io",
    "http*://app.test",
    "app.*",
    "",
    "https://",
    "co.uk",
    "github.io",
    "com",
    "*.10.0.0.1",
    "https://user:pw@app.test",
    "ftp://app.test",
    "javascript:alert(1)",
    "**.app.test",
    "*.*.app.test",
    "a*.app.test",
    "app.test:0",
    "app.test:99999",
    "*.kawasaki.jp",
    "*.s3.amazonaws.com",
    "https://*",
    "[::ffff:169.254.169.254]",
    "app..test",
    "app.test.",
  ])("URL-17: %j is rejected", (text) => {
    expect(grantCode(text)).not.toContain(" ");
  });

  it.each([
    ["https://portal.example", "https portal.example 443"],
    ["portal.example", "https portal.example 443"],
    ["http://portal.example:8080/start?x=1", "http portal.example 8080"],
    ["*.portal.example", "https *.portal.example 443"],
    ["https://*.portal.example", "https *.portal.example 443"],
    ["http://127.0.0.1:3000", "http 127.0.0.1 3000"],
    ["http://localhost:3000", "http localhost 3000"],
    ["https://P\u00f6rtal.example", "https xn--prtal-jua.example 443"],
  ])("%j is read as %s", (text, expected) => {
    expect(grantCode(text)).toBe(expected);
  });

  it("for a name and all under it means neither the name itself nor a look-alike (URL-16)", () => {
    const grant: Destination[] = [{ ...app, host: "*.app.test" }];
    expect(["https://xapp.test", "https://app.test", "https://a.app.test.evil.test"].map((url) => code(url, grant))).toEqual([
      "dest.host",
      "dest.host",
      "dest.host",
    ]);
    expect(["https://a.app.test", "https://a.b.app.test"].map((url) => code(url, grant))).toEqual(["ok a.app.test", "ok a.b.app.test"]);
  });

  it("with a wild label covers no address literal", () => {
    expect(hostMatches("*.0.0.1", "127.0.0.1")).toBe(false);
  });

  it("reads back as it was written", () => {
    const place = parsePlace("https://portal.example/a?b#c");
    expect(place.ok && place.value).toEqual({ scheme: "https", host: "portal.example", port: 443, href: "https://portal.example/a?b#c" });
  });
});
