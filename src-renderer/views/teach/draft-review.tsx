import { Check, Merge, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft } from "#contract/learning/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { useStores } from "../../store/stores.ts";
import type { TeachStore } from "../../store/teach-store.ts";
import { useResource } from "../../store/use-resource.ts";
import { DraftInputs } from "./draft-inputs.tsx";
import { DraftSteps } from "./draft-steps.tsx";
import styles from "./teach.module.css";

export interface DraftReviewProps {
  readonly store: TeachStore;
  readonly draft: Draft;
  /** The skill this becomes a revision of; null makes a new one under a name to choose. */
  readonly skill: string | null;
  /** What the draft was made of, in words that follow "your". */
  readonly source: "showing" | "conversation";
  readonly onDrop: () => void;
}

/** What was learned, to be corrected, and then kept or dropped. */
export function DraftReview({ store, draft, skill, source, onDrop }: DraftReviewProps) {
  const { client } = useStores();
  const [name, setName] = useState(draft.name);
  const { confirm, edit, align, isBusy } = useStore(store);
  const grants = useResource("grants of the vault", (signal) => client.grants.list(undefined, { signal }));
  const entries = (grants.value ?? []).flatMap((grant) => (grant.kind === "vault" ? [grant.entry] : []));
  const { alike, revises, sameAs } = draft;
  const [takesPlace, setTakesPlace] = useState(sameAs !== undefined);
  const shownAgain = revises?.skill ?? skill;
  const revised = shownAgain ?? (takesPlace && sameAs !== undefined ? sameAs.name : null);
  const isEmpty = revised === null && name.trim() === "";
  const change = (...edits: DraftEdit[]) => edit([...draft.edits, ...edits]);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty && !isBusy) void confirm(name.trim(), revised);
      }}
    >
      {shownAgain !== null || sameAs === undefined ? null : (
        <Notice tone="info" title={`“${sameAs.name}” does the same`}>
          <p>
            It is {sameAs.status === "disabled" ? "switched off" : sameAs.status}, at revision {sameAs.revision}. As its next revision this takes the place of
            what it does so far{sameAs.status === "disabled" || sameAs.status === "retired" ? ", and it is switched on" : ""}; earlier revisions are kept.
          </p>
          <Toggle isOn={takesPlace} onChange={setTakesPlace}>
            Keep it as the next revision of “{sameAs.name}”
          </Toggle>
        </Notice>
      )}
      {revised === null ? (
        <>
          <p className={styles.lead}>
            This is what was learned from your {source}. Open a step or an input to correct it; then keep it under this name or drop it.
          </p>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            help="Lower-case letters, digits and single hyphens."
            problem={isEmpty ? "The name is empty." : null}
          />
        </>
      ) : (
        <p className={styles.lead}>
          This is what was learned from your {source}. Keep it as the next revision of <b>{revised}</b> or drop it.
        </p>
      )}
      {alike === null || skill !== null ? null : (
        <Notice
          tone="info"
          title={`The same routine as “${alike.skill}”?`}
          actions={
            <Button icon={Merge} isDisabled={isBusy} onPress={() => void align(alike.skill)}>
              Align with “{alike.skill}”
            </Button>
          }
        >
          That one was shown as “{alike.goal}”. Aligned, the two become its next revision: what differs between them and is in the goals becomes an input.
        </Notice>
      )}
      {revises === null ? null : (
        <section className={styles.part} aria-label="What it changes">
          <h3>
            What it changes in “{revises.skill}”, revision {revises.revision}
          </h3>
          <DiffView diff={revises.diff} label={`Difference to revision ${revises.revision} of ${revises.skill}`} />
        </section>
      )}
      <section className={styles.part} aria-label="When to use">
        <h3>When to use</h3>
        <p>{draft.content.whenToUse}</p>
      </section>
      <section className={styles.part} aria-label="Inputs">
        <h3>Inputs</h3>
        <DraftInputs content={draft.content} isBusy={isBusy} onEdit={change} />
      </section>
      <section className={styles.part} aria-label="Steps">
        <h3>Steps</h3>
        <DraftSteps key={draft.revises === null ? "own" : "aligned"} draft={draft} entries={entries} isBusy={isBusy} onEdit={change} />
        <p className={styles.quiet} role="status">
          {ability(draft.needJudgement)}
        </p>
      </section>
      {draft.warnings === undefined ? null : (
        <Notice tone="warn" title="The words say something else than is done">
          <ul className={styles.notes}>
            {draft.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      {draft.notes.length === 0 ? null : (
        <Notice tone="info" title="Worth knowing">
          <ul className={styles.notes}>
            {[...new Set(draft.notes)].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ButtonRow align="end">
        {draft.edits.length === 0 ? null : (
          <Button icon={Undo2} isDisabled={isBusy} onPress={() => void edit(draft.edits.slice(0, -1))}>
            Undo the last change
          </Button>
        )}
        <Button icon={Trash2} onPress={onDrop} isDisabled={isBusy}>
          Drop
        </Button>
        <Button type="submit" icon={Check} tone="primary" isDisabled={isBusy || isEmpty}>
          {isBusy ? "Working …" : revised === null ? "Keep this skill" : "Keep this revision"}
        </Button>
      </ButtonRow>
    </form>
  );
}

function ability(needJudgement: readonly number[]): string {
  if (needJudgement.length === 0) return "It can run without the model: every step has something that is done and something that is looked for.";
  const steps = needJudgement.length === 1 ? `Step ${needJudgement[0]} needs` : `Steps ${needJudgement.join(", ")} need`;
  return `${steps} judgement, so it runs with the model.`;
}
