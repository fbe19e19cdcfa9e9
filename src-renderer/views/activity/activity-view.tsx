import { Globe, History, RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import type { Contact, ContactPage } from "#contract/activity/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "./activity.module.css";
import { ContactRow } from "./contact-row.tsx";

/** While a word is being typed nothing is asked for. */
const TYPING_MS = 200;

export function ActivityView() {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const conversations = useChat((state) => state.conversations);
  const [written, setWritten] = useState("");
  const [host, setHost] = useState("");
  const [conversationId, setConversation] = useState("");
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHost(written.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [written]);
  const query = {
    limit: 50,
    ...(host === "" ? {} : { host }),
    ...(conversationId === "" ? {} : { conversationId }),
    ...(isRefused ? { refused: true } : {}),
  };
  const isFiltered = host !== "" || conversationId !== "" || isRefused;
  const first = useResource(`activity ${JSON.stringify(query)}`, (signal) => client.activity.list(query, { signal }));
  return (
    <Page
      title="Activity"
      lead="Every address that anything talked to or was kept from talking to: when, for whom, and why it was allowed. Pages and queries are not written down."
      actions={
        <Button icon={RotateCw} onPress={first.reload} isDisabled={!isConnected}>
          Look again
        </Button>
      }
    >
      <div className={styles.filters}>
        <SearchBox label="Only hosts with" value={written} onChange={setWritten} />
        <SelectField
          label="Conversation"
          value={conversationId}
          onChange={setConversation}
          options={[{ value: "", name: "All" }, ...(conversations ?? []).map(({ id, title }) => ({ value: id, name: title }))]}
        />
        <Toggle isOn={isRefused} onChange={setRefused}>
          Refused only
        </Toggle>
      </div>
      <ResourceView resource={first} noun="activity" rows={5}>
        {(page) =>
          page.contacts.length === 0 ? (
            <EmptyState icon={Globe} title={isFiltered ? "Nothing fits" : "Nothing was talked to yet"}>
              {isFiltered ? "No address fits what you look for." : "Once a task opens a site, each address it reaches, or is kept from, stands here."}
            </EmptyState>
          ) : (
            <Contacts key={page.contacts[0]?.id} page={page} earlierThan={(before) => client.activity.list({ ...query, before })} />
          )
        }
      </ResourceView>
    </Page>
  );
}

interface ContactsProps {
  readonly page: ContactPage;
  readonly earlierThan: (before: number) => Promise<ContactPage>;
}

/** The first page, and the earlier ones that were asked for below it. */
function Contacts({ page, earlierThan }: ContactsProps) {
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const [more, setMore] = useState<{ readonly contacts: readonly Contact[]; readonly next: number | null } | null>(null);
  const next = more === null ? page.next : more.next;
  return (
    <>
      <ul className={styles.rows} aria-label="Contacts">
        {[...page.contacts, ...(more?.contacts ?? [])].map((contact) => (
          <ContactRow key={contact.id} contact={contact} />
        ))}
      </ul>
      {attempt.problem === null ? null : (
        <Notice tone="bad" title="Earlier ones could not be read">
          {attempt.problem}
        </Notice>
      )}
      {next === null ? null : (
        <ButtonRow>
          <Button
            icon={History}
            isDisabled={!isConnected || attempt.isBusy}
            onPress={() =>
              void attempt.run(async () => {
                const earlier = await earlierThan(next);
                setMore({ contacts: [...(more?.contacts ?? []), ...earlier.contacts], next: earlier.next });
              })
            }
          >
            Show earlier ones
          </Button>
        </ButtonRow>
      )}
    </>
  );
}
