import { badInput } from "#contract/errors.ts";
import type { Pack, Skill } from "#contract/skills/schema.ts";
import type { Log, SkillFiles } from "#core/ports/index.ts";
import type { Contribution } from "#core/prompt/index.ts";
import type { SkillWorld } from "./skills.ts";
import { type Sweep, storePack, withdrawGone } from "./store-pack.ts";

export interface Packs {
  /** Loads what changed in the packs since the last look. Never rejects: what cannot be read is logged and stays as it was. */
  look(): Promise<void>;
  /** As of the last look. */
  list(): Pack[];
  contributions(): readonly Contribution[];
  /** Throws for a skill whose file lies in a pack: erased, it would come back with the next look. */
  requireGone(skill: Skill): void;
}

/** The packs of the data folder; one look at a time, each as one transaction. */
export function makePacks(world: SkillWorld & { readonly files: SkillFiles; readonly log: Log }): Packs {
  let mark: string | null = null;
  let packs: Pack[] = [];
  let holders: readonly string[] = [];
  let contributions: readonly Contribution[] = [];
  let looking: Promise<void> = Promise.resolve();

  async function lookOnce(): Promise<void> {
    try {
      // A name that was taken is free once its skill is erased: then a file that stood back can be read, though nothing in the folder changed.
      if (holders.some((id) => world.stores.skills.get(id) === undefined)) mark = null;
      const found = await world.files.packs(mark, AbortSignal.timeout(30_000));
      if (found === null) return;
      const sweep: Sweep = { present: new Map(), broken: [], holders: [] };
      const stored = world.stores.transaction(() => {
        const all = found.packs.map((pack) => ({ name: pack.name, ...storePack(world, pack, sweep) }));
        withdrawGone(world, sweep);
        return all;
      });
      mark = found.mark;
      holders = sweep.holders;
      packs = stored.map(({ name, files }) => ({ name, files }));
      contributions = stored.flatMap((pack) => pack.contributions);
      report(world.log, packs);
    } catch (error) {
      world.log.warn("packs-unread", { error });
    }
  }

  return {
    look() {
      looking = looking.then(lookOnce);
      return looking;
    },
    list: () => packs,
    contributions: () => contributions,
    requireGone(skill) {
      const file = packs.flatMap(({ files }) => files).find((one) => one.skill === skill.name);
      if (file !== undefined)
        throw badInput(`"${skill.name}" lies in a pack (${file.path}) and would come back. Remove that file first, or disable the skill.`);
    },
  };
}

function report(log: Log, packs: readonly Pack[]): void {
  for (const { path, position, diagnostics } of packs.flatMap(({ files }) => files)) {
    if (position === "kernel") log.warn("contribution-without-effect", { path, position });
    for (const { code, severity, message } of diagnostics) if (severity === "error") log.warn("pack-file", { path, code, message });
  }
}
