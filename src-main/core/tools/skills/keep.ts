import { z } from "zod";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Revision, Skill } from "#contract/skills/schema.ts";
import type { SkillKeeper } from "../../ports/skill-keeper.ts";
import { hostsIn } from "../../skills/index.ts";
import { defineTool, type ToolContext } from "../define-tool.ts";

const name = z.string().trim().min(1).max(200);
const names = z.array(z.string().trim().min(1).max(500)).max(20);

function keeper(context: ToolContext): SkillKeeper {
  if (!context.skills) throw new KnackError("skills.off", "Skills cannot be kept in this turn; learning is switched off in Settings.");
  return context.skills;
}

/** Lines of a skill as data: nothing in them can pass for a line of ours. */
function quoted(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `| ${line}`)
    .join("\n");
}

const nameLine = ({ skill, revision }: { readonly skill: Skill; readonly revision: Revision }): string =>
  quoted(`${skill.name}: ${revision.summary} (${skill.status}, by ${revision.author})`);

export const skillCreate = defineTool({
  id: "skill_create",
  primitive: null,
  description: "skill_create {text}: keep a new skill; the first line says what it is for, each further line is one step",
  args: z.object({
    text: z.string().trim().min(1).max(6000),
    name: name.optional(),
    primitives: names.optional(),
    destinations: names.optional(),
    vault: names.optional(),
  }),
  async run(args, context) {
    const [purpose = "", ...steps] = args.text
      .split("\n")
      .map((line) => line.replace(/^\s*(?:[-*]|\d+[.)])\s+/u, "").trim())
      .filter((line) => line !== "");
    if (steps.length === 0) throw badInput("A skill needs its steps: what it is for in the first line, then one step a line.");
    const destinations = args.destinations ?? originsIn(args.text);
    const capabilities = { primitives: args.primitives ?? (destinations.length > 0 ? ["browser"] : []), vault: args.vault ?? [], destinations };
    const made = { purpose, steps, capabilities, ...(args.name === undefined ? {} : { name: args.name }) };
    const skill = await keeper(context).create(made, context.signal);
    return { text: `Kept as the skill "${skill.name}".`, value: skill.name, details: { skillId: skill.id } };
  },
});

/** The sites a text names: what a skill of it declares. */
function originsIn(text: string): string[] {
  const plain = [...text.matchAll(/\bhttp:\/\/[^\s"'<>)]+/giu)].flatMap(([url]) => (URL.canParse(url) ? [new URL(url)] : []));
  return [
    ...new Set([
      ...plain.map(({ origin }) => origin),
      ...hostsIn(text).flatMap((host) => (plain.some((url) => url.hostname === host) ? [] : [`https://${host}`])),
    ]),
  ];
}

export const skillModify = defineTool({
  id: "skill_modify",
  primitive: null,
  description: "skill_modify {name,change}: add one thing to mind to a skill",
  args: z.object({ name, change: z.string().trim().min(1).max(500) }),
  async run(args, context) {
    const revision = await keeper(context).modify(args.name, args.change, context.signal);
    return { text: `"${args.name}" is at revision ${revision.number} now: ${args.change}`, details: { skillId: revision.skillId, revision: revision.number } };
  },
});

export const skillRemove = defineTool({
  id: "skill_remove",
  primitive: null,
  description: "skill_remove {name}: take a skill out of use; it can be brought back",
  args: z.object({ name, reason: z.string().trim().max(500).optional() }),
  async run(args, context) {
    const skill = keeper(context).retire(args.name, args.reason ?? "the user asked for it");
    return { text: `"${skill.name}" is out of use now; the user can bring it back.`, details: { skillId: skill.id } };
  },
});

export const skillList = defineTool({
  id: "skill_list",
  primitive: null,
  description: "skill_list {}: the skills in use",
  args: z.object({}),
  async run(_args, context) {
    const found = keeper(context).list();
    const text = found.map(nameLine).join("\n");
    return { text: text || "No skills are in use.", value: text, details: { skills: found.map(({ skill }) => skill.id) } };
  },
});

export const skillShow = defineTool({
  id: "skill_show",
  primitive: null,
  description: "skill_show {name}: what a skill does, step by step",
  args: z.object({ name }),
  async run(args, context) {
    const found = keeper(context).show(args.name);
    const text = `${nameLine(found)}\n${quoted(found.revision.body)}`;
    return { text, value: found.revision.body, details: { skillId: found.skill.id } };
  },
});

export const skillTools = [skillCreate, skillModify, skillRemove, skillList, skillShow];
