import { Check, Trash2 } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { Draft } from "#contract/learning/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Notice } from "../../components/notice.tsx";
import { Procedure } from "../../components/procedure.tsx";
import { SkillInputsList } from "../../components/skill-inputs-list.tsx";
import { TextField } from "../../components/text-field.tsx";
import { Toggle } from "../../components/toggle.tsx";
import type { TeachStore } from "../../store/teach-store.ts";
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

export function DraftReview({ store, draft, skill: shownAgain, source, onDrop }: DraftReviewProps) {
  const [name, setName] = useState(draft.name);
  const { sameAs } = draft;
  const [isRevision, setIsRevision] = useState(sameAs !== undefined);
  const skill = shownAgain ?? (isRevision && sameAs !== undefined ? sameAs.name : null);
  const confirm = useStore(store, (state) => state.confirm);
  const isBusy = useStore(store, (state) => state.isBusy);
  const isEmpty = name.trim() === "";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (skill !== null || !isEmpty) void confirm(name.trim(), skill);
      }}
    >
      {shownAgain !== null || sameAs === undefined ? null : (
        <Notice tone="info" title={`“${sameAs.name}” does the same`}>
          <p>
            It is {sameAs.status === "disabled" ? "switched off" : sameAs.status}, at revision {sameAs.revision}. As its next revision this takes the place of
            what it does so far{sameAs.status === "disabled" || sameAs.status === "retired" ? ", and it is switched on" : ""}; earlier revisions are kept.
          </p>
          <Toggle isOn={isRevision} onChange={setIsRevision}>
            Keep it as the next revision of “{sameAs.name}”
          </Toggle>
        </Notice>
      )}
      {skill === null ? (
        <>
          <p className={styles.lead}>This is what was learned from your {source}. Keep it under this name or drop it.</p>
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
          This is what was learned from your {source}. Keep it as the next revision of <b>{skill}</b> or drop it.
        </p>
      )}
      <section className={styles.part} aria-label="When to use">
        <h3>When to use</h3>
        <p>{draft.content.whenToUse}</p>
      </section>
      <section className={styles.part} aria-label="Inputs">
        <h3>Inputs</h3>
        <SkillInputsList inputs={draft.content.inputs} />
      </section>
      <section className={styles.part} aria-label="Steps">
        <h3>Steps</h3>
        <Procedure steps={draft.content.steps} />
      </section>
      {draft.notes.length === 0 ? null : (
        <Notice tone="info" title="Worth knowing">
          <ul className={styles.notes}>
            {draft.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ButtonRow align="end">
        <Button icon={Trash2} onPress={onDrop} isDisabled={isBusy}>
          Drop
        </Button>
        <Button type="submit" icon={Check} tone="primary" isDisabled={isBusy || (skill === null && isEmpty)}>
          {isBusy ? "Keeping it …" : skill === null ? "Keep this skill" : "Keep this revision"}
        </Button>
      </ButtonRow>
    </form>
  );
}
