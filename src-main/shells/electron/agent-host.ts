import { createAgent } from "#app/create-agent.ts";
import { foldersOf } from "#app/folders.ts";
import { runHost } from "./run-host.ts";

await runHost(() => createAgent({ ...foldersOf(process.env), env: process.env }));
