import type { TurnWorld } from "./world.ts";

/** Changes of a routine that rest on an episode which was judged wrong wait for nobody's yes any more; a better run may propose them again. */
export function withdrawProposals({ stores, clock }: Pick<TurnWorld, "stores" | "clock">, episodeId: string, why: string): void {
  stores.transaction(() => {
    const resting = stores.proposals.list().filter(({ evidence }) => evidence.includes(episodeId));
    for (const { id } of resting) {
      stores.proposals.decide(id, "withdrawn", clock());
      for (const alert of stores.alerts.list()) if (alert.proposalId === id) stores.alerts.resolve(alert.id, `withdrawn: ${why}`, clock());
    }
  });
}
