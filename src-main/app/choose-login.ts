import type { Draft, Showing } from "#contract/learning/schema.ts";
import { editDraft } from "#core/learning/index.ts";
import { draftWorldOf } from "./derive-draft.ts";

/** What a showing may know of the vault: names and the sites they are for, and which of them are granted. */
export interface KnownLogins {
  readonly bindings: () => ReadonlyMap<string, readonly string[]>;
  readonly granted: () => ReadonlySet<string>;
}

/**
 * Where a person typed a password, and exactly one login of the vault is for that site, the draft signs in with it; of several the one that is granted. Else the
 * person chooses. Of a step that has its login already nothing changes.
 */
export function withLogin(draft: Draft, showing: Showing, { bindings, granted }: KnownLogins): Draft {
  const open = draft.content.steps.flatMap(({ call }, index) =>
    call === undefined && (draft.observed[index]?.secretField ?? null) !== null ? [index + 1] : [],
  );
  if (open.length === 0) return draft;
  const sites = new Set(
    showing.actions.flatMap(({ secret, kind, after }) => (secret && kind === "fill" && URL.canParse(after.url) ? [new URL(after.url).origin] : [])),
  );
  const fitting = [...bindings()].filter(([, origins]) => sites.size > 0 && [...sites].every((site) => origins.includes(site))).map(([name]) => name);
  const mayBeUsed = fitting.filter((name) => granted().has(name));
  const [entry, other] = mayBeUsed.length > 0 ? mayBeUsed : fitting;
  if (entry === undefined || other !== undefined) return draft;
  const chosen = editDraft(
    draft,
    open.map((step) => ({ edit: "choose-entry", step, entry })),
    draftWorldOf(showing),
  );
  const notes = chosen.notes.filter((note) => !note.endsWith("choose a vault entry for it."));
  return { ...chosen, notes: [`It signs in with the login "${entry}", the one of your vault for this site.`, ...notes], edits: [] };
}
