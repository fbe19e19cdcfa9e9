import { RotateCw } from "lucide-react";
import type { Pack } from "#contract/skills/schema.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Expander } from "../../components/expander.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatCount } from "../../format/count.ts";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useResource } from "../../store/use-resource.ts";
import { DiagnosticList } from "./diagnostic-list.tsx";
import styles from "./skills.module.css";

/** The packs in the data folder and what was found in each of their files, also in those that hold nothing. Not drawn where there is no pack. */
export function PackList() {
  const { client } = useStores();
  const packs = useResource("packs", (signal) => client.skills.packs(undefined, { signal }));
  if (packs.problem === null && (packs.value === null || packs.value.length === 0)) return null;
  return (
    <Card title="Packs">
      {packs.problem === null ? null : (
        <Notice
          tone="bad"
          title="Packs could not be read"
          actions={
            <Button icon={RotateCw} onPress={packs.reload}>
              Try again
            </Button>
          }
        >
          {packs.problem}
        </Notice>
      )}
      <div className={styles.list}>
        {(packs.value ?? []).map(({ name, files }) => (
          <Expander key={name} summary={`${name}: ${formatCount(files.length, "file")}`} isOpenAtFirst={files.some(isBad)}>
            <ul className={styles.list}>
              {files.map((file) => (
                <li key={file.path} className={styles.list}>
                  <p>
                    {isBad(file) ? <Badge tone="bad">not read</Badge> : <Badge tone="good">{file.skill === null ? "text" : "skill"}</Badge>}{" "}
                    <b className={styles.reach}>{file.path}</b> {file.skill === null ? null : <a href={routeHash("skills", file.skill)}>{file.skill}</a>}
                    {file.position === null ? null : <span className={styles.quiet}>text of its own, {file.position}</span>}
                  </p>
                  <DiagnosticList diagnostics={file.diagnostics} />
                </li>
              ))}
            </ul>
          </Expander>
        ))}
      </div>
    </Card>
  );
}

function isBad({ skill, position }: Pack["files"][number]): boolean {
  return skill === null && position === null;
}
