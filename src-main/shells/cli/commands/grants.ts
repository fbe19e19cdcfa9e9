import type { Command } from "commander";
import type { Grant } from "#contract/grants/schema.ts";
import { group, leaf } from "../leaf.ts";
import { pathFrom } from "../place.ts";
import type { Session } from "../session.ts";
import { timeText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

export function addGrants(program: Command, session: Session): void {
  const grants = group(program, "grants", "what Knack may reach");

  leaf(grants, session, "list", "everything granted", ({ screen }) =>
    withAgent((agent) => {
      const all = agent.grants();
      if (screen.json) return screen.show(all, () => []);
      if (all.length === 0) return screen.say("Nothing is granted. Grant something with: knack grants add https://example.org");
      screen.table(
        [{ head: "ID" }, { head: "SINCE" }, { head: "BY" }, { head: "KIND" }, { head: "WHAT" }],
        all.map((grant) => [grant.id, timeText(grant.createdAt), grant.by, kindText(grant), grantText(grant)]),
      );
    }),
  );

  leaf(
    grants,
    session,
    "add <what>",
    "an address (https://example.org), a folder (./notes), or browser, memory, workspace …",
    ({ screen, args: [what = ""] }) =>
      withAgent((agent) => {
        const grant = agent.addGrant(/^\.{1,2}(?:\/|\\|$)/u.test(what) ? pathFrom(what) : what, "user");
        screen.show(grant, () => [`granted ${grantText(grant)}  (${grant.id})`]);
      }),
  );

  leaf(grants, session, "revoke <id>", "take one back, by its id or by what it grants", ({ screen, args: [id = ""] }) =>
    withAgent((agent) => {
      const named = agent.grants().find((grant) => grant.id === id || [grantText(grant), whatText(grant)].includes(id.replace(/\/$/u, "")));
      agent.revokeGrant(named?.id ?? id);
      screen.show({ revoked: named?.id ?? id }, () => [`revoked ${named ? grantText(named) : id}`]);
    }),
  );
}

function kindText(grant: Grant): string {
  return grant.kind === "destination" ? "address" : grant.kind === "primitive" ? "ability" : grant.kind === "workspace" ? "folder" : "secret";
}

/** What is granted, with how. */
function grantText(grant: Grant): string {
  if (grant.kind !== "destination") return whatText(grant);
  const { use, allowPrivate } = grant.destination;
  return `${whatText(grant)}${use === "subresource" ? " (parts of pages only)" : ""}${allowPrivate ? " (private address)" : ""}`;
}

/** What is granted, as a person names it. */
function whatText(grant: Grant): string {
  switch (grant.kind) {
    case "primitive":
      return grant.primitive;
    case "workspace":
      return grant.folder;
    case "vault":
      return grant.entry;
    default: {
      const { scheme, host, port } = grant.destination;
      const usual = { http: 80, https: 443, ws: 80, wss: 443 }[scheme];
      return `${scheme}://${host}${port === usual ? "" : `:${port}`}`;
    }
  }
}
