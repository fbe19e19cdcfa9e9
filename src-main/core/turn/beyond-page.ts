import type { Call, Revision } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import { unmetRules } from "../gates/index.ts";
import type { PageView } from "../ports/browser.ts";
import { callTarget, type PreflightRule, preflightRules, skillApplies } from "../skills/index.ts";
import { type OfferBeyond, type RuleGroup, type StepForm, type Tool, toolForm, toolRegistry, toolsForGoal } from "../tools/index.ts";
import { applicable } from "./active-rules.ts";
import { gateContext } from "./gate-context.ts";
import type { Led } from "./led.ts";
import type { Scene } from "./scene.ts";
import { revisionAt } from "./take-skill.ts";

const onPage = new Set(["browser_open", "browser_click", "browser_fill", "browser_select", "browser_press"]);
const talk = new Set(["reply", "ask_user", "skill_leave"]);

/** Whether a step of a routine calls something that is not written from the page and its elements. */
export function isBeyondPage(call: Call): boolean {
  return callTarget(call) === undefined && !onPage.has(toolName(call.tool)) && !talk.has(toolName(call.tool));
}

/** What may be written beyond the tools of the page, of talk, memory and folder; undefined where there is nothing of that, and nothing is held back. */
export function beyondPage(scene: Scene, led: Led, page: PageView | null): OfferBeyond | undefined {
  const { router, gate, grammar } = scene.world.settings().enforcement;
  const skill = formsOfSkill(scene, led);
  const semantic = led.charge === null && !led.hinted && !led.isAdviceDone ? formsFor(spokenOf(scene)) : [];
  const revision = led.charge === null ? null : revisionAt(led.charge, led.due);
  if (!router && !(gate && grammar) && skill.length === 0 && semantic.length === 0) return undefined;
  const groups = ruleGroups(scene, revision);
  const heldBack = gate && grammar ? heldBackBy(groups, scene, revision, page) : new Set<string>();
  const rules = router ? groups : [];
  if (rules.length === 0 && heldBack.size === 0 && skill.length === 0 && semantic.length === 0) return undefined;
  const ruleForms = rules.flatMap((group) => group.asked).flatMap((rule) => formOfRule(scene, rule) ?? []);
  return { skill, semantic, rules, ruleForms: firstOfEach(ruleForms), heldBack };
}

/** Tools that came from elsewhere and share words with the goal, for a free turn. */
export function spokenOf({ world, goal }: Pick<Scene, "world" | "goal">): Tool[] {
  return toolsForGoal(
    [...world.tools.values()].filter((tool) => toolRegistry.get(tool.id) !== tool),
    goal,
  );
}

/** The rules that hold back the call that is due, in words of the call; none where layers are off that would hold it back. */
export function unmetBefore(scene: Scene, call: Call, revision: Revision, page: PageView | null): string[] {
  const { gate, grammar } = scene.world.settings().enforcement;
  if (!gate || !grammar) return [];
  return unmetOf(scene, call, revision, page).map((rule) => (rule.args === null ? rule.tool : rule.rule));
}

interface Group extends RuleGroup {
  readonly asked: readonly PreflightRule[];
}

/** What must come before what in this turn: the rules of the skill in charge guard all it calls, those of other skills the tools they name. */
function ruleGroups(scene: Scene, revision: Revision | null): Group[] {
  const own =
    revision === null || !skillApplies(scene.state, revision.preconditions)
      ? []
      : [
          {
            preconditions: revision.preconditions,
            guards: [...revision.toolsRequired, ...revision.steps.flatMap((step) => (step.call === undefined ? [] : [step.call.tool]))].map(toolName),
          },
        ];
  return [...own, ...applicable(scene).filter(({ skillId }) => skillId !== revision?.skillId)]
    .map(({ preconditions, guards }) => {
      const asked = preflightRules(preconditions);
      const before = asked.map(({ tool }) => tool);
      return { asked, before, actions: guards.filter((tool) => !before.includes(tool) && !talk.has(tool)) };
    })
    .filter(({ before }) => before.length > 0);
}

function heldBackBy(groups: readonly Group[], scene: Scene, revision: Revision | null, page: PageView | null): Set<string> {
  const guarded = new Set(groups.flatMap(({ actions }) => actions));
  // What opening a page leads to, its address says, and not the page that is open.
  return new Set([...guarded].filter((tool) => unmetOf(scene, { tool, args: {} }, revision, tool === "browser_open" ? null : page).length > 0));
}

function unmetOf({ world, turn, state }: Scene, call: Call, skill: Revision | null, page: PageView | null): PreflightRule[] {
  const { id: turnId, episodeId } = turn;
  try {
    return unmetRules(call, gateContext(world, call, { turnId, episodeId, skill, state, page }));
  } catch {
    // The gate refuses what cannot be looked up; nothing is held back on a guess.
    return [];
  }
}

/** Under a skill the call that is due, as it is; at a step that is left to judgement all that the skill requires. */
function formsOfSkill({ world }: Scene, { charge, due }: Led): StepForm[] {
  if (charge === null || due === null) return [];
  if (due.kind === "call" && isBeyondPage(due.call)) {
    const args = Object.entries(due.call.args).map(([name, value]) => [name, { kind: "choice", choices: [textOf(value)] }] as const);
    return [{ tool: toolName(due.call.tool), args }];
  }
  if (due.kind !== "judge") return [];
  const required = charge.revision.toolsRequired.map(toolName).filter((tool) => isBeyondPage({ tool, args: {} }));
  return formsFor(required.flatMap((tool) => world.tools.get(tool) ?? []));
}

function formsFor(tools: readonly Tool[]): StepForm[] {
  return tools.flatMap((tool) => toolForm(tool) ?? []);
}

/** An argument "*" or "<…>" of a rule stands for any value, so it stays as free as the tool's schema has it. */
function formOfRule({ world }: Scene, rule: PreflightRule): StepForm | null {
  const tool = world.tools.get(rule.tool);
  if (tool === undefined) return null;
  const given = Object.fromEntries(Object.entries(rule.args ?? {}).filter(([, value]) => value !== "*" && !/^<[^<>]*>$/u.test(value)));
  return toolForm(tool, given);
}

function firstOfEach(forms: readonly StepForm[]): StepForm[] {
  return forms.filter((form, index) => forms.findIndex(({ tool }) => tool === form.tool) === index);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
