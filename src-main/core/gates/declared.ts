import { fold } from "#base/text.ts";
import type { Call, Revision } from "#contract/skills/schema.ts";
import { addressesOf, covers, declaresOrigin, originText, parseOrigin, toolName, vaultEntryOf } from "../envelope/index.ts";
import { preflightRules } from "../skills/index.ts";
import type { Gate, GateContext } from "./context.ts";
import { controlOf } from "./control.ts";
import { allow, refuse, type Verdict } from "./verdict.ts";

/** Tools that act on the page that is open, and so reach its origin. */
const actsOnPage = new Set(["browser_click", "browser_fill", "browser_select", "browser_press", "browser_login", "browser_download"]);

/** While a skill is in charge, its pinned revision declared the action, and all it declares is still granted (SPEC 3.4). */
export const declared: Gate = (call, context) => {
  const skill = context.skillInCharge;
  if (skill === null || isTalk(call.tool)) return allow;
  const coverage = covers(skill.capabilities, context.envelope);
  if (!coverage.covered) return refuse("grant.missing", `This skill needs what is not granted: ${coverage.missing.join(", ")}. It was not used.`);
  const name = toolName(call.tool);
  const primitive = context.tools.get(name)?.primitive ?? null;
  const isDeclared = primitive === null ? namedBy(skill).includes(name) : skill.capabilities.primitives.includes(primitive);
  if (!isDeclared) return undeclared(`the skill in charge does not declare ${primitive ?? call.tool}`);
  const entry = vaultEntryOf(call);
  if (entry !== null && !skill.capabilities.vault.includes(entry)) return undeclared("the skill in charge does not declare that vault entry");
  const page = actsOnPage.has(name) ? [context.page?.url ?? "", ...framesOf(call, context)] : [];
  return declaredAddresses(skill, [
    ...(primitive === "browser" || primitive === "web_fetch" ? addressesOf(call) : []),
    ...page.filter((url) => /^https?:/u.test(url)),
  ]);
};

/** What stands in a frame belongs to the frame's origin: all that a control of this role and name may be. */
function framesOf(call: Call, { page }: GateContext): string[] {
  const control = controlOf(call, page);
  if (control === null || page === null) return [];
  return page.elements.flatMap(({ role, name, frame }) => (frame !== undefined && role === control.role && fold(name) === fold(control.name) ? [frame] : []));
}

/** Tools without a primitive that a revision names: those it requires, and those its own rules ask for. */
function namedBy(skill: Revision): string[] {
  return [...skill.toolsRequired.map(toolName), ...preflightRules(skill.preconditions).map((rule) => rule.tool)];
}

/** Tools that reach nothing and always stay open: to answer, to ask, to leave the skill. */
export function isTalk(tool: string): boolean {
  return ["reply", "ask_user", "skill_leave", "skill_list", "skill_show"].includes(toolName(tool));
}

function declaredAddresses(skill: Revision, addresses: readonly string[]): Verdict {
  for (const address of addresses) {
    const origin = parseOrigin(address);
    if (origin === null || !declaresOrigin(skill.capabilities, origin))
      return undeclared(`the skill in charge does not declare ${origin === null ? "that address" : originText(origin)}`);
  }
  return allow;
}

function undeclared(why: string): Verdict {
  return refuse("skill.undeclared", `Not run: ${why}. Leave the skill to go on without it.`);
}
