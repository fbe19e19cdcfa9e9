import { join } from "node:path";
import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { foldersOf } from "#app/folders.ts";
import type { FileCheck, FileText, ImportResult } from "#contract/skills/schema.ts";
import { leaf } from "../leaf.ts";
import { pathFrom } from "../place.ts";
import type { Session } from "../session.ts";
import { checkLines, importLines, packLines } from "../skill-file-lines.ts";
import { plural } from "../units.ts";
import { withAgent } from "../with-agent.ts";

type Found = Awaited<ReturnType<HostedAgent["skillFiles"]["find"]>>[number];

/** Commands about SKILL.md files: in, out, held against the rules, and those of packs. */
export function addSkillFiles(skills: Command, session: Session): void {
  leaf(skills, session, "import <paths...>", "SKILL.md files, or folders of them; they land switched off", ({ screen, args, signal }) =>
    withAgent(async (agent) => {
      const found = await filesAt(agent, args, signal);
      const read = agent.importSkills(found.filter(isText), "user");
      const results = inOrder<ImportResult>(found, read, ({ path, problem }) => ({
        path,
        outcome: "refused",
        name: null,
        skillId: null,
        reason: problem.message,
        diagnostics: [problem],
      }));
      const count = (outcome: ImportResult["outcome"]): number => results.filter((one) => one.outcome === outcome).length;
      screen.show(results, () => [
        ...importLines(results),
        ...(results.length === 1 ? [] : [`${plural(count("imported"), "skill")} imported, ${count("unchanged")} unchanged, ${count("refused")} refused`]),
      ]);
      if (count("refused") === 0) return 0;
      screen.warn(`knack: ${plural(count("refused"), "file")} of ${results.length} refused; each says why. Mend it and import it again.`);
      return 1;
    }),
  );

  leaf<{ overwrite?: boolean }>(
    skills,
    session,
    "export <name> [folder]",
    "write it as <folder>/<name>/SKILL.md; without a folder into Knack's own exports",
    ({ screen, args: [name = "", folder], options, signal }) =>
      withAgent(async (agent) => {
        const exported = agent.exportSkill(name);
        const into = folder === undefined ? join(foldersOf(process.env).dataFolder, "exports") : pathFrom(folder);
        const file = await agent.skillFiles.write(into, exported.name, exported.text, options.overwrite === true, signal);
        screen.show({ name: exported.name, file }, () => [`wrote ${file}`]);
      }),
  ).option("--overwrite", "replace a file that is there");

  leaf(skills, session, "validate <paths...>", "hold SKILL.md files against the rules; nothing is stored", ({ screen, args, signal }) =>
    withAgent(async (agent) => {
      const found = await filesAt(agent, args, signal);
      const read = agent.validateSkills(found.filter(isText));
      const checks = inOrder<FileCheck>(found, read, ({ path, problem }) => ({ path, name: null, valid: false, diagnostics: [problem] }));
      screen.show(checks, () => checkLines(checks));
      const broken = checks.filter(({ valid }) => !valid).length;
      if (broken === 0) return 0;
      screen.warn(`knack: ${plural(broken, "file")} of ${checks.length} not valid; each says why.`);
      return 1;
    }),
  );

  leaf(skills, session, "packs", "what lies in the packs, and what of it could not be read", ({ screen }) =>
    withAgent(async (agent) => {
      const packs = await agent.packs();
      const where = join(foldersOf(process.env).dataFolder, "skills");
      screen.show(packs, () =>
        packs.length === 0 ? [`There are no packs. A pack is a folder in ${where} with a folder and a SKILL.md for each skill.`] : packLines(packs),
      );
    }),
  );
}

async function filesAt(agent: HostedAgent, paths: readonly string[], signal: AbortSignal): Promise<Found[]> {
  const found: Found[] = [];
  for (const path of paths.map(pathFrom)) found.push(...(await agent.skillFiles.find(path, signal)));
  return found;
}

function isText(file: Found): file is FileText {
  return "text" in file;
}

/** Results of the files that could be read, with those that could not in their places. */
function inOrder<Result>(found: readonly Found[], read: readonly Result[], refuse: (file: Exclude<Found, FileText>) => Result): Result[] {
  const results = [...read];
  return found.flatMap((file) => (isText(file) ? results.splice(0, 1) : [refuse(file)]));
}
