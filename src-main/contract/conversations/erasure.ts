import { z } from "zod";

/**
 * What became of a skill when something it was learned from was erased: derived again from the runs that are left, put back to a revision that rests on
 * nothing erased, retired for want of evidence, or only cleared of words and examples.
 */
export const becameSchema = z.object({ name: z.string(), became: z.enum(["derived-again", "put-back", "retired", "cleared"]) });
export type BecameOf = z.infer<typeof becameSchema>;

/** What an erasing came to. */
export const erasureSchema = z.object({
  skills: z.array(becameSchema),
  /** Backups of the store that still hold what was erased, until newer ones have pushed them out. */
  backups: z.number(),
  /** Backups that were erased with it; one without it was made in their place. */
  backupsErased: z.number(),
});
export type Erasure = z.infer<typeof erasureSchema>;

const became: Readonly<Record<BecameOf["became"], string>> = {
  "derived-again": "was derived again from the runs that are left",
  "put-back": "was put back to a revision that rests on nothing erased",
  retired: "was retired: too little is left that it was learned from",
  cleared: "stays, without the words and examples that came from there",
};

/** An erasing in sentences, after what was erased has been named. */
export function erasureWords({ skills, backups, backupsErased }: Erasure): string[] {
  return [
    ...skills.map((skill) => `"${skill.name}" ${became[skill.became]}.`),
    ...(backups > 0 ? [`${count(backups)} still ${backups === 1 ? "holds" : "hold"} it until newer ones take ${backups === 1 ? "its" : "their"} place.`] : []),
    ...(backupsErased > 0 ? [`${count(backupsErased)} that held it ${backupsErased === 1 ? "was" : "were"} erased; a new one was made without it.`] : []),
  ];
}

function count(backups: number): string {
  return `${backups} ${backups === 1 ? "backup" : "backups"}`;
}
