/** One node of Playwright's accessibility snapshot in "ai" mode; a string is plain text. */
export interface TreeNode {
  readonly role: string;
  readonly name?: string;
  readonly text?: string;
  readonly ref?: string;
  readonly level?: number;
  readonly url?: string;
  readonly placeholder?: string;
  readonly cursor?: string;
  readonly checked?: boolean | "mixed";
  readonly disabled?: boolean;
  readonly expanded?: boolean;
  readonly selected?: boolean;
  readonly pressed?: boolean | "mixed";
  readonly children?: readonly (TreeNode | string)[];
}

/** Content of a node in order, wherever the snapshot put it. */
export function contentOf(node: TreeNode): readonly (TreeNode | string)[] {
  if (node.children !== undefined) return node.children;
  return node.text === undefined ? [] : [node.text];
}

/** All text under a node as one line: names of parts that have no content of their own included. */
export function textOf(node: TreeNode | string): string {
  if (typeof node === "string") return node;
  const content = contentOf(node);
  if (content.length === 0) return node.name ?? "";
  return content.map(textOf).join(" ");
}
