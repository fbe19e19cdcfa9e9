import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

const NEAR_END = 80;

/** Keeps the newest text in sight while the reader is at the end; one who has scrolled up is left in peace. */
export function useStickToEnd(place: string, content: string): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement | null>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
    };
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation starts at its end
  useLayoutEffect(() => {
    isAtEnd.current = true;
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: grown content is the reason to scroll
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [place, content]);
  return scroller;
}
