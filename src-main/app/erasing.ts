import type { BecameOf, Erasure } from "#contract/conversations/erasure.ts";
import type { Stores } from "#core/ports/index.ts";

export interface ErasingWorld {
  readonly stores: Pick<Stores, "rebuild">;
  /** Copies of the store there are. */
  readonly countBackups: () => number;
  /** Removes them; returns how many. */
  readonly eraseBackups: () => number;
  /** Makes a new copy. */
  readonly backUp: () => Promise<unknown>;
}

/**
 * The end of every erasing: no page of the file keeps what was erased, and what still does, the backups, is told or erased as well; then a new one is made, for
 * a store without any could not be brought back.
 */
export async function endErasing(world: ErasingWorld, skills: BecameOf[], backups: boolean): Promise<Erasure> {
  world.stores.rebuild();
  if (!backups) return { skills, backups: world.countBackups(), backupsErased: 0 };
  const backupsErased = world.eraseBackups();
  if (backupsErased > 0) await world.backUp();
  return { skills, backups: 0, backupsErased };
}
