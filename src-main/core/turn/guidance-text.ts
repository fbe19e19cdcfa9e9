import { clip, squash } from "#base/text.ts";
import type { Call, SkillInputs } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import type { DownloadedFile, PageElement, PageView } from "../ports/browser.ts";
import { contributionText, inertText } from "../prompt/index.ts";
import { type Absent, type Bindings, fillKnown, type Guidance } from "../replay/index.ts";
import { preflightRules, renderAdvisory, skillApplies } from "../skills/index.ts";
import { chosenIn, renderValue, withoutUrls } from "../skills/values/index.ts";
import type { Tool } from "../tools/index.ts";
import { abilityLine } from "./ability-line.ts";
import { isBeyondPage, spokenOf, unmetBefore } from "./beyond-page.ts";
import type { Led } from "./led.ts";
import { memorySpokenOf, memoryToolsText } from "./memory-talk.ts";
import { grantedLogins } from "./offered-logins.ts";
import { pageSpokenOf, pageToolsText } from "./page-talk.ts";
import { languageLine, recalledText } from "./recalled-text.ts";
import type { Scene } from "./scene.ts";
import { skillsSpokenOf, skillToolsText } from "./skill-talk.ts";
import { kernelTools, rulesTold } from "./system-text.ts";
import { type Charge, revisionAt } from "./take-skill.ts";

/**
 * The newest message of the user, with the routine's guidance when a skill is in charge. It is kept in the history as it is.
 * @param blocks the blocks of L2; "" for none
 */
export function openingText(scene: Scene, charge: Charge | null, blocks: string): string {
  const parts = [scene.input.text];
  if (scene.input.hint && !charge) parts.push(`The user's advice: ${scene.input.hint}`);
  if (skillsSpokenOf({ ...scene, charge })) parts.push(skillToolsText());
  const memoryTools = charge ? "" : memoryToolsText(memorySpokenOf(scene));
  if (memoryTools !== "") parts.push(memoryTools);
  const pageTools = charge || scene.input.hint ? "" : pageToolsText(pageSpokenOf(scene));
  if (pageTools !== "") parts.push(pageTools);
  if (charge) {
    // Whether the rules apply is asked before they are shown: one about other accounts would only mislead.
    const applies = skillApplies(scene.state, charge.revision.preconditions);
    const body = renderAdvisory(applies ? charge.revision : { ...charge.revision, preconditions: [] }, charge.binding.values, charge.caveat, {
      renderValue: (value, kind, form) => renderValue(value, kind, form) ?? value,
    });
    parts.push(`<<${scene.desk.marker}\n${inertText(body, scene.desk.marker)}\n${scene.desk.marker}>>`);
  }
  const { contributions } = scene.world.settings().enforcement;
  const known = { ...scene, charge };
  return [
    ...parts,
    ...furtherTools(scene, charge),
    recalledText(known),
    ...(charge ? [] : [abilityLine(scene.input.text), languageLine(scene.input.text)]),
    blocks,
    ...(contributions ? [contributionText(scene.world.contributions(), "volatile")] : []),
  ]
    .filter((text, index) => index === 0 || text !== "")
    .join("\n");
}

/** Tools that only this turn offers are told of in it: the kernel stays as it is. */
function furtherTools(scene: Scene, charge: Charge | null): string[] {
  const { world } = scene;
  const { router } = world.settings().enforcement;
  const named = (tools: readonly string[]): Tool[] => tools.flatMap((tool) => world.tools.get(toolName(tool)) ?? []);
  const asked = charge !== null && router ? preflightRules(charge.revision.preconditions).map(({ tool }) => tool) : [];
  const called = charge === null ? [] : charge.revision.steps.flatMap(({ call }) => (call !== undefined && isBeyondPage(call) ? [call.tool] : []));
  const logins = charge === null ? grantedLogins(world) : [];
  const further = charge === null ? [...spokenOf(scene), ...(logins.length === 0 ? [] : named(["browser_login"]))] : named([...asked, ...called]);
  if (further.length === 0) return [];
  const told = kernelTools(world.tools, true, true, router ? rulesTold(scene) : []);
  const lines = [...new Set(further)].filter((tool) => !told.includes(tool)).map(({ description }) => `- ${description}`);
  return lines.length === 0 ? [] : ["Tools for this as well:", ...lines, ...(logins.length === 0 ? [] : [`Logins: ${logins.join(", ")}`])];
}

/** What is to be done next, in a line of the newest turn; empty when nothing leads. */
export function guidanceText(scene: Scene, { charge, due, bindings, hinted, isAdviceDone }: Led): string {
  if (charge && due && bindings) {
    const of = charge.revision.steps.length;
    switch (due.kind) {
      case "call": {
        const page = scene.desk.episodeId === scene.turn.episodeId ? scene.desk.page : null;
        const first = unmetBefore(scene, due.call, revisionAt(charge, due), page);
        const next = `step ${due.at + 1} of ${of}: ${callText(due.call, due.element)}`;
        return first.length === 0 ? `Next, ${next}` : `First call ${first.join(", then ")}. After that, ${next}`;
      }
      case "judge":
        return `Step ${due.at + 1} of ${of}: ${squash(fillKnown(due.step.do, bindings))}. The question is: ${scene.goal}`;
      case "search":
        return due.ways.length > 0
          ? `Step ${due.at + 1} of ${of} needs ${due.wanted}, which is not on this page. Look further: ${due.ways.map((way) => way.label).join(", ")}`
          : `Step ${due.at + 1} of ${of} needs ${due.wanted}, which is not on this page. Look for a way to it, or ask the user.`;
      default:
        return `All steps are done. Tell the user what was done, with reply. It was asked: ${scene.goal}`;
    }
  }
  if (hinted) return `By the advice, next: ${adviceText(hinted, scene.goal)}`;
  if (isAdviceDone) return `The advice has been followed. Tell the user, with reply. It was asked: ${scene.goal}`;
  return "";
}

