import { fail, ok, type Result } from "#base/result.ts";
import { squash } from "#base/text.ts";
import { type Call, type Check, type RevisionContent, type SkillInput, type SkillStep, valueKindSchema } from "#contract/skills/schema.ts";
import { emptyContent } from "./empty-content.ts";
import { preconditionText, renderBody } from "./render-body.ts";

const repeats = " (repeat until the next target is there)";

/**
 * The content a person meant by editing the text that `renderBody` made of it. What is left as it was keeps every part that the text does not show
 * (examples, state predicates, row of a control); what is changed is read as it is written. Fails with the line that cannot be read.
 */
export function readBody(content: RevisionContent, body: string): Result<RevisionContent> {
  if (body.trim() === renderBody(content).trim()) return ok(content);
  const sections = sectionsOf(body);
  if (!sections.ok) return sections;
  const { title, parts } = sections.value;
  const before = sectionsOf(renderBody(content));
  const was = before.ok ? before.value : { title: "", parts: new Map<string, string[]>() };
  const same = (name: string): boolean => squash((parts.get(name) ?? []).join("\n")) === squash((was.parts.get(name) ?? []).join("\n"));
  const inputs = same("Inputs") ? ok(content.inputs) : readInputs(content, bullets(parts.get("Inputs")));
  if (!inputs.ok) return inputs;
  const steps = readSteps(content, parts.get("Steps") ?? []);
  if (!steps.ok) return steps;
  return ok({
    ...content,
    goal: title === was.title ? content.goal : title,
    whenToUse: same("When to use") ? content.whenToUse : squash((parts.get("When to use") ?? []).join(" ")).replace(/^(\d*)\\/u, "$1"),
    inputs: inputs.value,
    preconditions: bullets(parts.get("Before you start")).map((rule) => content.preconditions.find((known) => preconditionText(known) === rule) ?? rule),
    antiPreconditions: bullets(parts.get("Do not use if")),
    steps: steps.value,
    edgeCases: bullets(parts.get("Edge cases")),
  });
}

const sectionNames = ["When to use", "Inputs", "Before you start", "Do not use if", "Steps", "Edge cases"];

function sectionsOf(body: string): Result<{ title: string; parts: Map<string, string[]> }> {
  let title = "";
  let lines: string[] | undefined;
  const parts = new Map<string, string[]>();
  for (const line of body.split("\n")) {
    const section = /^##\s+(.+?)\s*$/u.exec(line)?.[1];
    if (section !== undefined) {
      const name = sectionNames.find((one) => one.toLowerCase() === section.toLowerCase());
      if (name === undefined) return fail(`"## ${section}" is no part of a skill; the parts are: ${sectionNames.join(", ")}`);
      lines = parts.get(name) ?? [];
      parts.set(name, lines);
    } else if (/^#\s/u.test(line) && lines === undefined) title = squash(line.slice(1));
    else if (line.trim() !== "") {
      if (lines === undefined) return fail(`"${squash(line)}" stands before the first part ("## When to use")`);
      lines.push(line);
    }
  }
  return ok({ title, parts });
}

function bullets(lines: readonly string[] = []): string[] {
  return lines.map((line) => squash(line.replace(/^\s*[-*]\s+/u, ""))).filter((text) => text !== "");
}

function readInputs({ inputs }: RevisionContent, lines: readonly string[]): Result<RevisionContent["inputs"]> {
  const properties: Record<string, SkillInput> = {};
  const required: string[] = [];
  for (const line of lines) {
    const match = /^`([^`]+)` \(([a-z]+), (required|optional)(?:, otherwise '(.*?)')?\)(?:: (.*))?$/u.exec(line);
    const kind = valueKindSchema.safeParse(match?.[2]);
    const name = match?.[1];
    if (!match || name === undefined || !kind.success)
      return fail(
        `Inputs: "${line}" cannot be read; expected - \`name\` (kind, required): what it is, with one of the kinds ${valueKindSchema.options.join(", ")}`,
      );
    const { default: _before, ...known } = (Object.hasOwn(inputs.properties, name) ? inputs.properties[name] : undefined) ?? {
      type: "string" as const,
      kind: kind.data,
      description: "",
      examples: [],
    };
    properties[name] = { ...known, kind: kind.data, description: match[5] ?? "", ...(match[4] === undefined ? {} : { default: match[4] }) };
    if (match[3] === "required") required.push(name);
  }
  return ok({ type: "object", properties, required });
}

interface WrittenStep {
  readonly do: string;
  readonly call: string | undefined;
  readonly check: string;
  readonly onFail: string;
}

