import type { SkillStore } from "../ports/stores.ts";
import { type Contribution, contributionText, kernelText, preflightBlock } from "../prompt/index.ts";
import { preflightRules } from "../skills/index.ts";
import { offeredSet, type Tool, toolEntry, toolRegistry } from "../tools/index.ts";
import { applicable, keyOfRules, type SkillRules } from "./active-rules.ts";
import { mayFetch, mayRun } from "./make-offer.ts";
import type { Scene } from "./scene.ts";

/**
 * L0 with the tools that are switched on, then L1: equal bytes as long as blocks, skills with rules, packs and settings are the same.
 * @param blocks the blocks of L1; "" for none
 */
export function systemText(scene: Pick<Scene, "world" | "state">, hasWorkspace: boolean, blocks: string): string {
  const { world } = scene;
  const { enforcement, memory } = world.settings();
  const rules = rulesTold(scene);
  const kernel = kernelText(kernelTools(world.tools, memory, hasWorkspace, enforcement.router ? rules : [], mayFetch(world), hasWorkspace && mayRun(world)));
  const imperative = enforcement.imperative ? blockOf(world.stores.skills, rules, world.tools) : "";
  const contributions = enforcement.contributions ? world.contributions() : [];
  sayReserved(world.log, contributions);
  return [kernel, blocks, imperative, contributionText(contributions, "cached")].filter((text) => text !== "").join("\n");
}

/** Rules that the prompt speaks of. With skills switched off it reads as if there were none; the gate still holds (SPEC 4, "off means off"). */
export function rulesTold(scene: Pick<Scene, "world" | "state">): SkillRules[] {
  const { enforcement, learning } = scene.world.settings();
  return learning && (enforcement.router || enforcement.imperative) ? applicable(scene) : [];
}

/** The tools of the kernel: the usual ones, and what active rules name, ahead of what it guards. */
export function kernelTools(
  tools: ReadonlyMap<string, Tool>,
  hasMemory: boolean,
  hasWorkspace: boolean,
  rules: readonly SkillRules[],
  hasFetch = false,
  hasPrograms = false,
): Tool[] {
  const usual = [
    "reply",
    "ask_user",
    "browser_open",
    "browser_click",
    "browser_fill",
    "browser_select",
    "browser_press",
    ...(hasFetch ? ["web_fetch"] : []),
    ...(hasMemory ? ["remember", "recall"] : []),
    ...(hasWorkspace ? ["workspace_list", "workspace_read", "workspace_write", "workspace_search"] : []),
    ...(hasPrograms ? ["workspace_exec"] : []),
  ];
  const entry = (id: string) => {
    const tool = tools.get(id);
    return tool === undefined ? null : toolEntry(tool);
  };
  const groups = rules.map(({ preconditions, guards }) => {
    const before = preflightRules(preconditions).map(({ tool }) => tool);
    return { before, actions: guards.filter((tool) => !before.includes(tool)) };
  });
  // What is built in and not among the usual ones is offered by a routine's step, not by being guarded.
  const guarded = groups.flatMap(({ actions }) => actions).filter((id) => toolRegistry.get(id) !== tools.get(id));
  const set = offeredSet(
    {
      core: usual.flatMap((id) => entry(id) ?? []),
      skill: guarded.flatMap((id) => entry(id) ?? []),
      semantic: [],
      escape: [],
      rules: groups,
      named: entry,
    },
    Number.POSITIVE_INFINITY,
  );
  return set.flatMap(({ name }) => tools.get(name) ?? []);
}

const blocks = new WeakMap<SkillStore, { readonly key: string; readonly tools: ReadonlyMap<string, Tool>; readonly text: string }>();

function blockOf(skills: SkillStore, rules: readonly SkillRules[], tools: ReadonlyMap<string, Tool>): string {
  const key = keyOfRules(rules);
  const there = blocks.get(skills);
  if (there?.key === key && there.tools === tools) return there.text;
  const text = preflightBlock(rules, (name) => tools.has(name));
  blocks.set(skills, { key, tools, text });
  return text;
}

const said = new WeakMap<object, Set<string>>();

/** A text of a pack for the kernel is accepted, has no effect, and is told of once. */
function sayReserved(log: Scene["world"]["log"], contributions: readonly Contribution[]): void {
  for (const { source, position, text } of contributions) {
    if (position !== "kernel") continue;
    const before = said.get(log) ?? new Set<string>();
    said.set(log, before);
    if (before.has(`${source}\n${text}`)) continue;
    before.add(`${source}\n${text}`);
    log.warn("contribution-reserved", { source, position, characters: text.length });
  }
}