function adviceText({ action, label, options }: PageElement, goal: string): string {
  if (action === "click") return `press ${label}`;
  if (action === "fill") return `fill ${label}`;
  const wanted = chosenIn(withoutUrls(goal), options);
  return wanted === undefined ? `choose in ${label}` : `in ${label} choose ${wanted}`;
}

function callText(call: Call, element: PageElement | undefined): string {
  switch (call.tool) {
    case "browser_open":
      return `open ${String(call.args.url)}`;
    case "browser_fill":
      return `fill ${element?.label ?? ""} with ${String(call.args.text)}`;
    case "browser_select":
      return `in ${element?.label ?? ""} choose ${String(call.args.option)}`;
    case "browser_press":
      return `press the key ${String(call.args.key)}`;
    default:
      return isBeyondPage(call) ? `use ${call.tool} ${JSON.stringify(call.args)}` : `press ${element?.label ?? ""}`;
  }
}

const linesAround = 2;
const mostLines = 12;

/**
 * The part of a page a known step needs: its headings and what stands around the target. The rest is only read where something is to be
 * decided. Measured on a procedure of 12 steps: 3,700 tokens with whole pages of up to 24 lines, see README.
 */
export function excerpt(page: PageView, label: string): PageView {
  const lines = page.text.split("\n");
  if (lines.length <= mostLines) return page;
  const at = label === "" ? 0 : lines.findIndex((line) => line.includes(`[${label}`));
  const kept = lines.filter((line, index) => line.startsWith("#") || Math.abs(index - Math.max(0, at)) <= linesAround);
  return { ...page, text: kept.slice(0, mostLines).join("\n"), truncated: true };
}

/** What a search that came to nothing finds: what was wanted, and where it ended. */
export function missedText({ wanted }: Extract<Guidance, { kind: "search" }>, page: PageView | null): string {
  return `expected ${wanted}, saw ${clip(squash(page?.heading || page?.url || "no page"), 120)}`;
}

/** Said when the search for a target came to nothing; its siblings are named so that one sees why. */
export function notFoundText(due: Extract<Guidance, { kind: "search" }>): string {
  const others = due.siblings
    .slice(0, 3)
    .map((element) => clip(squash(element.name), 90))
    .join(", ");
  return `I could not find ${due.wanted}.${others === "" ? "" : ` I saw ${others}, and left them alone.`}`;
}

/** What a search finds that met others of the kind, but not what was asked for. */
export function absentText({ asked }: Absent): string {
  return `${clip(squash(asked), 120)} is not there`;
}

const mostNamed = 12;

/** The same for a person, with the names that are there to choose from. */
export function absentAnswer(due: Extract<Guidance, { kind: "search" }>, absent: Absent): string {
  const names = absent.there.slice(0, mostNamed).map((name) => clip(name, 90));
  const more = absent.there.length > names.length ? ` and ${absent.there.length - names.length} more` : "";
  return `${absentText(absent)}: I looked wherever there was a way on, and could not find ${due.wanted}. There is: ${names.join("; ")}${more}. I left them alone; say which one you mean instead.`;
}

/** Asked where the goal says nothing of what the routine needs. */
export function missingText(name: string, { properties }: SkillInputs, missing: readonly string[]): string {
  const wanted = missing.map((input) => {
    const { description = "", examples = [] } = properties[input] ?? {};
    const called = description || input.replaceAll("-", " ");
    return examples[0] ? `${called} (for example ${examples[0]})` : called;
  });
  return `I know how to do this ("${name}"), but you did not say the ${wanted.join(" and the ")}. Which one?`;
}

/** Asked where several things fit alike. */
export function whichText({ wanted, among }: Extract<Guidance, { kind: "several" }>): string {
  const seen = among.slice(0, 6).map(({ name, within, context }) => {
    const row = (context || within).replaceAll(" | ", ", ");
    return clip(squash(row === "" || row === name ? name : `${name} (${row})`), 90);
  });
  const offered = `${[...new Set(seen)].join("; ")}${among.length > 6 ? " and more" : ""}`;
  // "link …": the goal says nothing of which.
  if (/^\S+ …$/u.test(wanted)) return `Which ${wanted.replace(" …", "")} do you mean: ${offered}?`;
  return `Several fit ${wanted}: ${offered}. Which one do you mean?`;
}

/** The reply of a run without a model. */
export function doneText(charge: Charge, bindings: Bindings, downloads: readonly DownloadedFile[]): string {
  const files = downloads.map((file) => file.name).join(", ");
  const values = Object.entries(bindings.values).map(
    ([name, value]) => `${name.replaceAll("-", " ")}: ${renderValue(value, bindings.inputs.properties[name]?.kind ?? "text") ?? value}`,
  );
  return `Done with "${charge.skill.name}"${values.length > 0 ? ` (${values.join(", ")})` : ""}.${files === "" ? "" : ` Downloaded ${files}.`}`;
}
