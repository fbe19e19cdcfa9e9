import { type Command, Option } from "commander";
import type { SkillDetail } from "#app/agent.ts";
import { badInput } from "#contract/errors.ts";
import { type Mode, modeSchema } from "#contract/skills/schema.ts";
import { approverOf } from "../ask-person.ts";
import { collect, leaf } from "../leaf.ts";
import type { Session } from "../session.ts";
import { unlockerAt } from "../unlocked.ts";
import { requireUsable } from "../usable-skill.ts";
import { withAgent } from "../with-agent.ts";
import { handOverHelp, modeHelp, runAsked } from "./ask.ts";

interface RunOptions {
  readonly input?: readonly string[];
  readonly mode?: Mode;
  readonly handOver?: boolean;
  readonly goal?: string;
  readonly confirm?: "yes" | "no";
}

export function addSkillRun(skills: Command, session: Session): void {
  leaf<RunOptions>(skills, session, "run <name>", "do it now", (call) => {
    const { args, options } = call;
    const inputs = inputsOf(options.input ?? []);
    return withAgent(
      (agent) => {
        const detail = agent.skill(args[0] ?? "");
        requireUsable(detail, options.mode, inputs);
        const text = options.goal ?? goalOf(detail, inputs);
        return runAsked(agent, { text, skill: detail.skill.name, inputs, ...(options.mode === undefined ? {} : { mode: options.mode }) }, call);
      },
      { approve: approverOf(call.screen, session), ...unlockerAt(call.screen, session) },
    );
  })
    .option("--input <name=value>", "a value of this run (repeat for more)", collect)
    .option("--goal <text>", "what is wanted, in words; values are read from it")
    .addOption(new Option("--mode <mode>", modeHelp).choices(modeSchema.options))
    .option("--hand-over", handOverHelp)
    .addOption(new Option("--confirm <answer>", "say whether it worked").choices(["yes", "no"]));
}

function inputsOf(given: readonly string[]): Record<string, string> {
  // Entries, not assignments: an input may be called "__proto__", and is then refused like any other the skill does not have.
  const entries = given.map((one) => {
    const at = one.indexOf("=");
    const [name, value] = [one.slice(0, at).trim(), one.slice(at + 1).trim()];
    if (at < 1 || name === "" || value === "") throw badInput(`"${one}" is no input; expected name=value, for example month="April 2026"`);
    return [name, value] as const;
  });
  const twice = entries.find(([name], index) => entries.findIndex(([other]) => other === name) < index)?.[0];
  if (twice !== undefined) throw badInput(`The input "${twice}" is given twice; give it one value`);
  return Object.fromEntries(entries);
}

/** The goal the skill was learned from, with this run's values in the place of that one's. An old value is never used unseen. */
function goalOf({ skill, revision }: SkillDetail, inputs: Readonly<Record<string, string>>): string {
  const missing = revision.inputs.required.filter((name) => inputs[name] === undefined);
  if (missing.length > 0) {
    const wanted = missing.map((name) => `--input ${name}="${revision.inputs.properties[name]?.examples[0] ?? "…"}"`);
    throw badInput(`"${skill.name}" needs a value: ${wanted.join(" ")}; or say it in words with --goal "…"`);
  }
  let text = revision.goal;
  for (const [name, value] of Object.entries(inputs)) {
    const said = mentionOf(text, name, revision.inputs.properties[name]?.examples ?? []);
    text = said === undefined ? `${text} (${name.replaceAll("-", " ")}: ${value})` : text.replace(said, () => value);
  }
  return text;
}

/** Where the goal says a value: as a placeholder, or as it was shown. */
function mentionOf(text: string, name: string, examples: readonly string[]): string | undefined {
  const placeholder = [...text.matchAll(/\{\{([^|}]+)(?:\|[^}]*)?\}\}/gu)].find((match) => match[1] === name)?.[0];
  return placeholder ?? examples.find((example) => example !== "" && text.includes(example));
}
