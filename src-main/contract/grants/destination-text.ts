import type { Destination } from "./schema.ts";

const usualPorts: Readonly<Record<Destination["scheme"], number>> = { http: 80, https: 443, ws: 80, wss: 443 };

/** "https://portal.example", the port only where it is not the scheme's own. */
export function destinationText({ scheme, host, port }: Pick<Destination, "scheme" | "host" | "port">): string {
  return `${scheme}://${host}${usualPorts[scheme] === port ? "" : `:${port}`}`;
}

/** What a grant is besides its address, as parts of a sentence: "for parts of other pages only". */
export function destinationNotes({ use, allowPrivate, noQuery, mostSent }: Destination): string[] {
  return [
    ...(use === "subresource" ? ["for parts of other pages only"] : []),
    ...(allowPrivate ? ["may be on your own network"] : []),
    ...(noQuery === true ? ["without queries"] : []),
    ...(mostSent === undefined ? [] : [`at most ${mostSent.toLocaleString("en")} bytes sent`]),
  ];
}
