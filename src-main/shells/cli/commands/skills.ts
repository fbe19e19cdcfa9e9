import type { Command } from "commander";
import { badInput } from "#contract/errors.ts";
import { liftWords } from "#contract/skills/lift.ts";
import { provisionalMeans, recordWords } from "#contract/skills/record-words.ts";
import { isAgreed } from "../ask-person.ts";
import { type Erasing, erasedLines, withErasing } from "../erasing.ts";
import { group, leaf, type Work } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import type { Session } from "../session.ts";
import { isRefused } from "../skill-file-lines.ts";
import { changeText, dryRunLine, historyLines, recallLines, reportLines, skillLines } from "../skill-lines.ts";
import { plural, timeText } from "../units.ts";
import { withAgent } from "../with-agent.ts";
import { addProposals } from "./proposals.ts";
import { addSkillFiles } from "./skill-files.ts";
import { addSkillRun } from "./skill-run.ts";
import { addTeach } from "./teach.ts";

export function addSkills(program: Command, session: Session): void {
  const skills = group(program, "skills", "what Knack learned");
  addReading(skills, session);
  addSkillRun(skills, session);
  addTeach(skills, session);
  addLearning(skills, session);
  addChanging(skills, session);
  addProposals(skills, session);
  addSkillFiles(skills, session);
}

function addReading(skills: Command, session: Session): void {
  leaf<{ all?: boolean }>(skills, session, "list", "those in use", ({ screen, options }) =>
    withAgent(async (agent) => {
      const found = agent.skills(options.all === true);
      const unread = (await agent.packs()).flatMap(({ files }) => files).filter(isRefused).length;
      if (unread > 0) screen.note(`${plural(unread, "file")} of packs could not be read; see: knack skills packs`);
      if (screen.json) return screen.show(found, () => []);
      if (found.length === 0 && options.all !== true && agent.skills(true).length > 0)
        return screen.say("No skill is in use. Those that are switched off or retired: knack skills list --all");
      if (found.length === 0) return screen.say('Nothing learned yet. Show something with: knack skills teach "<goal>" --url <address>');
      screen.table(
        [{ head: "NAME" }, { head: "STATUS" }, { head: "BY" }, { head: "RECORD" }, { head: "LAST USED" }, { head: "WHAT" }],
        found.map((skill) => [skill.name, skill.status, skill.author, recordWords(skill.trust), timeText(skill.lastUsedAt), skill.summary]),
      );
      if (found.some(({ status }) => status === "provisional")) screen.note(`provisional: ${provisionalMeans}`);
    }),
  ).option("--all", "disabled and retired ones too");

  leaf<{ revision?: number }>(skills, session, "show <name>", "what it does, step by step", ({ screen, args: [name = ""], options }) =>
    withAgent((agent) => {
      const detail = agent.skill(name, options.revision);
      const { supersededBy } = detail.skill;
      const lift = agent.lift(name);
      screen.show({ ...detail, lift }, () => skillLines(detail, supersededBy === null ? null : agent.skill(supersededBy).skill.name, lift));
    }),
  ).option("--revision <n>", "an earlier version", wholeNumber(1, 1_000_000));

  leaf(skills, session, "match <task>", "which one a task would recall, and why", ({ screen, args: [task = ""], signal }) =>
    withAgent(async (agent) => {
      const recall = await agent.matchSkill(task, signal);
      screen.show(recall, () => recallLines(recall));
    }),
  );

  leaf(skills, session, "why <turn>", "why a turn had the skill it had, or none", ({ screen, args: [turn = ""] }) =>
    withAgent((agent) => {
      const explanation = agent.why(turn);
      screen.show(explanation, () => [
        explanation.answer,
        ...explanation.lines,
        ...(explanation.recall === null ? [] : ["", ...recallLines(explanation.recall)]),
      ]);
    }),
  );

  leaf(skills, session, "history <name>", "its versions, and everything done to it", ({ screen, args: [name = ""] }) =>
    withAgent((agent) => {
      const { skill, revisions, ledger } = agent.skill(name);
      screen.show({ skill, revisions, ledger }, () => historyLines(skill, revisions, ledger));
    }),
  );

  leaf(skills, session, "diff <name> <a> <b>", "what changed between two versions", ({ screen, args: [name = "", a = "", b = ""] }) => {
    const [left, right] = [revisionNumber(a), revisionNumber(b)];
    return withAgent((agent) => {
      const diff = agent.diffSkill(name, left, right);
      screen.show({ name, a: left, b: right, diff }, () =>
        diff
          .trimEnd()
          .split("\n")
          .filter((line) => !/^(?:Index: |=+$)/u.test(line)),
      );
    });
  });
}

function addLearning(skills: Command, session: Session): void {
  leaf<{ apply?: boolean }>(skills, session, "induce", "what could be learned from what was done", ({ screen, options, signal }) =>
    withAgent(async (agent) => {
      const report = await agent.induce(options.apply === true, signal);
      screen.show(report, () => [...reportLines(report), ...(report.dryRun ? [dryRunLine(report)] : [])]);
    }),
  ).option("--apply", "learn it");

  leaf(skills, session, "report", "what the learning passes did", ({ screen }) =>
    withAgent((agent) => {
      const reports = agent.reports();
      screen.show(reports, () => [
        ...(reports.length === 0 ? ["There was no learning pass yet."] : reports.flatMap(reportLines)),
        ...liftWords(agent.lift()).map((line, at) => (at === 0 ? `What skills are worth: ${line}` : `  ${line}`)),
      ]);
    }),
  );

  leaf(
    skills,
    session,
    "control [share]",
    'leave skills out of a share of the tasks (0 to 0.5, "off") to measure what they are worth',
    ({ screen, args: [share] }) => {
      const control = share === undefined ? undefined : shareOf(share);
      return withAgent((agent) => {
        if (control !== undefined) agent.changeSettings({ control });
        const lift = agent.lift();
        const words = liftWords(lift);
        screen.show(lift, () => (words.length === 0 ? ["The control is off. Turn it on with: knack skills control 0.1"] : words));
      });
    },
  );
}

