import type { Settings } from "#contract/settings/schema.ts";
import { Card } from "../../components/card.tsx";
import { type Choice, Choices } from "../../components/choices.tsx";
import { Facts } from "../../components/facts.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useHost, useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { Keeping } from "./keeping.tsx";
import styles from "./settings.module.css";
import { StandingContext } from "./standing-context.tsx";

type Switch = { readonly [Key in keyof Settings]: Settings[Key] extends boolean ? Key : never }[keyof Settings];

const SWITCHES: readonly { readonly title: string; readonly items: readonly { readonly key: Switch; readonly name: string; readonly note: string }[] }[] = [
  {
    title: "Learning and memory",
    items: [
      { key: "learning", name: "Learn and use skills", note: "Off: nothing is learned and no skill is used, as if there were none." },
      { key: "learnOnBattery", name: "Learn on battery", note: "Off: what was done is gone through only while the machine is plugged in." },
      { key: "memory", name: "Remember facts about me", note: "Off: no fact is used or added." },
      { key: "reviewBeforeActive", name: "Let me review a skill before it is used", note: "New skills wait, switched off, until you switch them on." },
      { key: "reviewExpansion", name: "Ask me before a skill reaches further", note: "A change that needs more than before waits for your yes." },
    ],
  },
  {
    title: "Desktop",
    items: [
      { key: "notifications", name: "Notify me", note: "Of answers, questions and alerts, while the window is not looked at. Only in the app." },
      { key: "staysInTray", name: "Stay in the tray when the window is closed", note: "Off: closing the window ends Knack." },
    ],
  },
  {
    title: "Ask first",
    items: [
      { key: "askBeforeSubmit", name: "Before a form is sent", note: "Paying, ordering and buying are always asked about, whatever stands here." },
      { key: "askBeforeDownload", name: "Before a file is downloaded", note: "" },
      { key: "askBeforeWrite", name: "Before a file is written", note: "" },
      { key: "loginApproval", name: "Before it signs in", note: "With a login of the vault that you let it use" },
    ],
  },
];

const THEMES: readonly Choice<Settings["theme"]>[] = [
  { value: "system", name: "As the system" },
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
];

export function SettingsView() {
  const { client, host } = useStores();
  const settings = useResource("settings", (signal) => client.settings.get(undefined, { signal }));
  const status = useHost((state) => state.status);
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const change = (part: Partial<Settings>) =>
    void attempt.run(async () => {
      await host.getState().changeSettings(part);
      const now = host.getState().settings;
      if (now !== null) settings.replace(now);
    });
  return (
    <Page title="Settings">
      {attempt.problem === null ? null : (
        <Notice tone="bad" title="That could not be changed">
          {attempt.problem}
        </Notice>
      )}
      <ResourceView resource={settings} noun="settings">
        {(now) => (
          <>
            <Card title="Look">
              <Choices label="Colours" isLabelHidden value={now.theme} choices={THEMES} isDisabled={!isConnected} onChange={(theme) => change({ theme })} />
            </Card>
            {SWITCHES.map(({ title, items }) => (
              <Card key={title} title={title}>
                {items.map(({ key, name, note }) => (
                  <Toggle key={key} isOn={now[key]} isDisabled={!isConnected || attempt.isBusy} onChange={(isOn) => change({ [key]: isOn })}>
                    <span>
                      {name}
                      {note === "" ? null : <small className={styles.note}>{note}</small>}
                    </span>
                  </Toggle>
                ))}
              </Card>
            ))}
            <Keeping settings={now} isDisabled={!isConnected || attempt.isBusy} onChange={change} />
          </>
        )}
      </ResourceView>
      <StandingContext />
      {status === null ? null : (
        <Card title="About">
          <Facts
            items={[
              ["Knack", `version ${status.version}`],
              ["Your data", <code key="folder">{status.dataFolder}</code>],
              ["Browser", status.browser.found === null ? status.browser.message : <code key="browser">{status.browser.found}</code>],
              ["Sent to others", "nothing: no telemetry, no account"],
            ]}
          />
        </Card>
      )}
    </Page>
  );
}
