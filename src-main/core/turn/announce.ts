import { type Bindings, fillKnown, type Guidance } from "../replay/index.ts";
import type { Scene } from "./scene.ts";

/** Tells the page which step of how many comes next. */
export function announce({ world, turn }: Scene, of: number, due: Guidance, bindings: Bindings): void {
  if (due.kind !== "done") world.emit({ type: "place-moved", turnId: turn.id, at: due.at + 1, of, next: fillKnown(due.step.do, bindings) });
}
