import type { PageElement } from "../ports/browser.ts";
import type { Bindings, Guidance } from "../replay/index.ts";
import type { Charge } from "./take-skill.ts";

/** What leads the next step: a routine with what is due of it, or the element a person's advice names; nothing where all are null. */
export interface Led {
  readonly charge: Charge | null;
  readonly due: Guidance | null;
  /** The run's bindings as the pages so far have them. */
  readonly bindings: Bindings | null;
  /** The step before was another one than was due. */
  readonly hasStrayed: boolean;
  readonly hinted: PageElement | null;
  /** Whether a person's advice has been followed to its end, so that only the answer is left. */
  readonly isAdviceDone: boolean;
}
