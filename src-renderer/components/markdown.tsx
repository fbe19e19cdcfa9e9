import { memo, useMemo, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { harden } from "rehype-harden";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import styles from "./markdown.module.css";
import { mathText } from "./math-text.ts";
import { useMath } from "./use-math.ts";

/** Any web link is drawn, none is followed by itself; no image is ever fetched. */
const plugins = [[harden, { allowedLinkPrefixes: ["*"], allowedImagePrefixes: [], imageBlockPolicy: "indicator", linkBlockPolicy: "text-only" }]] as const;

/** Text of a model or a page as markdown. It is untrusted: links open only after the whole address was shown and confirmed. */
export const Markdown = memo(function Markdown({ text: written }: { readonly text: string }) {
  const [asked, setAsked] = useState<string | null>(null);
  const { text, hasMath } = useMemo(() => mathText(written), [written]);
  const math = useMath(hasMath);
  // Made once: other functions would be other components, which lose what they hold with every word that comes.
  const components = useMemo<Components>(
    () => ({
      a: ({ href, children }) => (
        <button type="button" className={styles.link} onClick={() => setAsked(href ?? null)} aria-label={`Link: ${href ?? "no address"}`} title={href}>
          {children}
        </button>
      ),
      pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
      table: ({ children }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
        <section className={styles.table} tabIndex={0} aria-label="Table">
          <table>{children}</table>
        </section>
      ),
    }),
    [],
  );
  return (
    <div className={styles.markdown}>
      <ReactMarkdown
        remarkPlugins={(math === null ? [remarkGfm] : [remarkGfm, math.remark]) as never}
        rehypePlugins={(math === null ? plugins : [...plugins, math.rehype]) as never}
        components={components}
      >
        {math === null ? written : text}
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
