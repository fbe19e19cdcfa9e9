import type { Command } from "commander";
import { destinationText } from "#contract/grants/destination-text.ts";
import { hostWarning } from "#contract/grants/host-warning.ts";
import type { Grant, GrantLimits } from "#contract/grants/schema.ts";
import { group, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import { pathFrom } from "../place.ts";
import type { Session } from "../session.ts";
import { bytesText, timeText } from "../units.ts";
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

  leaf<Limits>(
    grants,
    session,
    "add <what>",
    "an address (https://example.org), a folder (./notes), a login (login:NAME), or browser, memory, workspace …",
    ({ screen, args: [what = ""], options }) =>
      withAgent((agent) => {
        const grant = agent.addGrant(/^\.{1,2}(?:\/|\\|$)/u.test(what) ? pathFrom(what) : what, "user", limitsOf(options));
        const warning = grant.kind === "destination" ? hostWarning(grant.destination.host) : null;
        if (warning !== null) screen.warn(warning);
        screen.show(grant, () => [`granted ${grantText(grant)}  (${grant.id})`]);
      }),
  )
    .option("--parts-only", "an address only for parts of other pages, not as a page of its own")
    .option("--without-queries", "an address only without a query, so that a page can tell it no more than a path")
    .option("--most-sent <bytes>", "at most so many bytes may be sent there by one browser", wholeNumber(1, Number.MAX_SAFE_INTEGER));

  leaf(grants, session, "revoke <id>", "take one back, by its id or by what it grants", ({ screen, args: [id = ""] }) =>
    withAgent((agent) => {
      const named = agent.grants().find((grant) => grant.id === id || [grantText(grant), whatText(grant)].includes(id.replace(/\/$/u, "")));
      agent.revokeGrant(named?.id ?? id);
      screen.show({ revoked: named?.id ?? id }, () => [`revoked ${named ? grantText(named) : id}`]);
    }),
  );

  leaf(grants, session, "approvals", "what is not asked about again, with when that was last used", ({ screen }) =>
    withAgent((agent) => {
      const all = agent.standingApprovals();
      if (screen.json) return screen.show(all, () => []);
      if (all.length === 0) return screen.say("Nothing: every question is asked each time.");
      screen.table(
        [{ head: "ID" }, { head: "SINCE" }, { head: "LAST USED" }, { head: "WHERE" }, { head: "WHAT" }],
        all.map(({ id, createdAt, lastUsedAt, conversationId, words }) => [
          id,
          timeText(createdAt),
          lastUsedAt === null ? "never" : timeText(lastUsedAt),
          conversationId ?? "everywhere",
          words,
        ]),
      );
    }),
  );

  leaf(grants, session, "ask-again <id>", "take back that something is not asked about", ({ screen, args: [id = ""] }) =>
    withAgent((agent) => {
      agent.revokeApproval(id);
      screen.show({ revoked: id }, () => ["it is asked about again"]);
    }),
  );
}

interface Limits {
  readonly partsOnly?: boolean;
  readonly withoutQueries?: boolean;
  readonly mostSent?: number;
}

function limitsOf({ partsOnly, withoutQueries, mostSent }: Limits): GrantLimits {
  return {
    ...(partsOnly === true ? { use: "subresource" } : {}),
    ...(withoutQueries === true ? { noQuery: true } : {}),
    ...(mostSent === undefined ? {} : { mostSent }),
  };
}

function kindText(grant: Grant): string {
  return grant.kind === "destination" ? "address" : grant.kind === "primitive" ? "ability" : grant.kind === "workspace" ? "folder" : "login";
}

/** What is granted, with how. */
function grantText(grant: Grant): string {
  if (grant.kind !== "destination") return whatText(grant);
  const { use, allowPrivate, noQuery, mostSent } = grant.destination;
  const notes = [
    ...(use === "subresource" ? ["parts of pages only"] : []),
    ...(allowPrivate ? ["private address"] : []),
    ...(noQuery === true ? ["without queries"] : []),
    ...(mostSent === undefined ? [] : [`at most ${bytesText(mostSent)} sent`]),
  ];
  return [whatText(grant), ...notes.map((note) => `(${note})`)].join(" ");
}

/** What is granted, as a person names it. */
function whatText(grant: Grant): string {
  switch (grant.kind) {
    case "primitive":
      return grant.primitive;
    case "workspace":
      return grant.folder;
    case "vault":
      return `login:${grant.entry}`;
    default:
      return destinationText(grant.destination);
  }
}
