import { type Command, Option } from "commander";
import type { RecallDataReport, RecallReport } from "#app/eval/recall/index.ts";
import { foldersOf } from "#app/folders.ts";
import { badInput } from "#contract/errors.ts";
import { type Call, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import { pathFrom } from "../place.ts";
import type { Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { percentText } from "../units.ts";

interface Options {
  readonly data?: string;
  readonly phrasings: string;
  readonly answers: number;
  readonly most?: number;
  readonly model?: string;
}

export function addEvalRecall(evaluation: Command, session: Session): void {
  leaf<Options>(evaluation, session, "recall", "whether goals find the skill they are meant for, and no other", recall)
    .option("--data <path>", "a file {skills, queries}, CLINC150, or a folder with them or SLURP's parts (default: the goals of the calibration)")
    .addOption(new Option("--phrasings <list>", "how many examples a skill was asked with, one store each").default("3,all"))
    .option("--answers <n>", "suggestions a user answers before it is measured again", wholeNumber(1, 10_000), 200)
    .option("--most <n>", "queries of each set, for a quick look (default: all)", wholeNumber(1, 1_000_000))
    .option("--model <id>", "another embedding model");
}

async function recall({ options, screen, signal }: Call<Options>): Promise<void> {
  const phrasings = options.phrasings.split(",").map((one) => {
    const count = Number(one.trim());
    if (one.trim() === "all") return null;
    if (!Number.isInteger(count) || count < 1) throw badInput(`--phrasings "${one}" is no number; expected numbers from 1, or "all", for example: 1,3,10,all`);
    return count;
  });
  const { evalRecallOn } = await import("#app/eval/recall/index.ts");
  const report = await evalRecallOn(
    options.data === undefined ? undefined : pathFrom(options.data),
    {
      phrasings,
      answers: options.answers,
      cacheFolder: foldersOf(process.env).cacheFolder,
      ...(options.most === undefined ? {} : { most: options.most }),
      ...(options.model === undefined ? {} : { model: options.model }),
      onNote: (note) => (screen.json ? screen.warn(`${note} …`) : screen.status(`${note} …`)),
    },
    signal,
  );
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) for (const set of report.sets) showSet(set, report, screen);
}

function showSet(set: RecallDataReport, { embedder }: RecallReport, screen: Screen): void {
  const { use, suggest, margin, calibrated } = set.thresholds;
  screen.say(`${set.data}: ${set.skills} skills, ${set.queries} goals; ${embedder}${calibrated ? "" : ", not calibrated"}`, "bold");
  screen.say(`used from ${use.toFixed(2)} with a lead of ${margin.toFixed(2)}, suggested from ${suggest.toFixed(2)}`, "dim");
  const right = (head: string) => ({ head, right: true });
  screen.table(
    [{ head: "STORE" }, right("PRECISION"), right("RECALL"), right("FALSE"), right("WITH SUGGESTIONS"), right("FALSE"), right("BEST THRESHOLD")],
    [
      ...set.settings.map((one) => [
        `${one.phrasings ?? "all"} phrasings`,
        percentText(one.precision),
        percentText(one.recall),
        percentText(one.falseRecalls),
        percentText(one.usedOrSuggested),
        percentText(one.falseSuggestions),
        percentText(one.best),
      ]),
      ...[set.answers.before, set.answers.after].map((one, at) => [
        at === 0 ? "3, before answers" : `3, after ${set.answers.answered}`,
        percentText(one.precision),
        percentText(one.recall),
        percentText(one.falseRecalls),
        percentText(one.usedOrSuggested),
        percentText(one.falseSuggestions),
        "",
      ]),
      ...[["3, cosine from 0.82", set.reference] as const, ...Object.entries(set.controls).map(([name, one]) => [`control: ${name}`, one] as const)].map(
        ([name, one]) => [name, percentText(one.precision), percentText(one.recall), percentText(one.falseRecalls), "", "", ""],
      ),
    ],
  );
  const { answers } = set;
  screen.say(
    `${answers.answered} answers in ${answers.asked} goals, ${answers.taken} taken: used from ${answers.before.use.toFixed(2)} before, ${answers.after.use.toFixed(2)} after; recall ${answers.gain} times, ${answers.gainAtSamePrecision} times at the best threshold of that precision`,
  );
  for (const { phrasings, dangerous } of set.settings)
    for (const one of dangerous)
      if (one.pairs > 0)
        screen.say(
          `${phrasings ?? "all"} phrasings, ${one.class}: ${one.pairs} pairs, ${one.goals} goals, the other one used ${one.used} times, suggested ${one.suggested}`,
        );
  screen.say("");
}
