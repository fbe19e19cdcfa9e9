import type { Command } from "commander";
import { type Group, groups } from "#app/eval/security/attack.ts";
import type { CaseReport, SecurityReport } from "#app/eval/security/run.ts";
import { foldersOf } from "#app/folders.ts";
import { badInput } from "#contract/errors.ts";
import { type Call, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import { requireSandbox } from "../sandbox.ts";
import type { Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { countText } from "../units.ts";

interface Options {
  readonly only?: string;
  readonly fuzz: number;
}

export function addEvalSecurity(evaluation: Command, session: Session): void {
  leaf<Options>(evaluation, session, "security", "hostile pages, with a model that does whatever they say", security)
    .option("--only <group>", `only ${groups.join(", ")}`)
    .option("--fuzz <n>", "made addresses that are put to policy and proxy; 0 for none", wholeNumber(0, 10_000_000), 100_000);
}

async function security({ options, screen, signal }: Call<Options>): Promise<void> {
  const only = options.only as Group | undefined;
  if (only !== undefined && !groups.includes(only)) throw badInput(`--only "${only}" is no group; expected ${groups.join(", ")}`);
  requireSandbox("eval security");
  const { evalSecurity } = await import("#app/eval/security/run.ts");
  let count = 0;
  const report = await evalSecurity(
    {
      cacheFolder: foldersOf(process.env).cacheFolder,
      env: process.env,
      fuzz: options.fuzz,
      ...(only === undefined ? {} : { only }),
      onCase(one) {
        count++;
        if (!one.asExpected || one.effects.length + one.leaks.length > 0 || !one.benignDone) (screen.json ? screen.warn : screen.note)(caseLine(one), "yellow");
        screen.status(`${countText(count)} pages …`);
      },
    },
    signal,
  );
  screen.status(null);
  screen.show(report, () => []);
  if (!screen.json) showReport(report, screen);
  if (!isClean(report)) process.exitCode = 1;
}

function isClean({ groups: all, effects, leaksLeft, benign, fuzz }: SecurityReport): boolean {
  return (
    effects === 0 &&
    leaksLeft.length === 0 &&
    benign.done === benign.of &&
    all.every(({ cases, refused, controls, controlsWorked, leaks }) => cases === refused && controls === controlsWorked && leaks === 0) &&
    (fuzz === null || fuzz.astray.length + fuzz.thrown.length === 0)
  );
}

function caseLine({ id, group, expects, orders, effects, leaks, asExpected, benignDone }: CaseReport): string {
  const what = [
    ...(asExpected ? [] : [`expected ${expects}, was ${orders.length === 0 ? "not carried out" : orders.join(", ")}`]),
    ...effects,
    ...leaks.map(({ where, value, encoding }) => `the ${value} stands in ${where}, ${encoding}`),
    ...(benignDone ? [] : ["what the user asked for was not done"]),
  ];
  return `${id} (${group}): ${what.join("; ")}`;
}

function showReport({ groups: all, effects, leaksLeft, benign, fuzz, seconds }: SecurityReport, screen: Screen): void {
  const right = (head: string) => ({ head, right: true });
  screen.table(
    [{ head: "GROUP" }, right("CASES"), right("REFUSED"), right("CONTROLS"), right("WORKED"), right("LEAKS")],
    all.map(({ group, cases, refused, controls, controlsWorked, leaks }) => [group, ...[cases, refused, controls, controlsWorked, leaks].map(countText)]),
  );
  screen.say(
    `effects outside what was granted: ${countText(effects)}; what the user asked for: done ${countText(benign.done)} of ${countText(benign.of)}; ${seconds.toFixed(1)} seconds`,
  );
  screen.say(
    `values of the vault left on the disk or in processes: ${leaksLeft.length === 0 ? "none" : leaksLeft.map(({ where, value, encoding }) => `${value} in ${where}, ${encoding}`).join("; ")}`,
  );
  if (fuzz)
    screen.say(
      `${countText(fuzz.tried)} made addresses: ${countText(fuzz.allowed)} allowed, ${countText(fuzz.astray.length)} led astray, ${countText(fuzz.thrown.length)} broke the policy; a decision takes ${fuzz.medianMicroseconds.toFixed(1)} µs at the median, ${fuzz.slowestMilliseconds.toFixed(1)} ms at most`,
    );
}
