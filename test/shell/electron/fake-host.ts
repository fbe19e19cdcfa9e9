import { runHost } from "#shells/electron/run-host.ts";
import { createFakeAgent } from "../fake-agent.ts";

// The agent host as it ships, around the agent of the tests.
await runHost(async () => createFakeAgent());
