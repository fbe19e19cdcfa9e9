import { Brain, Search } from "lucide-react";
import { useState } from "react";
import { fold, words } from "#base/text.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { labelWords } from "#contract/memory/words.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { formatCount } from "../../format/count.ts";
import { useStores } from "../../store/stores.ts";
import { useHost } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import list from "../list-view.module.css";
import { AddFact } from "./add-fact.tsx";
import { FactRow } from "./fact-row.tsx";
import { ForgottenNotice } from "./forgotten-notice.tsx";
import styles from "./memory.module.css";
import { MemoryFile } from "./memory-file.tsx";
import { useForgotten } from "./use-forgotten.ts";

export function MemoryView() {
  const { client } = useStores();
  const facts = useResource("facts", (signal) => client.memory.list(undefined, { signal }));
  const isOn = useHost((state) => state.settings?.memory ?? true);
  const [query, setQuery] = useState("");
  const forgotten = useForgotten(facts.reload);
  return (
    <Page title="Memory" lead="What Knack knows about you. It uses these facts in every conversation; your own word stands above what it found.">
      {isOn ? null : (
        <Notice tone="info" title="Memory is off">
          None of this is used or added to; what is stored stays until you forget it. You can change this in <a href="#/settings">Settings</a>.
        </Notice>
      )}
      <AddFact isOn={isOn} onAdded={facts.reload} />
      {forgotten.waiting.map((one) => (
        <ForgottenNotice key={one.fact.id} forgotten={one} onTakeBack={() => forgotten.takeBack(one)} onErase={() => forgotten.erase(one)} />
      ))}
      <ResourceView resource={facts} noun="memory">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Brain} title="Nothing remembered yet">
              Tell Knack in a chat (“remember that …”) or write it above.
            </EmptyState>
          ) : (
            <>
              <SearchBox label="Search what is remembered" value={query} onChange={setQuery} />
              <Found all={all} query={query} isOn={isOn} onChanged={facts.reload} onForget={forgotten.letGo} />
            </>
          )
        }
      </ResourceView>
      <MemoryFile isOn={isOn} onImported={facts.reload} />
    </Page>
  );
}

interface FoundProps {
  readonly all: readonly Fact[];
  readonly query: string;
  readonly isOn: boolean;
  readonly onChanged: () => void;
  readonly onForget: (fact: Fact) => Promise<void>;
}

function Found({ all, query, isOn, onChanged, onForget }: FoundProps) {
  const wanted = words(query);
  const found = all.filter(({ text }) => wanted.every((word) => fold(text).includes(word)));
  return (
    <>
      <p role="status" className={wanted.length === 0 ? "unseen" : list.quiet}>
        {wanted.length === 0 ? "" : `${found.length} of ${formatCount(all.length, "fact")}`}
      </p>
      {found.length === 0 ? (
        <EmptyState icon={Search} title="Nothing like that is remembered">
          Other words may find it; nothing else is searched here.
        </EmptyState>
      ) : null}
      {(Object.keys(labelWords) as Fact["label"][]).map((label) => {
        const group = found.filter((fact) => fact.label === label);
        if (group.length === 0) return null;
        return (
          <section key={label} className={list.group} aria-label={labelWords[label]}>
            <h2>
              {labelWords[label]} <span className={styles.count}>{group.length}</span>
            </h2>
            <ul className={list.rows}>
              {group.map((fact) => (
                <FactRow key={fact.id} fact={fact} isOn={isOn} onChanged={onChanged} onForget={onForget} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
