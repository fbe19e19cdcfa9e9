import type { PageElement, PageView } from "../ports/browser.ts";
import { type OfferedEntry, offeredSet, type RuleGroup, toolEntry } from "./offered-set.ts";
import type { ArgumentForm, StepForm } from "./step-choices.ts";

/** What is offered beyond the tools of the page, of talk, memory and folder. */
export interface OfferBeyond {
  /** What the skill in charge calls. */
  readonly skill: readonly StepForm[];
  /** What the goal speaks of. */
  readonly semantic: readonly StepForm[];
  /** What must come before what, with the forms of the tools that rules name. */
  readonly rules: readonly RuleGroup[];
  readonly ruleForms: readonly StepForm[];
  /** Tools whose rules are unmet: they have their place, and cannot be written yet. */
  readonly heldBack: ReadonlySet<string>;
}

export type MemoryTool = "remember" | "recall" | "update_memory" | "forget" | "search_past_conversations";

/** What decides which steps may be written now. */
export interface Offer {
  readonly page: PageView | null;
  /** Elements that must not be touched now: wrong siblings. */
  readonly without: ReadonlySet<PageElement>;
  /** When set, only these may be pressed. */
  readonly only?: readonly PageElement[];
  /** Whether a program may be started in the folder. */
  readonly mayRun?: boolean;
  /** Addresses the user named; with none, no page can be opened. */
  readonly urls: readonly string[];
  /** Whether such an address may be read without a browser as well. */
  readonly mayFetch?: boolean;
  /** Values that may be typed; null leaves the text free. */
  readonly texts: ((element: PageElement) => readonly string[]) | null;
  /** Whether Enter may be pressed: under a routine only where it is due, else it sends forms too early. */
  readonly mayPress: boolean;
  readonly mayReply: boolean;
  readonly mayLeave: boolean;
  readonly mayAct: boolean;
  readonly hasWorkspace: boolean;
  /** Tools of memory, and facts by their text that may be changed or forgotten. Null leaves them out. */
  readonly memory: { readonly tools: readonly MemoryTool[]; readonly known: readonly string[] } | null;
  /** Skills by name where the user speaks of them: all in use, and those that may be changed. Null leaves the tools for skills out. */
  readonly skills: { readonly known: readonly string[]; readonly own: readonly string[] } | null;
  /** Tables and lists that may be read row by row, and fields whose value may be checked beside what else a page shows; null leaves the tool for it out. */
  readonly reading?: { readonly tables: readonly string[] | null; readonly checked: readonly string[] | null } | null;
  readonly beyond?: OfferBeyond;
  /** Logins of the vault that may be filled into this page, by name. */
  readonly logins?: readonly string[];
}

const choice = (choices: readonly string[]): ArgumentForm => ({ kind: "choice", choices });
const text: ArgumentForm = { kind: "text" };

const nothingBeyond: OfferBeyond = { skill: [], semantic: [], rules: [], ruleForms: [], heldBack: new Set() };

/** The forms of the step that may be written now: only tools that may run, only targets that are there, at most eight tools. */
export function offeredForms(offer: Offer): StepForm[] {
  const { skill, semantic, rules, ruleForms, heldBack } = offer.beyond ?? nothingBeyond;
  const core = coreForms(offer);
  const escape = escapeForms(offer);
  const all = [...core, ...escape, ...skill, ...semantic, ...ruleForms];
  const set = offeredSet({
    core: entriesOf(core),
    skill: entriesOf(skill),
    semantic: entriesOf(semantic),
    escape: entriesOf(escape),
    rules,
    named: (tool) => (all.some((form) => form.tool === tool) ? toolEntry({ id: tool }) : null),
  });
  return set.filter(({ name }) => !heldBack.has(name)).flatMap(({ name }) => formsOf(name, [core, escape, skill, semantic, ruleForms]));
}

/** A tool has the forms of the first source that offers it. */
function formsOf(tool: string, sources: readonly (readonly StepForm[])[]): StepForm[] {
  const first = sources.find((forms) => forms.some((form) => form.tool === tool)) ?? [];
  return first.filter((form) => form.tool === tool);
}

function entriesOf(forms: readonly StepForm[]): OfferedEntry[] {
  return [...new Set(forms.map(({ tool }) => tool))].map((id) => toolEntry({ id }));
}

/** To ask, and to leave the skill. */
function escapeForms({ page, urls, mayReply, mayLeave }: Offer): StepForm[] {
  const forms: StepForm[] = [];
  // Where nothing can be done there is nothing to ask for: a small model would hand the question back.
  if (!mayReply || page || urls.length > 0) forms.push({ tool: "ask_user", args: [["question", text]] });
  if (mayLeave) forms.push({ tool: "skill_leave", args: [["reason", text]] });
  return forms;
}

