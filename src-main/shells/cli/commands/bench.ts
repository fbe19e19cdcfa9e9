import type { Command } from "commander";
import type { RecallBench } from "#app/bench/recall.ts";
import { type Call, group, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import type { Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { bytesText, countText } from "../units.ts";

interface RecallOptions {
  readonly skills: number;
  readonly revisions: number;
  readonly repetitions: number;
  readonly dimension: number;
}

export function addBench(program: Command, session: Session): void {
  const bench = group(program, "bench", "how long things take on this machine");
  leaf<RecallOptions>(bench, session, "recall", "a store full of skills: list, show, history, match; without the model", recall)
    .option("--skills <n>", "skills in the store; another with a tenth of them stands beside it", wholeNumber(10, 100_000), 1000)
    .option("--revisions <n>", "revisions of each", wholeNumber(1, 1000), 20)
    .option("--repetitions <n>", "how often each is timed", wholeNumber(1, 100_000), 200)
    .option("--dimension <n>", "numbers a vector has", wholeNumber(2, 4096), 768);
}

async function recall({ options, screen, signal }: Call<RecallOptions>): Promise<void> {
  const { benchRecall } = await import("#app/bench/recall.ts");
  const { skills, revisions, repetitions, dimension } = options;
  const report = await benchRecall({ skills, revisions, repetitions, dimension, onNote: (note) => screen.status(`${note} …`) }, signal);
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) showTimes(report, screen);
}

function showTimes({ operations, store, reference, verdicts, machine, dimension, repetitions, limitMs }: RecallBench, screen: Screen): void {
  const ms = (milliseconds: number): string => milliseconds.toFixed(1);
  screen.table(
    [
      { head: "MS" },
      { head: "MIN", right: true },
      { head: "MEDIAN", right: true },
      { head: "P95", right: true },
      { head: "MAX", right: true },
      { head: "P95 OF PROCESSOR", right: true },
      { head: `MEDIAN OF ${countText(reference.skills)}`, right: true },
      { head: "GROWTH", right: true },
      { head: `P95 < ${limitMs}` },
    ],
    operations.map(({ operation, times, processor, reference: beside, growth, isWithin }) => [
      operation,
      ms(times.min),
      ms(times.median),
      ms(times.p95),
      ms(times.max),
      ms(processor.p95),
      ms(beside.median),
      `${growth.toFixed(1)}×`,
      isWithin ? "yes" : "no",
    ]),
  );
  const found = Object.entries(verdicts).map(([verdict, count]) => `${verdict} ${count}`);
  screen.say(
    `${countText(store.skills)} skills, ${countText(store.revisions)} revisions, ${countText(store.runs)} runs, ${countText(store.vectors)} vectors of ${dimension}, ${bytesText(store.bytes)}; ${repetitions} times each`,
    "dim",
  );
  screen.say(
    `match: ${found.join(", ")}; ${machine.processors} processors, load ${machine.load.toFixed(1)}, Node ${machine.node}; without embedding the goal`,
    "dim",
  );
}
