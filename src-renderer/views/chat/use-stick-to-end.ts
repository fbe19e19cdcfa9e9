import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

const NEAR_END = 80;
const untouched = { at: Number.NEGATIVE_INFINITY, isHeld: false };
/** So long after a turn of the wheel, a touch or a key a scrolling is the reader's own. */
const OWN_FOR = 1000;

/**
 * Keeps the newest text in sight while the reader is at the end; one who has scrolled up, or came for something else, is left in peace. What is drawn gets its
 * height only then, so it is looked at again when the height changes; and a place that moved because of that is no reader who left.
 */
export function useStickToEnd(place: string, beginsAtEnd: boolean, content: string): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement | null>(null);
  const isAtEnd = useRef(beginsAtEnd);
  /** When the reader last touched what scrolls, and whether they still hold it. */
  const touched = useRef(untouched);
  useEffect(() => {
    const element = scroller.current;
    const inside = element?.firstElementChild;
    if (element === null || inside === null || inside === undefined) return;
    const touch = (event: Event) => {
      touched.current = { at: event.timeStamp, isHeld: event.type === "pointerdown" };
    };
    const release = () => {
      touched.current = { ...touched.current, isHeld: false };
    };
    const look = (event: Event) => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
      const { at, isHeld } = touched.current;
      if (isNear || isHeld || event.timeStamp - at < OWN_FOR) isAtEnd.current = isNear;
    };
    const touches = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
    for (const name of touches) element.addEventListener(name, touch, { passive: true });
    window.addEventListener("pointerup", release);
    const stick = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    stick.observe(inside);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      stick.disconnect();
      element.removeEventListener("scroll", look);
      for (const name of touches) element.removeEventListener(name, touch);
      window.removeEventListener("pointerup", release);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation starts at its end, unless something in it is sought
  useLayoutEffect(() => {
    isAtEnd.current = beginsAtEnd;
    touched.current = untouched;
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: grown content is the reason to scroll
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [place, content]);
  return scroller;
}
