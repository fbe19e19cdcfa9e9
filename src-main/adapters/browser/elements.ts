import type { PageElement } from "#core/ports/index.ts";
import type { FieldFact } from "./page-facts.ts";
import { type TreeNode, textOf } from "./tree.ts";

/** One thing that elements stand in, with the texts that name it. Equal ids are the same thing. */
export interface Level {
  readonly id: number;
  readonly texts: readonly string[];
}

/** An element of a page with what is needed to find it again; only its `PageElement` part leaves this room. */
export interface SeenElement extends Omit<PageElement, "context"> {
  readonly ref: string;
  /** What it stands in, nearest first: row, list item, card, group, headings above it, landmark. */
  readonly levels: readonly Level[];
  /** Text of the row, item or card it stands in, else the heading above it. */
  readonly around: string;
  readonly url: string;
  /** Value of a field as it is, line breaks included; "" for secret fields. */
  readonly typed: string;
  readonly type: string;
  /** `name` or `id` of a field as words, "" when it has none. */
  readonly hint: string;
  readonly readOnly: boolean;
  /** Which node of which document it is; "" where that is not known. */
  readonly node: string;
  /** The form it belongs to and where that sends, "" for none. */
  readonly form: string;
}

const CLICKED = new Set(["link", "button", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "checkbox", "radio", "switch", "option", "treeitem"]);
const FILLED = new Set(["textbox", "searchbox", "spinbutton", "slider"]);
const FILLED_TYPES = new Set([
  "text",
  "search",
  "email",
  "tel",
  "url",
  "number",
  "password",
  "date",
  "month",
  "time",
  "week",
  "datetime-local",
  "range",
  "color",
  "",
]);

export interface ActionKind {
  readonly role: string;
  readonly action: PageElement["action"];
}

/** What can be done with a node, null for nothing. */
export function actionOf(node: TreeNode, field: FieldFact | undefined, isSummary: boolean): ActionKind | null {
  if (node.ref === undefined) return null;
  const { role } = node;
  if (field?.tag === "select") return { role: role === "listbox" ? "listbox" : "combobox", action: "select" };
  if (field !== undefined && (role === "combobox" || FILLED.has(role)) && FILLED_TYPES.has(field.type))
    return { role: role === "combobox" ? "combobox" : role, action: "fill" };
  if (field?.tag === "editable") return { role: FILLED.has(role) ? role : "textbox", action: "fill" };
  if (role === "combobox") return { role, action: "click" };
  if (CLICKED.has(role)) return { role, action: "click" };
  if (isSummary) return { role: "button", action: "click" };
  if (role === "generic" && node.cursor === "pointer" && isPlain(node)) return { role: "button", action: "click" };
  return null;
}

/** A pointer-styled box counts as a button only when nothing in it can be acted on and it says something short. */
function isPlain(node: TreeNode): boolean {
  const hasControl = (at: TreeNode): boolean =>
    (at.children ?? []).some(
      (child) => typeof child !== "string" && (CLICKED.has(child.role) || FILLED.has(child.role) || child.role === "combobox" || hasControl(child)),
    );
  const text = textOf(node).trim();
  return text !== "" && text.length <= 80 && !hasControl(node);
}

/** The word for a kind of element in labels. */
export function kindWord(role: string, action: PageElement["action"]): string {
  if (action === "fill") return "field";
  if (action === "select") return "list";
  return role === "menuitem" || role === "menuitemcheckbox" || role === "menuitemradio" ? "menu item" : role;
}

/** Roles of fields that hold what was typed. */
export function isFieldRole(role: string): boolean {
  return role === "textbox" || role === "searchbox" || role === "spinbutton" || role === "slider";
}
