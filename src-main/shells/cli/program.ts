import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { addActivity } from "./commands/activity.ts";
import { addAlerts } from "./commands/alerts.ts";
import { addAsk } from "./commands/ask.ts";
import { addBackup } from "./commands/backup.ts";
import { addBench } from "./commands/bench.ts";
import { addBlocks } from "./commands/blocks.ts";
import { addChat } from "./commands/chat.ts";
import { addConversations } from "./commands/conversations.ts";
import { addDemo } from "./commands/demo.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEval } from "./commands/eval.ts";
import { addGrants } from "./commands/grants.ts";
import { addMemory } from "./commands/memory.ts";
import { addModels } from "./commands/models.ts";
import { addSettings } from "./commands/settings.ts";
import { addSkills } from "./commands/skills.ts";
import { addShells } from "./commands/start-shell.ts";
import { addVault } from "./commands/vault.ts";
import { root } from "./place.ts";
import type { Session } from "./session.ts";

/** Every command. Nothing is printed about bad usage here: main says it in one line. */
export function buildProgram(session: Session): Command {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const program = new Command("knack")
    .description("A personal agent that learns the routines you show it.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, outputError: () => undefined })
    .configureHelp({ showGlobalOptions: false })
    .addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 bad usage, 3 refused.  KNACK_HOME, KNACK_CACHE and KNACK_BROWSER move data, models and browser.");
  for (const add of [
    addAsk,
    addChat,
    addShells,
    addSkills,
    addConversations,
    addMemory,
    addBlocks,
    addGrants,
    addVault,
    addActivity,
    addAlerts,
    addModels,
    addSettings,
    addBackup,
    addDoctor,
    addEval,
    addBench,
    addDemo,
  ])
    add(program, session);
  return program;
}
