import { isFieldRole } from "./elements.ts";
import type { FieldFact, FrameFacts } from "./page-facts.ts";
import { contentOf, type TreeNode } from "./tree.ts";
import { visibleText } from "./visible-text.ts";

/** What is known of one frame; `ref` is its own in the document around it, "" for the page. */
export interface FactsOfFrame extends FrameFacts {
  readonly ref: string;
}

/** Facts of all frames as one lookup. */
export class Facts {
  readonly fields = new Map<string, FieldFact>();
  readonly unseen = new Set<string>();
  readonly unseenText = new Map<string, readonly string[]>();
  readonly breaks = new Map<string, readonly (readonly [string, string])[]>();
  readonly inline = new Set<string>();
  readonly summaries = new Set<string>();
  readonly closed = new Set<string>();
  readonly reaching = new Map<string, string>();
  readonly paying = new Set<string>();
  readonly nodes = new Map<string, string>();
  readonly forms = new Map<string, string>();
  readonly spans = new Map<string, readonly [columns: number, rows: number]>();
  /** Origin of the document in a frame, by the frame's ref. */
  readonly origins = new Map<string, string>();

  constructor(frames: readonly FactsOfFrame[]) {
    for (const frame of frames) {
      for (const [ref, field] of Object.entries(frame.fields)) this.fields.set(ref, field);
      for (const ref of frame.unseen) this.unseen.add(ref);
      for (const [ref, texts] of Object.entries(frame.unseenText)) this.unseenText.set(ref, texts);
      for (const [ref, sides] of Object.entries(frame.breaks)) this.breaks.set(ref, sides);
      for (const ref of frame.inline) this.inline.add(ref);
      for (const ref of frame.summaries) this.summaries.add(ref);
      for (const ref of frame.closed) this.closed.add(ref);
      for (const [ref, text] of Object.entries(frame.reaching)) this.reaching.set(ref, text);
      for (const ref of frame.paying) this.paying.add(ref);
      for (const [ref, number] of Object.entries(frame.nodes)) this.nodes.set(ref, `${frame.document} ${number}`);
      for (const [ref, form] of Object.entries(frame.forms)) this.forms.set(ref, form);
      for (const [ref, span] of Object.entries(frame.spans)) this.spans.set(ref, span);
      if (frame.ref !== "") this.origins.set(frame.ref, frame.origin);
    }
  }
}

/** Readers of the text under a node that a person can see. */
export function seenTexts(facts: Facts) {
  function shownText(text: string, owner: string | undefined): string {
    let shown = visibleText(text);
    for (const lost of facts.unseenText.get(owner ?? "") ?? []) {
      const cleaned = visibleText(lost);
      if (cleaned !== "") shown = visibleText(shown.replace(cleaned, " "));
    }
    for (const [before, after] of facts.breaks.get(owner ?? "") ?? []) shown = shown.replace(`${before}${after}`, () => `${before} ${after}`);
    return shown;
  }

  /** Text under a node that a person can see. */
  function seenText(node: TreeNode | string, owner?: string): string {
    if (typeof node === "string") return shownText(node, owner);
    const inner = node.ref ?? owner;
    if (node.ref !== undefined && facts.unseen.has(node.ref)) return "";
    const field = node.ref === undefined ? undefined : facts.fields.get(node.ref);
    if (field !== undefined) return visibleText(field.value);
    if (isFieldRole(node.role)) return "";
    const content = contentOf(node);
    return content.length === 0 ? shownText(node.name ?? "", inner) : visibleText(content.map((child) => seenText(child, inner)).join(" "));
  }

  /** Text of a cell without its controls. */
  function cellText(cell: TreeNode | string): string {
    if (typeof cell === "string") return visibleText(cell);
    const strip = (node: TreeNode | string, owner?: string): string => {
      if (typeof node === "string") return shownText(node, owner);
      if (node.role === "button" || isFieldRole(node.role) || node.role === "combobox" || node.role === "checkbox" || node.role === "radio") return "";
      if (node.ref !== undefined && facts.unseen.has(node.ref)) return "";
      const content = contentOf(node);
      return content.length === 0 ? shownText(node.name ?? "", node.ref) : content.map((child) => strip(child, node.ref)).join(" ");
    };
    return visibleText(strip(cell));
  }

  /** Telling texts of a list item: its heading, each text of its own, all of it. */
  function itemTexts(node: TreeNode): string[] {
    const texts: string[] = [];
    const gather = (at: TreeNode): void => {
      for (const child of contentOf(at)) {
        if (typeof child === "string") texts.push(shownText(child, at.ref));
        else if (child.ref !== undefined && facts.unseen.has(child.ref)) continue;
        else if (child.role === "heading") texts.unshift(seenText(child));
        else if (child.role === "button" || isFieldRole(child.role)) continue;
        else if (contentOf(child).length === 0) texts.push(shownText(child.name ?? "", child.ref));
        else gather(child);
      }
    };
    gather(node);
    const kept = texts.filter((text) => text !== "");
    return kept.length > 1 ? [...kept, kept.join(" ")] : kept;
  }

  /** A box of a few short texts beside a control is a card: its texts tell its controls apart. */
  function smallBlockTexts(node: TreeNode): string[] {
    const texts = itemTexts(node);
    const total = texts.reduce((sum, text) => sum + text.length, 0);
    return total <= 400 && texts.length <= 12 ? texts : [];
  }

  return { shownText, seenText, cellText, itemTexts, smallBlockTexts };
}
