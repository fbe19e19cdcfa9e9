import { Label, ProgressBar } from "react-aria-components";
import { classNames } from "./class-names.ts";
import styles from "./progress.module.css";

export interface ProgressProps {
  readonly label: string;
  /** What stands beside the label: "320 MB of 1.1 GB, 4.2 MB/s, 3 min left". */
  readonly detail: string;
  /** Between 0 and 1; null when nobody knows. */
  readonly share: number | null;
}

export function Progress({ label, detail, share }: ProgressProps) {
  const percent = Math.round((share ?? 0) * 100);
  return (
    <ProgressBar className={classNames(styles.progress)} isIndeterminate={share === null} value={percent} valueLabel={detail}>
      <div className={styles.text}>
        <Label>{label}</Label>
        <span className={styles.detail}>{detail}</span>
      </div>
      <progress className={styles.bar} max={100} aria-hidden {...(share === null ? {} : { value: percent })} />
    </ProgressBar>
  );
}
