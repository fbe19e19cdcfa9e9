import { z } from "zod";
import { clip } from "#base/text.ts";
import { badInput } from "#contract/errors.ts";

const recordedSchema = z.object({
  task_id: z.union([z.string().min(1), z.number()]),
  trial: z.union([z.string().min(1), z.number()]),
  /** 1 went well, 0 did not. */
  reward: z.union([z.literal(0), z.literal(1)]),
  goal: z.string().trim().min(1),
  steps: z.array(z.object({ tool: z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/u), args: z.record(z.string(), z.unknown()), result: z.string() })),
});

/** One episode that another agent recorded. */
export type RecordedEpisode = z.infer<typeof recordedSchema>;

/**
 * Reads episodes of JSON Lines, one `{task_id, trial, reward, goal, steps: [{tool, args, result}]}` a line; empty lines are passed over, unknown keys are
 * not looked at. Throws bad-input with the line and the field, also for a task and trial that are there twice and for a file without any.
 */
export function readEpisodes(text: string): RecordedEpisode[] {
  const seen = new Map<string, number>();
  const episodes = text.split(/\r?\n/u).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const at = index + 1;
    const parsed = recordedSchema.safeParse(parsedLine(line, at));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw badInput(`line ${at}: ${issue?.path.join(".") || "the line"}: ${issue?.message ?? "is no episode"}`, { field: issue?.path.join(".") ?? "" });
    }
    const key = JSON.stringify([parsed.data.task_id, parsed.data.trial]);
    const first = seen.get(key);
    if (first !== undefined) throw badInput(`line ${at}: task ${parsed.data.task_id}, trial ${parsed.data.trial} is in line ${first} already`);
    seen.set(key, at);
    return [parsed.data];
  });
  if (episodes.length === 0) throw badInput("there is no episode in the file; expected one JSON object a line");
  return episodes;
}

function parsedLine(line: string, at: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw badInput(`line ${at} is no JSON (${clip(error instanceof Error ? error.message : String(error), 120)}); expected one object a line`);
  }
}
