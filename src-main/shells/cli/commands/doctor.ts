import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { foldersOf } from "#app/folders.ts";
import { KnackError } from "#contract/errors.ts";
import { type ModelState, smallerContextWords } from "#contract/models/schema.ts";
import { type Call, leaf } from "../leaf.ts";
import { whySandboxFails } from "../sandbox.ts";
import { oneLine } from "../screen.ts";
import type { Session } from "../session.ts";
import { bytesText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

interface Check {
  readonly what: string;
  /** "note": it works, but there is something to know. */
  readonly state: "ok" | "note" | "missing";
  readonly found: string;
  /** What to do; null when nothing is. */
  readonly todo: string | null;
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
  const noSandbox = whySandboxFails();
  return [
    { what: "data folder", state: "ok", found: status.dataFolder, todo: null },
    integrity === "ok"
      ? { what: "database", state: "ok", found: "sound", todo: null }
      : { what: "database", state: "missing", found: oneLine(integrity), todo: "put a backup in its place with: knack restore" },
    await modelCheck(
      agent,
      "chat model",
      "qwen2.5-coder-1.5b",
      models.find((model) => model.role === "chat" && model.inUse),
      smallerContextWords({ size: status.model.contextSize, asked: status.model.contextAsked }),
    ),
    await modelCheck(
      agent,
      "embedder",
      "nomic-embed-text-v1.5",
      models.find((model) => model.role === "embedding" && model.inUse),
      status.embedder.calibrated ? null : "its thresholds are not calibrated",
    ),
    {
      what: "browser",
      state: status.browser.found === null ? "missing" : "ok",
      found: status.browser.found ?? "none",
      todo: status.browser.found === null ? status.browser.message : null,
    },
    noSandbox === null
      ? {
          what: "sandbox",
          state: process.env.KNACK_NO_SANDBOX === "1" ? "note" : "ok",
          found: process.env.KNACK_NO_SANDBOX === "1" ? "off, by KNACK_NO_SANDBOX=1" : "on",
          todo: null,
        }
      : { what: "sandbox", state: "missing", found: "cannot start as root", todo: noSandbox },
  ];
}

async function modelCheck(agent: HostedAgent, what: string, usual: string, model: ModelState | undefined, note: string | null): Promise<Check> {
  if (model === undefined) return { what, state: "missing", found: "none", todo: `knack models get ${usual}` };
  const { ok, message } = await agent.verifyModel(model.id);
  if (!ok) return { what, state: "missing", found: message, todo: `knack models get ${model.id}` };
  const found = `${model.id}, ${bytesText(model.bytes)}, SHA-256 right`;
  return note === null ? { what, state: "ok", found, todo: null } : { what, state: "note", found: `${found}; ${note}`, todo: null };
}

async function diskCheck(what: string, folder: string): Promise<Check> {
  const found = await statfs(folder).catch(() => null);
  // A folder that is not there yet will be made on the disk of the one above it.
  if (found === null) return dirname(folder) === folder ? { what, state: "note", found: "not known", todo: null } : diskCheck(what, dirname(folder));
  const free = found.bavail * found.bsize;
  return {
    what,
    state: free >= leastFreeBytes ? "ok" : "missing",
    found: `${bytesText(free)} free`,
    todo: free >= leastFreeBytes ? null : `make room: at least ${bytesText(leastFreeBytes)} on the disk of ${folder}`,
  };
}

function storeProblem(dataFolder: string, error: unknown): Check {
  if (!(error instanceof KnackError)) throw error;
  return { what: "data", state: "missing", found: dataFolder, todo: oneLine(error.message) };
}
