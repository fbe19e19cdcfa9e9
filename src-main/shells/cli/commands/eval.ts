import { join } from "node:path";
import { type Command, Option } from "commander";
import type { LearningReport } from "#app/eval/learning.ts";
import type { GoalReport, RoutinesReport, Teaching } from "#app/eval/routines.ts";
import { foldersOf } from "#app/folders.ts";
import { badInput } from "#contract/errors.ts";
import { modeSchema } from "#contract/skills/schema.ts";
import { type Call, collect, group, leaf } from "../leaf.ts";
import { pathFrom, root } from "../place.ts";
import { requireSandbox } from "../sandbox.ts";
import { oneLine, type Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { countText } from "../units.ts";
import { addEvalRecall } from "./eval-recall.ts";
import { addEvalSecurity } from "./eval-security.ts";

interface EvalOptions {
  readonly sites?: string;
  readonly teach?: readonly string[];
  readonly model?: string;
  readonly only?: string;
  readonly modes?: string;
  readonly most?: string;
}

const teachings: readonly Teaching[] = ["none", "show", "chat"];
const modes = modeSchema.options;

export function addEval(program: Command, session: Session): void {
  const evaluation = group(program, "eval", "how well it does, measured on sites of this machine");
  leaf<EvalOptions>(evaluation, session, "routines", "every goal of every site, before and after it was taught", routines)
    .option("--sites <dir>", "folder with site modules (default: test/fixtures/sites)")
    .addOption(new Option("--teach <how>", "none, show or chat (repeat for more; default: all, in this order)").argParser(collect))
    .option("--model <id>", "another chat model")
    .option("--only <site[/kind]>", "only sites, and kinds of goals, that begin so")
    .option("--most <n>", "goals done of each kind after it was shown (default: all)")
    .option("--modes <list>", "how shown skills are followed (default: advisory,assisted,strict)");
  leaf<LearningOptions>(evaluation, session, "learning", "what a learning pass makes of episodes that another agent recorded", learning)
    .option("--data <file>", "episodes, one JSON object a line: task_id, trial, reward (0 or 1), goal, steps of tool, args and result")
    .option("--model <id>", "another chat model");
  addEvalRecall(evaluation, session);
  addEvalSecurity(evaluation, session);
}

interface LearningOptions {
  readonly data?: string;
  readonly model?: string;
}

async function learning({ options, screen, signal }: Call<LearningOptions>): Promise<void> {
  if (options.data === undefined) throw badInput("Name the file of episodes: knack eval learning --data FILE");
  const { evalLearning } = await import("#app/eval/learning.ts");
  screen.status("learning from the episodes …");
  const report = await evalLearning(
    {
      dataFile: pathFrom(options.data),
      cacheFolder: foldersOf(process.env).cacheFolder,
      env: process.env,
      ...(options.model === undefined ? {} : { model: options.model }),
    },
    signal,
  );
  screen.show(report, () => learningLines(report));
}

function learningLines(report: LearningReport): string[] {
  const { read, success, failure, withoutSteps } = report.episodes;
  return [
    `${countText(read)} episodes: ${countText(success)} went well, ${countText(failure)} did not; ${countText(withoutSteps)} without a step`,
    `${countText(report.clusters)} clusters, ${countText(report.skills.length)} skills, ${countText(report.skipped.length)} skipped; ${report.seconds.toFixed(1)} seconds, ${report.model}, ${report.embedder ?? "no embedder"}`,
    ...report.skills.flatMap(({ name, steps, callable, evidence }) => [
      `  ${name}: ${steps.length} steps, ${callable} without judgement`,
      ...steps.map((step, index) => `    ${index + 1}. ${oneLine(step)}`),
      `    rests on ${evidence.map(({ task, trial, reward }) => `task ${task} trial ${trial} (reward ${reward})`).join(", ")}`,
    ]),
    ...report.skipped.map(({ goal, episodes, successes, reason }) => `  skipped, ${successes} of ${episodes} went well: ${oneLine(reason)} | ${oneLine(goal)}`),
    ...(report.note === "" ? [] : [report.note]),
    `skills that rest on an episode that failed: ${report.skillsOnFailedEpisodes}`,
  ];
}

async function routines({ options, screen, signal }: Call<EvalOptions>): Promise<void> {
  const teach = options.teach === undefined ? teachings : options.teach.flatMap((one) => one.split(",")).map((one) => among(one, teachings, "--teach"));
  const chosenModes = options.modes?.split(",").map((one) => among(one, modes, "--modes"));
  const most = options.most === undefined ? undefined : Number(options.most);
  if (most !== undefined && (!Number.isInteger(most) || most < 1)) throw badInput(`--most "${options.most}" is no number of goals; expected 1 or more`);
  requireSandbox("eval routines");
  const { evalRoutines } = await import("#app/eval/routines.ts");
  let done = 0;
  // With --json too: what runs for an hour must not look as if it hung.
  let hasBegun = false;
  const tell = (line: string, style?: "bold" | "yellow"): void => {
    if (!hasBegun) write(goalHead, "bold");
    hasBegun = true;
    write(line, style);
  };
  const write = (line: string, style?: "bold" | "yellow"): void => (screen.json ? screen.warn(line) : screen.note(line, style));
  const report = await evalRoutines(
    {
      sitesFolder: options.sites === undefined ? join(root, "test/fixtures/sites") : pathFrom(options.sites),
      teach,
      cacheFolder: foldersOf(process.env).cacheFolder,
      env: process.env,
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(options.only === undefined ? {} : { only: options.only }),
      ...(most === undefined ? {} : { mostPerKind: most }),
      ...(chosenModes === undefined ? {} : { modes: chosenModes }),
      onGoal(goal) {
        done++;
        tell(goalLine(goal), goal.done ? undefined : "yellow");
        screen.status(`${countText(done)} goals done …`);
      },
      onNote: (note) => tell(`  ${oneLine(note)}`),
    },
    signal,
  );
  screen.show(report, () => [""]);
  if (!screen.json) showTotals(report, screen);
}

function timesText(ratio: number | null): string {
  return ratio === null ? "not run" : `${ratio} times as fast`;
}

function among<T extends string>(text: string, allowed: readonly T[], option: string): T {
  const found = allowed.find((one) => one === text.trim());
  if (found === undefined) throw badInput(`${option} "${text}" is unknown; expected ${allowed.join(", ")}`);
  return found;
}

const goalHead = `  ${"MODE".padEnd(13)}  ${"GOAL".padEnd(34)}  STEPS  SECONDS   TOKENS  WHY`;

function goalLine({ site, goal, mode, done, steps, seconds, tokens, skill, why }: GoalReport): string {
  const reason = done ? (skill ?? "") : `${skill === null ? "" : `${skill}, `}${oneLine(why)}`;
  return `${done ? "✓" : "✗"} ${mode.padEnd(13)}  ${`${site}/${goal}`.padEnd(34)}  ${String(steps).padStart(5)}  ${seconds.toFixed(1).padStart(7)}  ${countText(tokens.evaluated).padStart(7)}  ${reason}`.trimEnd();
}

function showTotals(report: RoutinesReport, screen: Screen): void {
  const { model, embedder, totals } = report;
  const named = [
    ["baseline", totals.baseline],
    ["shown, advisory", totals.show?.advisory],
    ["shown, assisted", totals.show?.assisted],
    ["shown, strict", totals.show?.strict],
    ["chat", totals.chat],
  ] as const;
  screen.table(
    [
      { head: "HOW" },
      { head: "GOALS", right: true },
      { head: "DONE", right: true },
      { head: "SHARE", right: true },
      { head: "STEPS", right: true },
      { head: "SECONDS", right: true },
    ],
    named.flatMap(([how, total]) =>
      total
        ? [
            [
              how,
              String(total.goals),
              String(total.done),
              total.goals === 0 ? "–" : `${Math.round((total.done / total.goals) * 100)} %`,
              String(total.steps),
              total.seconds.toFixed(1),
            ],
          ]
        : [],
    ),
  );
  const gains = Object.entries(totals.gains);
  if (gains.length > 0)
    screen.table(
      [
        { head: "LEARNED" },
        { head: "SKILLS MADE", right: true },
        { head: "WRONG RECALLS", right: true },
        { head: "STEPS SAVED", right: true },
        { head: "SECONDS SAVED", right: true },
        { head: "COMPARED", right: true },
        { head: "DONE ONLY BY IT", right: true },
      ],
      gains.map(([mode, gain]) => [
        mode,
        String(gain.skillsMade),
        `${gain.wrongRecalls} of ${gain.goals}`,
        gain.stepsSaved === null ? "–" : String(gain.stepsSaved),
        gain.secondsSaved === null ? "–" : String(gain.secondsSaved),
        `${gain.compared} goals`,
        String(gain.gained),
      ]),
    );
  const { assisted, strict } = totals.faster ?? { assisted: null, strict: null };
  if (assisted !== null || strict !== null)
    screen.say(`against advisory, median of the goals done both ways: assisted ${timesText(assisted)}, strict ${timesText(strict)}`);
  if (report.sweep !== null)
    screen.say(
      report.sweep.leaks.length === 0
        ? `values of ${report.sweep.logins} logins: found nowhere in the data folder, in processes or in this report`
        : `values of ${report.sweep.logins} logins: FOUND ${report.sweep.leaks.length} times: ${report.sweep.leaks
            .slice(0, 10)
            .map(({ where, value, encoding }) => `${value} (${encoding}) in ${where}`)
            .join("; ")}`,
      report.sweep.leaks.length === 0 ? "green" : "yellow",
    );
  if (totals.chat) screen.say(`learned from chat: ${totals.chat.learned} of ${totals.chat.kinds} kinds`);
  screen.say(`steps of the goals that were done; ${model}${embedder === null ? ", no embedder" : `, ${embedder}`}`, "dim");
}
