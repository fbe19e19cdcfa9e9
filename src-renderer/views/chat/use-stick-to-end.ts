import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

const NEAR_END = 80;

/**
 * Keeps the newest text in sight while the reader is at the end; one who has scrolled up, or came for something else, is left in peace. What is drawn gets its
 * height only then, so it is looked at again when the height changes.
 */
export function useStickToEnd(place: string, beginsAtEnd: boolean, content: string): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement | null>(null);
  const isAtEnd = useRef(beginsAtEnd);
  useEffect(() => {
    const element = scroller.current;
    const inside = element?.firstElementChild;
    if (element === null || inside === null || inside === undefined) return;
    const look = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
    };
    const stick = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    stick.observe(inside);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      stick.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation starts at its end, unless something in it is sought
  useLayoutEffect(() => {
    isAtEnd.current = beginsAtEnd;
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: grown content is the reason to scroll
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [place, content]);
  return scroller;
}
