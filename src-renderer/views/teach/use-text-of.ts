import { useState } from "react";

/** A text being typed over a value: when another value comes back, that is what stands there. */
export function useTextOf(value: string): readonly [text: string, setText: (text: string) => void] {
  const [held, setHeld] = useState({ of: value, text: value });
  return [held.of === value ? held.text : value, (text) => setHeld({ of: value, text })];
}
