import { usePage } from "../store/use-page.ts";

/** The one live region: a reply is said once, when it is complete, never while it streams. */
export function SayRegion() {
  const said = usePage((state) => state.said);
  return (
    <div className="unseen" aria-live="polite" aria-atomic="true" data-testid="said">
      <span key={said.count}>{said.text}</span>
    </div>
  );
}
