import { words } from "#base/text.ts";
import { toolName } from "../envelope/index.ts";
import { hostsIn, textsIn } from "../skills/index.ts";
import { sourcesOf } from "./composed-address.ts";
import type { Gate } from "./context.ts";
import { hostOf, hostsNamed, type Sources } from "./sources.ts";
import { allow, ask, refuse } from "./verdict.ts";

const keepsSkills = new Set(["skill_create", "skill_modify", "skill_remove"]);
const keepsFacts = new Set(["remember", "update_memory", "forget"]);
/** So many words in a row are shared by chance with nothing. */
const copiedWords = 6;

/**
 * What pages, files and tools said becomes no part of a skill and no memory by itself (INJ-09): a host or a vault entry that only they name is refused, and
 * what the user did not speak of, or what is copied from them, waits for the user's yes.
 */
export const keptWords: Gate = (call, context) => {
  const tool = toolName(call.tool);
  const [isSkill, isFact] = [keepsSkills.has(tool), keepsFacts.has(tool)];
  if (!isSkill && !isFact) return allow;
  const sources = sourcesOf(context);
  if (sources.told.length === 0) return allow;
  const texts = textsIn(call.args);
  if (isSkill) {
    const host = texts.flatMap(hostsOf).find((each) => isOnlyTold(each, sources));
    if (host !== undefined)
      return refuse("taint.destination", `${tool} was not run: only a page or a result named ${host}, and a skill takes no destination from there.`);
    const entry = vaultNames(call.args).find((name) => isIn(name, sources.told) && !isIn(name, sources.user));
    if (entry !== undefined)
      return refuse("taint.vault", `${tool} was not run: only a page or a result named the vault entry, and a skill takes none from there.`);
  }
  if (!(isSkill ? sources.speaksOf.skills : sources.speaksOf.memory))
    return ask(
      `This ${isSkill ? "changes your skills" : "changes what Knack remembers"}, after reading pages or files, and you did not speak of it.`,
      "kept-unasked",
    );
  if (isSkill && texts.some((text) => isCopied(text, sources))) return ask("This keeps words of a page or a file as part of a skill.", "kept-words");
  return allow;
};

function hostsOf(text: string): string[] {
  const host = hostOf(text);
  return host === "" ? hostsIn(text) : [host];
}

/** Named by others, and neither by the user nor by a page that was opened there. */
function isOnlyTold(host: string, { user, goal, visited, told }: Sources): boolean {
  return hostsNamed(told).has(host) && !hostsNamed([...user, goal]).has(host) && !visited.map(hostOf).includes(host);
}

function vaultNames(args: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(args["vault"]) ? args["vault"].filter((name) => typeof name === "string") : [];
}

function isIn(name: string, texts: readonly string[]): boolean {
  const wanted = ` ${words(name).join(" ")} `;
  return texts.some((text) => ` ${words(text).join(" ")} `.includes(wanted));
}

function isCopied(text: string, { user, goal, told }: Sources): boolean {
  const own = runsOf([...user, goal]);
  const others = runsOf(told);
  return runs(text).some((run) => others.has(run) && !own.has(run));
}

function runsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap(runs));
}

function runs(text: string): string[] {
  const all = words(text);
  return all.slice(0, Math.max(0, all.length - copiedWords + 1)).map((_, at) => all.slice(at, at + copiedWords).join(" "));
}
