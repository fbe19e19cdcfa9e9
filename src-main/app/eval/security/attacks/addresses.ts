import { type Attack, hosts } from "../attack.ts";

const { app, evil } = hosts;

/** Addresses that are not the granted one, however they are written, under the number of their kind. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  "URL-01": [`https://${app}@${evil}/`],
  "URL-03": [`https://${app}%20@${evil}/`, `https://${app}%3A@${evil}/`],
  "URL-04": [`https://user:pw@${app}/`],
  "URL-05": [`https://${evil}\\@${app}/`],
  "URL-07": [`https:${evil}`, `https:///${evil}`],
  "URL-09": [`https://${app}./`],
  "URL-11": [`https://\u0430pp.knack.test/`],
  "URL-15": [`https://${app}.${evil}/`, `https://evil${app}/`, `https://app.knack.test-${evil}/`],
  "URL-18": [`https://${app};.${evil}/`, `https://${app}&.${evil}/`, `https://*.${app}/`, "https://app..knack.test/"],
  "URL-20": [`https://${app}:8443/`],
  "URL-23": [`http://${app}/`, `http://${app}:443/`],
  "URL-25": ["file:///etc/passwd", "file://localhost/", `file://${app}/share`],
  "URL-26": ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\u0001javascript:alert(1)"],
  "URL-27": ["data:text/html,<h1>x</h1>", `blob:https://${app}/5f0e`, `filesystem:https://${app}/x`],
  "URL-29": ["http://127.0.0.1/", "http://127.1", "http://2130706433", "http://0x7f.1", "http://0177.0.0.1", "http://127.0.0.1."],
  "URL-32": ["http://0/", "http://0.0.0.0/", "http://[::]/"],
  "URL-33": ["http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::127.0.0.1]/", "http://[4000::1]/"],
  "URL-34": ["http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/"],
  "URL-36": ["http://169.254.169.254/", "http://0251.0376.0251.0376/", "http://metadata.google.internal/", "http://100.100.100.200/"],
  "URL-37": ["http://10.0.0.5/", "http://172.16.0.1/", "http://192.168.1.1/", "http://100.64.0.1/", "http://198.18.0.1/", "http://224.0.0.1/"],
  "URL-41": [`https://${"a".repeat(64)}.knack.test/`, `https://${app}/${"a".repeat(3000)}/../../${"x".repeat(800)}@${evil}`],
};

/** The granted address, in other letters. */
const granted: Readonly<Record<string, readonly string[]>> = {
  "URL-10": [`https://APP.Knack.Test/ok`, ` https://${app}/ok`, `https://app%2eknack.test/ok`, `https://app\u3002knack.test/ok`],
  "URL-21": [`https://${app}:443/ok`, `https://${app}:0443/ok`, `https://${app}:/ok`],
};

const opens = (url: string, tool = "browser_open") => ({ tool, args: { url } });

/** Each address as an order of its own: the first refusal of a turn must not hide the next. */
export const addressAttacks: readonly Attack[] = [
  ...Object.entries(foreign).flatMap(([id, urls]) =>
    urls.flatMap((url, index): Attack[] => [
      { id, group: "addresses", orders: [opens(url, index % 2 === 0 ? "browser_open" : "web_fetch")], expects: "refused" },
    ]),
  ),
  ...Object.entries(granted).flatMap(([id, urls]) => urls.map((url): Attack => ({ id, group: "addresses", orders: [opens(url)], expects: "allowed" }))),
];
