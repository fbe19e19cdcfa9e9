import { type ReactNode, useState } from "react";
import { Expander } from "../../components/expander.tsx";

export interface EditorRowProps {
  readonly summary: ReactNode;
  /** Drawn only while the row is open: a draft may have many rows, and each editor many fields. */
  readonly children: () => ReactNode;
}

export function EditorRow({ summary, children }: EditorRowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Expander summary={summary} isOpen={isOpen} onOpenChange={setOpen}>
      {isOpen ? children() : null}
    </Expander>
  );
}
