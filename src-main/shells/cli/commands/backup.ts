import { existsSync } from "node:fs";
import type { Command } from "commander";
import { foldersOf } from "#app/folders.ts";
import { badInput } from "#contract/errors.ts";
import { isAgreed } from "../ask-person.ts";
import { group, leaf } from "../leaf.ts";
import { pathFrom } from "../place.ts";
import type { Session } from "../session.ts";
import { bytesText, plural } from "../units.ts";
import { withAgent } from "../with-agent.ts";

export function addBackup(program: Command, session: Session): void {
  const backup = group(program, "backup", "copies of everything that was said, done and learned");

  leaf(backup, session, "list", "newest first; one is made each day and before each upgrade", async ({ screen }) => {
    const { backupsOf } = await import("#app/backups.ts");
    const all = backupsOf(foldersOf(process.env).dataFolder);
    if (screen.json) return screen.show(all, () => []);
    if (all.length === 0) return screen.say("No backups yet. Make one with: knack backup make <file>");
    screen.table(
      [{ head: "FILE" }, { head: "SIZE", right: true }],
      all.map(({ file, bytes }) => [file, bytesText(bytes)]),
    );
  });

  leaf(backup, session, "make <file>", "a copy now, where you say; an existing file is left alone", ({ screen, args: [given = ""] }) => {
    const file = pathFrom(given);
    if (existsSync(file)) throw badInput(`${file} is there already; name another file`);
    return withAgent(async (agent) => {
      await agent.world.stores.backup(file);
      screen.show({ file }, () => [`copied to ${file}`]);
    });
  });

  leaf<{ yes?: boolean }>(backup, session, "erase", "erase every backup, and make a new one: what was erased since is in none", ({ screen, options }) =>
    withAgent(async (agent) => {
      if (!options.yes && !(await isAgreed("Erase every backup and make a new one? What only they hold is gone.", session)))
        return screen.note("Left as it is.");
      const erased = await agent.eraseBackups();
      screen.show({ erased }, () => [erased === 0 ? "there was no backup" : `erased ${plural(erased, "backup")}; a new one was made`]);
    }),
  ).option("--yes", "do not ask");

  leaf<{ yes?: boolean }>(
    program,
    session,
    "restore [backup]",
    "put a backup in the place of what is there: the newest, or the one named",
    async ({ screen, args: [name], options }) => {
      const { dataFolder } = foldersOf(process.env);
      const { backupToRestore, restoreStore } = await import("#app/backups.ts");
      const question = `Put ${backupToRestore(dataFolder, name)} in the place of what is in ${dataFolder}?`;
      if (!options.yes && !(await isAgreed(question, session))) return screen.note("Left as it is.");
      const { backup, aside } = restoreStore(dataFolder, name);
      screen.show({ backup, aside }, () => [`restored ${backup}`, ...(aside === null ? [] : [`what was there is now ${aside}`])]);
    },
  ).option("--yes", "do not ask");
}
