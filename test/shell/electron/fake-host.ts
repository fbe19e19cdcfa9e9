import { runHost } from "#shells/electron/run-host.ts";
import { createFakeAgent } from "../fake-agent.ts";

// The agent host as it ships, around the agent of the tests. No top-level await: it is built as CommonJS too.
void runHost(async () => createFakeAgent());
