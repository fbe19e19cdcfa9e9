import { memo, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { harden } from "rehype-harden";
import remarkGfm from "remark-gfm";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import styles from "./markdown.module.css";

/** Any web link is drawn, none is followed by itself; no image is ever fetched. */
const plugins = [[harden, { allowedLinkPrefixes: ["*"], allowedImagePrefixes: [], imageBlockPolicy: "indicator", linkBlockPolicy: "text-only" }]] as const;

/** Text of a model or a page as markdown. It is untrusted: links open only after the whole address was shown and confirmed. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const [asked, setAsked] = useState<string | null>(null);
  const components: Components = {
    a: ({ href, children }) => (
      <button type="button" className={styles.link} onClick={() => setAsked(href ?? null)} aria-label={`Link: ${href ?? "no address"}`} title={href}>
        {children}
      </button>
    ),
    table: ({ children }) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
      <section className={styles.table} tabIndex={0} aria-label="Table">
        <table>{children}</table>
      </section>
    ),
  };
  return (
    <div className={styles.markdown}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={plugins as never} components={components}>
        {text}
      </ReactMarkdown>
      {asked === null ? null : (
        <ConfirmDialog
          title="Open this address in your own browser?"
          act="Open"
          onClose={() => setAsked(null)}
          onConfirm={() => void window.open(asked, "_blank", "noopener,noreferrer")}
        >
          <p>It was written by the model or taken from a page. Open it only if you know it.</p>
          <p className={styles.address}>{asked}</p>
        </ConfirmDialog>
      )}
    </div>
  );
});
