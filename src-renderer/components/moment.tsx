import { formatExactly, formatMoment } from "../format/moment.ts";
import { useNow } from "./use-now.ts";

/** A time as people say it; the exact one on hover. */
export function Moment({ at }: { readonly at: number }) {
  const now = useNow(30_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactly(at)}>
      {formatMoment(at, now)}
    </time>
  );
}
