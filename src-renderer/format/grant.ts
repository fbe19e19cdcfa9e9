import { destinationNotes, destinationText } from "#contract/grants/destination-text.ts";
import { familyText } from "#contract/grants/family-text.ts";
import { hostWarning } from "#contract/grants/host-warning.ts";
import type { Grant } from "#contract/grants/schema.ts";

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
    case "destination":
      return destinationText(grant.destination);
    case "vault":
      return grant.entry;
    case "workspace":
      return grant.folder;
    case "program":
      return familyText(grant.family, grant.folder);
  }
}

/** What is worth knowing beside it; "" when nothing is. */
export function formatGrantNote(grant: Grant): string {
  if (grant.kind !== "destination") return "";
  const warning = hostWarning(grant.destination.host);
  return [...destinationNotes(grant.destination), ...(warning === null ? [] : [warning])].join(", ");
}
