import { Check, Copy } from "lucide-react";
import { Children, isValidElement, type ReactNode, useEffect, useRef, useState } from "react";
import styles from "./code-block.module.css";
import { IconButton } from "./icon-button.tsx";

const SHOWN_FOR = 2000;

/** A block of code with its language, and a button that copies exactly what stands in it. */
export function CodeBlock({ children }: { readonly children: ReactNode }) {
  const block = useRef<HTMLPreElement>(null);
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [state]);
  const language = languageOf(children);
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span>{language ?? "code"}</span>
        <span className={styles.said} role="status">
          {state === "copied" ? "Copied" : state === "failed" ? "It could not be copied; mark it instead." : ""}
        </span>
        <IconButton
          icon={state === "copied" ? Check : Copy}
          label={language === null ? "Copy this code" : `Copy this ${language}`}
          onPress={() =>
            void navigator.clipboard.writeText((block.current?.textContent ?? "").replace(/\n$/u, "")).then(
              () => setState("copied"),
              () => setState("failed"),
            )
          }
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long code must be scrollable by keyboard */}
      <pre ref={block} tabIndex={0}>
        {children}
      </pre>
    </figure>
  );
}

function languageOf(children: ReactNode): string | null {
  const [code] = Children.toArray(children);
  const name = isValidElement<{ className?: string }>(code) ? /language-([\w+#.-]+)/u.exec(code.props.className ?? "")?.[1] : undefined;
  return name ?? null;
}