function addChanging(skills: Command, session: Session): void {
  leaf(skills, session, "pin <name>", "never suggest putting it away", pinning(true));
  leaf(
    skills,
    session,
    "mode <name> <mode>",
    "follow it by the model (advisory), or by code with the model's help (assisted)",
    ({ screen, args: [name = "", mode = ""] }) => {
      if (mode !== "advisory" && mode !== "assisted")
        throw badInput(
          `"${mode}" is no way a skill can be set to; expected advisory or assisted. Strictly it is run with: knack skills run ${name} --mode strict`,
        );
      return withAgent((agent) => {
        const { skill } = agent.setSkillMode(name, mode, "user");
        screen.show(skill, () => [`"${skill.name}" is followed in ${skill.mode} mode`]);
      });
    },
  );

  leaf(skills, session, "unpin <name>", "it may be suggested for putting away", pinning(false));
  leaf<{ by: string }>(skills, session, "supersede <name>", "retire it, because another one does the same", ({ screen, args: [name = ""], options }) =>
    withAgent((agent) => {
      const { skill } = agent.supersedeSkill(name, options.by, "user");
      screen.show(skill, () => [`"${skill.name}" is retired; "${agent.skill(options.by).skill.name}" took its place`]);
    }),
  ).requiredOption("--by <name>", "the one that stays");

  const changes = [
    ["enable", "active", "use it again", "enabled"],
    ["disable", "disabled", "keep it, but do not use it", "disabled"],
    ["retire", "retired", "take it out of use", "retired"],
    ["revive", "active", "bring a retired one back", "revived"],
  ] as const;
  for (const [verb, status, description, done] of changes) {
    leaf<{ reason?: string }>(skills, session, `${verb} <name>`, description, ({ screen, args: [name = ""], options }) =>
      withAgent((agent) => {
        const before = agent.skill(name).skill.status;
        if (verb === "revive" && before !== "retired") throw badInput(`"${name}" is ${before}; only a retired skill can be revived`);
        if ((options.reason ?? "").length > 1000) throw badInput(`The reason has ${options.reason?.length} characters; at most 1000 are kept`);
        if ((verb === "enable" || verb === "disable") && before === "retired")
          throw badInput(`"${name}" is retired; bring it back with: knack skills revive ${name}`);
        const { skill } = agent.setSkillStatus(name, status, "user", options.reason ?? `knack skills ${verb}`);
        screen.show(skill, () => [before === skill.status ? `"${skill.name}" was ${before} already` : `${done} "${skill.name}"`]);
      }),
    ).option("--reason <text>", "kept in its history");
  }

  leaf(skills, session, "revert <name> <n>", "go back to an earlier version", ({ screen, args: [name = "", n = ""] }) => {
    const number = revisionNumber(n);
    return withAgent(async (agent) => {
      const { skill } = await agent.revertSkill(name, number, "user");
      screen.show(skill, () => [`"${skill.name}" is at revision ${skill.activeRevision}`]);
    });
  });

  leaf(skills, session, "undo <entry>", "take back one change; its history names them", ({ screen, args: [entry = ""] }) =>
    withAgent(async (agent) => {
      const { skill, ledger } = await agent.undoSkillChange(entry, "user");
      const row = ledger.find(({ undoes }) => undoes === entry);
      screen.show({ skill, entry: row }, () => [`"${skill.name}": ${row?.reason ?? "undone"}, ${row ? changeText(row) : ""}`]);
    }),
  );

  withErasing(
    leaf<Erasing>(skills, session, "erase <name>", "remove it with its history, for good", ({ screen, args: [name = ""], options }) =>
      withAgent(async (agent) => {
        const { skill } = agent.skill(name);
        if (!options.yes && !(await isAgreed(`Erase "${skill.name}" with all its versions? It cannot be undone.`, session)))
          return screen.note("Left as it is.");
        const erasure = await agent.eraseSkill(name, options.backups === true);
        screen.show({ erased: skill.name, id: skill.id, ...erasure }, () => [`erased "${skill.name}"`, ...erasedLines(erasure)]);
      }),
    ),
  );
}

/** A share as the setting takes it. */
function shareOf(text: string): number {
  const share = text === "off" ? 0 : Number(text);
  if (text.trim() === "" || !(share >= 0 && share <= 0.5)) throw badInput(`"${text}" is no share; expected a number from 0 to 0.5, or off`);
  return share;
}

function pinning(pinned: boolean): Work<object> {
  return ({ screen, args: [name = ""] }) =>
    withAgent((agent) => {
      const was = agent.skill(name).skill.pinned;
      const { skill } = agent.setSkillPinned(name, pinned, "user");
      const word = pinned ? "pinned" : "unpinned";
      screen.show(skill, () => [was === pinned ? `"${skill.name}" was ${word} already` : `${word} "${skill.name}"`]);
    });
}

function revisionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/u.test(text)) throw badInput(`"${text}" is no revision; expected a number such as 1. See: knack skills history <name>`);
  return Number(text);
}
