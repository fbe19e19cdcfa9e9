import { readFile } from "node:fs/promises";
import { never } from "../browser/stage.ts";
import { browserProcesses, openNetStage } from "./net-stage.ts";

// A host that is an ordinary user, also where the tests are run by root: starts a browser with its sandbox and says what became of it.
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
const stage = await openNetStage({ "app.test": { "/": "<h1>App</h1>" } });
try {
  const session = await stage.launch();
  const { page } = await session.open("https://app.test/", never);
  const all = await browserProcesses(stage.egress().port);
  const renderers = all.filter(({ args }) => args.includes("--type=renderer"));
  const seccomp = await Promise.all(renderers.map(async ({ pid }) => /^Seccomp:\s+(\d)$/mu.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]));
  const hasSwitch = all.some(({ args }) => args.includes("--no-sandbox"));
  process.stdout.write(JSON.stringify({ heading: page.heading, seccomp: [...new Set(seccomp)], hasSwitch }));
} catch (error) {
  process.stdout.write(JSON.stringify({ refused: (error as { code?: string }).code }));
} finally {
  await stage.close();
}
