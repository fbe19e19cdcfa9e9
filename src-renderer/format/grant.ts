import type { Grant } from "#contract/grants/schema.ts";

const USUAL_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443 };

const PRIMITIVES: Record<Extract<Grant, { kind: "primitive" }>["primitive"], string> = {
  browser: "Work in the browser",
  web_fetch: "Read single pages without the browser",
  workspace: "Read and write files in granted folders",
  workspace_exec: "Run programs in granted folders",
  notes: "Read and write your notes",
  memory: "Remember facts about you",
};

/** What a grant allows, in a few words. */
export function formatGrant(grant: Grant): string {
  switch (grant.kind) {
    case "primitive":
      return PRIMITIVES[grant.primitive];
    case "destination": {
      const { scheme, host, port } = grant.destination;
      return `${scheme}://${host}${USUAL_PORTS[scheme] === port ? "" : `:${port}`}`;
    }
    case "vault":
      return grant.entry;
    case "workspace":
      return grant.folder;
  }
}

/** What is worth knowing beside it; "" when nothing is. */
export function formatGrantNote(grant: Grant): string {
  if (grant.kind !== "destination") return "";
  const { use, allowPrivate } = grant.destination;
  return [use === "subresource" ? "for parts of other pages only" : "", allowPrivate ? "may be on your own network" : ""]
    .filter((part) => part !== "")
    .join(", ");
}
