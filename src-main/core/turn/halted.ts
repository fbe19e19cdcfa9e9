import type { Follower } from "../replay/index.ts";
import type { Charge } from "./take-skill.ts";

/** A run that halted, with its place: what going on needs. It lives as long as the browser it stands in. */
export interface Halted {
  readonly episodeId: string;
  readonly charge: Charge;
  readonly follower: Follower;
}
