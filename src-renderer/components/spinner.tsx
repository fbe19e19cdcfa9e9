import { LoaderCircle } from "lucide-react";
import styles from "./spinner.module.css";

export function Spinner({ size = 16 }: { readonly size?: number }) {
  return <LoaderCircle aria-hidden size={size} className={styles.spinner} />;
}
