import { z } from "zod";

/** One side of the control. `tasks` were not given up; `judged` of them ended in a success or a failure, `claimed` only said that they worked. */
export const liftArmSchema = z.object({
  tasks: z.number(),
  judged: z.number(),
  successes: z.number(),
  claimed: z.number(),
  /** Means over all tasks; null where there was none. */
  steps: z.number().nullable(),
  seconds: z.number().nullable(),
});
export type LiftArm = z.infer<typeof liftArmSchema>;

/** With the skill less without it, and between which values it lies in 95 of 100 such measurements. */
export const differenceSchema = z.object({ difference: z.number(), low: z.number(), high: z.number() });
export type Difference = z.infer<typeof differenceSchema>;

/** What skills were worth, measured by the control (SPEC 4). Differences are null until each side has `needed` tasks. */
export const liftSchema = z.object({
  /** Share that is withheld now; 0 where the control is off. */
  share: z.number(),
  needed: z.number(),
  used: liftArmSchema,
  withheld: liftArmSchema,
  success: differenceSchema.nullable(),
  steps: differenceSchema.nullable(),
  seconds: differenceSchema.nullable(),
});
export type Lift = z.infer<typeof liftSchema>;

/** The measurement in sentences; none where the control is off and never was on. */
export function liftWords(lift: Lift): string[] {
  const { share, needed, used, withheld, success, steps, seconds } = lift;
  const isOff = share === 0;
  if (isOff && used.tasks + withheld.tasks === 0) return [];
  const head = isOff
    ? "The control is off; what it measured before:"
    : `In ${percent(share)} of the tasks a skill would be used in, it is left out to compare.`;
  const left = Math.max(0, needed - Math.min(used.judged, withheld.judged));
  return [
    head,
    `With a skill: ${armWords(used)}.`,
    `Without it: ${armWords(withheld)}.`,
    success === null
      ? `Not enough yet to compare: each side needs ${needed} judged tasks, ${left} more on the shorter side.`
      : `A skill changes the success rate by ${points(success.difference)} (95 %: ${points(success.low)} to ${points(success.high)}).`,
    ...(steps === null ? [] : [`It changes the number of steps by ${signed(steps, "")}.`]),
    ...(seconds === null ? [] : [`It changes the time by ${signed(seconds, " s")}.`]),
  ];
}

function armWords({ tasks, judged, successes, claimed, steps, seconds }: LiftArm): string {
  if (tasks === 0) return "no task yet";
  const rate = judged === 0 ? "none judged" : `${successes} of ${judged} judged worked (${percent(successes / judged)})`;
  const more = claimed === 0 ? "" : `, ${claimed} more only said so`;
  return `${tasks} ${tasks === 1 ? "task" : "tasks"}, ${rate}${more}, ${(steps ?? 0).toFixed(1)} steps and ${(seconds ?? 0).toFixed(1)} s each`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function points(share: number): string {
  const rounded = Math.round(share * 100);
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded)} points`;
}

function signed({ difference, low, high }: Difference, unit: string): string {
  const one = (value: number): string => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}${unit}`;
  return `${one(difference)} (95 %: ${one(low)} to ${one(high)})`;
}
