import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { foldersOf } from "#app/folders.ts";
import { KnackError } from "#contract/errors.ts";
import { type ModelState, smallerContextWords } from "#contract/models/schema.ts";
import { type Call, leaf } from "../leaf.ts";
import { remedies } from "../remedies.ts";
import { isSandboxImpossible } from "../sandbox.ts";
import { oneLine } from "../screen.ts";
import type { Session } from "../session.ts";
import { bytesText, statesText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

/** "note": it works, but there is something to know. Whatever is not "ok" says what to do. */
type Check = { readonly what: string; readonly found: string } & (
  | { readonly state: "ok"; readonly todo: null }
  | { readonly state: "note" | "missing"; readonly todo: string }
);

/** What there is to know of a thing that works, and what to do about it. */
interface Note {
  readonly found: string;
  readonly todo: string;
}

const leastFreeBytes = 500_000_000;

export function addDoctor(program: Command, session: Session): void {
  leaf(program, session, "doctor", "what is in use, and what is missing", doctor);
}

/** Exit 1 when something needed is missing. */
async function doctor({ screen }: Call<object>): Promise<number> {
  const { dataFolder, cacheFolder } = foldersOf(process.env);
  screen.status("looking …");
  const checks: Check[] = await withAgent((agent) => lookAt(agent)).catch((error: unknown) => [storeProblem(dataFolder, error)]);
  checks.push(await diskCheck("disk, data", dataFolder), await diskCheck("disk, models", cacheFolder));
  const isFine = checks.every((check) => check.state !== "missing");
  screen.show({ ok: isFine, checks: checks.map((check) => ({ ...check, ok: check.state !== "missing" })) }, () => [
    ...checks.flatMap(linesOf),
    "",
    isFine ? "Everything needed is there." : "Something needed is missing: see the lines marked ✗.",
  ]);
  return isFine ? 0 : 1;
}

function linesOf({ what, state, found, todo }: Check): string[] {
  const mark = { ok: "✓", note: "!", missing: "✗" }[state];
  return [`${mark} ${what.padEnd(12)}  ${found}`, ...(todo === null ? [] : [`  ${"".padEnd(12)}  → ${todo}`])];
}

async function lookAt(agent: HostedAgent): Promise<Check[]> {
  const status = await agent.status();
  const models = await agent.models();
  const integrity = agent.world.stores.integrity();
  const smallerContext = smallerContextWords({ size: status.model.contextSize, asked: status.model.contextAsked });
  return [
    { what: "data folder", state: "ok", found: status.dataFolder, todo: null },
    integrity === "ok"
      ? { what: "database", state: "ok", found: "sound", todo: null }
      : { what: "database", state: "missing", found: oneLine(integrity), todo: remedies.database() },
    await modelCheck(
      agent,
      "chat model",
      "qwen2.5-coder-1.5b",
      models.find((model) => model.role === "chat" && model.inUse),
      smallerContext === null ? null : { found: smallerContext.replace(/ Close other programs.*$/u, ""), todo: remedies.smallerContext() },
    ),
    await modelCheck(
      agent,
      "embedder",
      "nomic-embed-text-v1.5",
      models.find((model) => model.role === "embedding" && model.inUse),
      status.embedder.calibrated ? null : { found: "its thresholds are not calibrated", todo: remedies.uncalibrated() },
    ),
    { what: "states", state: "ok", found: statesText(agent.modelUse().states), todo: null },
    browserCheck(status.browser.found, process.env.KNACK_BROWSER),
    sandboxCheck(),
    ...(await blockChecks(agent)),
  ];
}

function browserCheck(found: string | null, named: string | undefined): Check {
  if (found !== null) return { what: "browser", state: "ok", found, todo: null };
  return { what: "browser", state: "missing", found: "none", todo: named ? remedies.wrongBrowser(named) : remedies.noBrowser() };
}

function sandboxCheck(): Check {
  if (isSandboxImpossible()) return { what: "sandbox", state: "missing", found: "cannot start as root", todo: remedies.sandboxAsRoot() };
  return process.env.KNACK_NO_SANDBOX === "1"
    ? { what: "sandbox", state: "note", found: "off, by KNACK_NO_SANDBOX=1", todo: remedies.sandboxOff() }
    : { what: "sandbox", state: "ok", found: "on", todo: null };
}

/** A text of the user's that cannot be read stops every turn, so it is told of before one is begun. */
async function blockChecks(agent: HostedAgent): Promise<Check[]> {
  const failed = (await agent.blocks()).blocks.filter(({ state }) => state === "failed");
  if (failed.length === 0) return [{ what: "context", state: "ok", found: "every block can be read", todo: null }];
  return failed.map(({ name, problem, file }) => ({
    what: "context",
    state: "missing",
    found: oneLine(problem ?? `${name} cannot be read`),
    todo: file === null ? remedies.block(name) : remedies.blockFile(name),
  }));
}

async function modelCheck(agent: HostedAgent, what: string, usual: string, model: ModelState | undefined, note: Note | null): Promise<Check> {
  if (model === undefined) return { what, state: "missing", found: "none", todo: remedies.noModel(usual) };
  const { ok, message } = await agent.verifyModel(model.id);
  if (!ok) return { what, state: "missing", found: message, todo: remedies.brokenModel(model.id) };
  const found = `${model.id}, ${bytesText(model.bytes)}, SHA-256 right`;
  return note === null ? { what, state: "ok", found, todo: null } : { what, state: "note", found: `${found}; ${note.found}`, todo: note.todo };
}

async function diskCheck(what: string, folder: string): Promise<Check> {
  const found = await statfs(folder).catch(() => null);
  // A folder that is not there yet will be made on the disk of the one above it.
  if (found === null)
    return dirname(folder) === folder ? { what, state: "note", found: "not known", todo: remedies.diskUnknown(folder) } : diskCheck(what, dirname(folder));
  const free = found.bavail * found.bsize;
  const said = { what, found: `${bytesText(free)} free` };
  return free >= leastFreeBytes ? { ...said, state: "ok", todo: null } : { ...said, state: "missing", todo: remedies.diskFull(leastFreeBytes, folder) };
}

function storeProblem(dataFolder: string, error: unknown): Check {
  if (!(error instanceof KnackError)) throw error;
  return { what: "data", state: "missing", found: dataFolder, todo: remedies.store(oneLine(error.message)) };
}
