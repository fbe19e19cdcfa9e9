import { join } from "node:path";
import { parseArgs } from "node:util";
import { createAgent } from "#app/create-agent.ts";
import { foldersOf } from "#app/folders.ts";
import { KnackError } from "#contract/errors.ts";
import { askedPort } from "./asked-port.ts";
import { builtPage } from "./built-page.ts";
import { writeTokenFile } from "./token-file.ts";
import { startWebServer } from "./web-server.ts";

const root = join(import.meta.dirname, "../../..");

try {
  await runWebShell();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof KnackError ? error.exit : isBadUsage(error) ? 2 : 1;
}

/** Serves until it is told to stop (Ctrl+C, or the end of a service), then puts everything away. */
async function runWebShell(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: "string" } }, strict: true });
  const port = askedPort(values.port);
  const stopped = stopSignal();
  const folder = await builtPage(root, (line) => console.error(line));
  const folders = foldersOf(process.env);
  const ports: number[] = [];
  const agent = await createAgent({ ...folders, env: process.env, ownPorts: () => ports });
  try {
    const server = await startWebServer(agent, folder, port);
    ports.push(server.port);
    try {
      await using _file = await writeTokenFile(folders.dataFolder, server.url);
      console.log(`Knack is at ${server.url}  (Ctrl+C ends it)`);
      await stopped;
    } finally {
      await server.close();
    }
  } finally {
    await agent.close();
  }
}

/** Settles at the first signal to stop; a second one ends the process where it stands. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
  });
}

function isBadUsage(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