function readSteps({ steps }: RevisionContent, lines: readonly string[]): Result<SkillStep[]> {
  const written: { -readonly [K in keyof WrittenStep]: WrittenStep[K] }[] = [];
  for (const line of lines) {
    const head = /^\d+[.)]\s+(.*)$/u.exec(line)?.[1];
    const last = written.at(-1);
    const [, label, rest = ""] = /^\s+[-*]\s+(Call|Check|If it fails):\s*(.*)$/u.exec(line) ?? [];
    if (head !== undefined) written.push({ do: head.trimEnd(), call: undefined, check: "needs judgement", onFail: "stop and report" });
    else if (last === undefined || label === undefined)
      return fail(`Steps: "${squash(line)}" cannot be read; a step is "1. What it does" with "- Call:", "- Check:" and "- If it fails:" below`);
    else if (label === "Call") last.call = squash(rest);
    else if (label === "Check") last.check = squash(rest);
    else last.onFail = squash(rest);
  }
  const left = steps.map((step) => ({ step, text: writtenOf(step) }));
  const read: SkillStep[] = [];
  for (const [index, one] of written.entries()) {
    // The step it was: the first that is left which calls the same, else which says the same.
    const place = left.findIndex(({ text }) => text.call === one.call && (one.call !== undefined || text.do === one.do));
    const at = place >= 0 ? place : left.findIndex(({ text }) => text.do === one.do);
    const base = at < 0 ? undefined : left.splice(0, at + 1).at(-1);
    const step = readStep(one, base, index + 1);
    if (!step.ok) return step;
    read.push(step.value);
  }
  return ok(read);
}

/** A step as the text shows it. */
function writtenOf(step: SkillStep): WrittenStep {
  const body = renderBody({ ...emptyContent, steps: [step] });
  const line = (label: string): string | undefined => new RegExp(`^   - ${label}: (.*)$`, "mu").exec(body)?.[1];
  return {
    do: /^1\. (.*)$/mu.exec(body)?.[1] ?? "",
    call: line("Call"),
    check: line("Check") ?? "",
    onFail: line("If it fails") ?? "",
  };
}

function readStep(written: WrittenStep, base: { readonly step: SkillStep; readonly text: WrittenStep } | undefined, number: number): Result<SkillStep> {
  const isRepeated = written.do.endsWith(repeats);
  const call = written.call === base?.text.call ? ok(base?.step.call) : readCall(written.call, number);
  if (!call.ok) return call;
  const check = written.check === base?.text.check ? base.step.check : readCheck(written.check);
  const onFail = written.onFail === base?.text.onFail ? base.step.onFail : written.onFail;
  return ok({
    do: written.do === base?.text.do ? base.step.do : isRepeated ? written.do.slice(0, -repeats.length) : written.do,
    ...(call.value === undefined ? {} : { call: call.value }),
    ...(check === undefined ? {} : { check }),
    ...(isRepeated ? { repeatUntilNext: true } : {}),
    onFail,
  });
}

function readCall(text: string | undefined, number: number): Result<Call | undefined> {
  if (text === undefined || text === "") return ok(undefined);
  const [, tool, args = ""] = /^`([^`]+)`\s*(.*)$/u.exec(text) ?? [];
  try {
    const parsed: unknown = args === "" ? {} : JSON.parse(args);
    if (tool !== undefined && typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
      return ok({ tool, args: parsed as Record<string, unknown> });
  } catch {
    // said below
  }
  return fail(`Step ${number}: its call "${text}" cannot be read; expected \`tool\` {"name": "value"}`);
}

/** A check as `checkText` writes it; other words are for a person or a model to judge. */
export function readCheck(text: string): Check | undefined {
  if (text === "" || /^needs judgement$/iu.test(text)) return undefined;
  const file = /^a file '(.*?)'(?: with '(.*)' in it)?$/u.exec(text);
  if (file) return { file: { exists: file[1] ?? "", ...(file[2] === undefined ? {} : { contains: file[2] }) } };
  const result = /^(?:result '(.*?)')?(?: and )?(?:a result like '(.*)')?$/u.exec(text);
  if (result && (result[1] !== undefined || result[2] !== undefined))
    return { result: { ...(result[1] === undefined ? {} : { equals: result[1] }), ...(result[2] === undefined ? {} : { matches: result[2] }) } };
  const page = /^(?:heading '(.*?)')?(?: and )?(?:address '(.*?)')?(?: and )?(?:'(.*?)' on the page)?(?: and )?(?:no '(.*)' on the page)?$/u.exec(text);
  if (!page) return { prose: text };
  const [heading, url, said, absent] = page.slice(1);
  return {
    page: {
      ...(heading === undefined ? {} : { heading }),
      ...(url === undefined ? {} : { url }),
      ...(said === undefined ? {} : { text: said }),
      ...(absent === undefined ? {} : { absent }),
    },
  };
}
