import { useEffect, useState } from "react";

/** The time, renewed every `period` milliseconds; with 0 it stands still. */
export function useNow(period: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (period === 0) return;
    const timer = setInterval(() => setNow(Date.now()), period);
    return () => clearInterval(timer);
  }, [period]);
  return now;
}
