import { fold } from "#base/text.ts";
import type { Call } from "#contract/skills/schema.ts";
import type { PageView } from "../ports/index.ts";
import { isMapping } from "../skills/index.ts";

/** What a call presses, by role and name; role "" when it cannot be told. */
export interface Control {
  readonly role: string;
  readonly name: string;
}

/** Reads a target written as {role, name}, as a label of the page (`button "Pay now"`), or as flat arguments. */
export function controlOf(call: Call, page: PageView | null): Control | null {
  const target = Object.hasOwn(call.args, "target") ? call.args["target"] : call.args;
  if (typeof target === "string") return fromLabel(target, page);
  if (!isMapping(target)) return null;
  const name = text(target, "name") ?? text(target, "label") ?? text(target, "element");
  if (name === undefined) return null;
  const role = text(target, "role");
  return role === undefined ? fromLabel(name, page) : { role, name };
}

function fromLabel(label: string, page: PageView | null): Control {
  const element = page?.elements.find((each) => each.label === label) ?? page?.elements.find((each) => fold(each.name) === fold(label));
  if (element !== undefined) return { role: element.role, name: element.name };
  const written = /^([a-z]+) "?(.*?)"?$/u.exec(label);
  return written !== null && roles.has(written[1] as string) ? { role: written[1] as string, name: written[2] as string } : { role: "", name: label };
}

const roles = new Set([
  "button",
  "link",
  "tab",
  "menuitem",
  "checkbox",
  "radio",
  "option",
  "switch",
  "textbox",
  "combobox",
  "searchbox",
  "listbox",
  "treeitem",
  "cell",
  "row",
  "heading",
  "img",
]);

function text(mapping: Record<string, unknown>, key: string): string | undefined {
  const value = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
