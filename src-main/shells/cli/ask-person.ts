import { createInterface } from "node:readline/promises";
import type { AgentConfig } from "#app/config.ts";
import { KnackError } from "#contract/errors.ts";
import type { Screen } from "./screen.ts";
import type { Session } from "./session.ts";

export type Approver = NonNullable<AgentConfig["approve"]>;

/** Whether somebody can be asked. */
export function isPersonThere(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** One question on the terminal; Ctrl+C stops the command. Rejects with the signal's reason. */
export async function askPerson(question: string, session: Session, signal: AbortSignal = session.signal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on("SIGINT", session.stop);
  try {
    return (await lines.question(question, { signal })).trim();
  } finally {
    lines.close();
  }
}

export function isYes(answer: string): boolean {
  return /^y(?:es)?$/iu.test(answer);
}

/** Whether a person agrees to what cannot be undone. Throws "cli.unconfirmed" (exit 3) where nobody can be asked: silence is no yes. */
export async function isAgreed(question: string, session: Session): Promise<boolean> {
  if (!isPersonThere()) throw new KnackError("cli.unconfirmed", `${question} Nobody is here to ask; add --yes to say so.`, { exit: 3 });
  return isYes(await askPerson(`${question} [y/N] `, session));
}

/** Approvals by y/N; where nobody can be asked the answer is no. */
export function approverOf(screen: Screen, session: Session, ask: typeof askPerson = askPerson): Approver {
  return async (request, signal) => {
    const target = Object.values(request.args).length > 0 ? ` [${request.tool} ${JSON.stringify(request.args)}]` : "";
    if (!isPersonThere()) {
      const wayOn = request.tool === "browser_open" ? "; allow it with --allow-host" : "";
      screen.note(`No  ${request.reason} (nobody is here to ask${wayOn})`);
      return "deny";
    }
    screen.status(null);
    const always = request.family === undefined ? "" : ` "a" allows for always: ${request.family.words}`;
    const answer = await ask(`${request.reason}${target}${always} [y/N${always === "" ? "" : "/a"}] `, session, signal);
    if (always !== "" && /^a(?:lways)?$/iu.test(answer)) return "always";
    return isYes(answer) ? "allow" : "deny";
  };
}
