import { SearchX } from "lucide-react";
import { useState } from "react";
import type { SkillSummary } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { type Choice, Choices } from "../../components/choices.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { formatCount } from "../../format/count.ts";
import { countLearned, listSkills, type StatusFilter } from "../../store/skill-list.ts";
import { SkillRow } from "./skill-row.tsx";
import styles from "./skills.module.css";

/** Above this many the app says so (SPEC 3.5); it merges nothing by itself. */
const MANY = 30;

const FILTERS: readonly Choice<StatusFilter>[] = [
  { value: "all", name: "All" },
  { value: "active", name: "Active" },
  { value: "provisional", name: "Provisional" },
  { value: "disabled", name: "Off" },
  { value: "retired", name: "Retired" },
];

export function SkillRows({ skills, onChange }: { readonly skills: readonly SkillSummary[]; readonly onChange: () => void }) {
  const [status, setStatus] = useState<StatusFilter>("all");
  const [query, setQuery] = useState("");
  const shown = listSkills(skills, status, query);
  const learned = countLearned(skills);
  return (
    <div className={styles.stack}>
      {learned > MANY ? (
        <Notice tone="warn">{learned} learned skills are on. Look through them now and then: the fewer there are, the better the right one is found.</Notice>
      ) : null}
      <div className={styles.tools}>
        <SearchBox label="Search skills" value={query} onChange={setQuery} />
        <Choices
          label="Which skills"
          isLabelHidden
          value={status}
          onChange={setStatus}
          choices={FILTERS.map((filter) => ({ ...filter, name: `${filter.name} ${listSkills(skills, filter.value, "").length}` }))}
        />
      </div>
      <p className={styles.quiet} role="status">
        {shown.length === skills.length ? formatCount(skills.length, "skill") : `${shown.length} of ${formatCount(skills.length, "skill")}`}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No skill is like that"
          actions={
            <Button
              onPress={() => {
                setQuery("");
                setStatus("all");
              }}
            >
              Show all
            </Button>
          }
        />
      ) : (
        <ul className={styles.rows} aria-label="Skills">
          {shown.map((skill) => (
            <SkillRow key={skill.id} skill={skill} onChange={onChange} />
          ))}
        </ul>
      )}
    </div>
  );
}
