import { useEffect, useState } from "react";
import type { MathPlugins } from "./math-plugins.ts";

let loaded: MathPlugins | null = null;

/** The plugins that draw formulas, once they are here; null until then, and where none is wanted. A formula stands as it was written meanwhile. */
export function useMath(isWanted: boolean): MathPlugins | null {
  const [, redraw] = useState(loaded !== null);
  useEffect(() => {
    if (!isWanted || loaded !== null) return;
    let isHere = true;
    void import("./math-plugins.ts").then(
      ({ mathPlugins }) => {
        loaded = mathPlugins;
        if (isHere) redraw(true);
      },
      // Without them the formula stays readable as it is.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [isWanted]);
  return isWanted ? loaded : null;
}