function coreForms(offer: Offer): StepForm[] {
  const forms: StepForm[] = [];
  const { page } = offer;
  if (page && offer.mayAct) {
    const usable = page.elements.filter((element) => !element.disabled && !offer.without.has(element) && (!offer.only || offer.only.includes(element)));
    const clicks = usable.filter((element) => element.action === "click");
    if (clicks.length > 0) forms.push({ tool: "browser_click", args: [["target", choice(clicks.map((element) => element.label))]] });
    forms.push(...loginForms(offer.logins ?? [], usable));
    const fields = usable.filter((element) => element.action === "fill" && !element.secret);
    if (offer.texts === null) {
      if (fields.length > 0)
        forms.push({
          tool: "browser_fill",
          args: [
            ["target", choice(fields.map((element) => element.label))],
            ["text", text],
          ],
        });
    } else {
      for (const field of fields) {
        const texts = offer.texts(field);
        if (texts.length > 0)
          forms.push({
            tool: "browser_fill",
            args: [
              ["target", choice([field.label])],
              ["text", choice(texts)],
            ],
          });
      }
    }
    for (const list of usable.filter((element) => element.action === "select" && element.options.length > 0)) {
      forms.push({
        tool: "browser_select",
        args: [
          ["target", choice([list.label])],
          ["option", choice(list.options)],
        ],
      });
    }
    if (offer.mayPress && fields.some((field) => field.role === "searchbox" || field.value !== ""))
      forms.push({ tool: "browser_press", args: [["key", choice(["Enter"])]] });
  }
  if (page && offer.mayAct && offer.reading) forms.push(...readingForms(offer.reading));
  // Only addresses the user named: a small model asked a plain question would else make one up.
  if (offer.mayAct && !page && offer.urls.length > 0) forms.push({ tool: "browser_open", args: [["url", choice(offer.urls)]] });
  if (offer.mayAct && !page && offer.mayFetch === true && offer.urls.length > 0) forms.push({ tool: "web_fetch", args: [["url", choice(offer.urls)]] });
  if (offer.mayReply) forms.push({ tool: "reply", args: [["text", text]] });
  // Instead of the tools for files and facts, not beside them: few tools at a time.
  if (offer.skills && offer.mayAct && !page) return [...forms, ...skillForms(offer.skills)];
  if (offer.hasWorkspace && offer.mayAct && !page) {
    forms.push(
      { tool: "workspace_list", args: [["path", text]] },
      { tool: "workspace_read", args: [["path", text]] },
      { tool: "workspace_search", args: [["text", text]] },
      ...(offer.mayRun === true ? [{ tool: "workspace_exec", args: [["command", text]] } as const] : []),
    );
  }
  if (offer.memory && !page) forms.push(...memoryForms(offer.memory));
  return forms;
}

/** What is read or checked is enumerated; what is expected is free text. */
function readingForms({ tables, checked }: NonNullable<Offer["reading"]>): StepForm[] {
  const extract: StepForm[] = tables === null ? [] : [{ tool: "browser_extract", args: tables.length > 0 ? [["from", choice(tables)]] : [["about", text]] }];
  if (checked === null) return extract;
  const expects = (...given: StepForm["args"][number][]): StepForm => ({ tool: "browser_expect", args: [...given, ["text", text]] });
  return [
    ...extract,
    expects(["what", choice(["text", "heading", "address"])], ["is", choice(["there", "gone"])]),
    ...(checked.length > 0 ? [expects(["what", choice(["value"])], ["of", choice(checked)])] : []),
    ...((tables ?? []).length > 0 ? [expects(["what", choice(["count"])], ["of", choice(tables ?? [])])] : []),
  ];
}

/** Several fields for a secret: which is meant is part of the step. */
function loginForms(logins: readonly string[], usable: readonly PageElement[]): StepForm[] {
  if (logins.length === 0) return [];
  const secrets = usable.filter((element) => element.action === "fill" && element.secret).map((element) => element.label);
  const which = secrets.length > 1 ? ([["password", choice(secrets)]] as const) : [];
  return [{ tool: "browser_login", args: [["entry", choice(logins)], ...which] }];
}

function memoryForms({ tools, known }: NonNullable<Offer["memory"]>): StepForm[] {
  const which: ArgumentForm = known.length > 0 ? choice(known) : text;
  const forms: Readonly<Record<MemoryTool, StepForm>> = {
    remember: { tool: "remember", args: [["fact", text]] },
    recall: { tool: "recall", args: [["about", text]] },
    update_memory: {
      tool: "update_memory",
      args: [
        ["which", which],
        ["text", text],
      ],
    },
    forget: { tool: "forget", args: [["which", which]] },
    search_past_conversations: { tool: "search_past_conversations", args: [["about", text]] },
  };
  return tools.map((tool) => forms[tool]);
}

function skillForms({ known, own }: NonNullable<Offer["skills"]>): StepForm[] {
  return [
    { tool: "skill_list", args: [] },
    ...(known.length > 0 ? [{ tool: "skill_show", args: [["name", choice(known)]] } as const] : []),
    { tool: "skill_create", args: [["text", text]] },
    ...(own.length > 0
      ? ([
          {
            tool: "skill_modify",
            args: [
              ["name", choice(own)],
              ["change", text],
            ],
          },
          { tool: "skill_remove", args: [["name", choice(own)]] },
        ] as const)
      : []),
  ];
}
