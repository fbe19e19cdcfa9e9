import type { ReactNode } from "react";
import styles from "./button-row.module.css";

export function ButtonRow({ children, align = "start" }: { readonly children: ReactNode; readonly align?: "start" | "end" }) {
  return <div className={align === "end" ? styles.end : styles.start}>{children}</div>;
}
