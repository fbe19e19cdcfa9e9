import type { ReactNode } from "react";
import styles from "./badge.module.css";
import { classNames } from "./class-names.ts";

export type Tone = "plain" | "accent" | "good" | "warn" | "bad";

/** A word of state. The word says it; the colour only helps. */
export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classNames(styles.badge, styles[tone])}>{children}</span>;
}
