import type { Token } from "node-llama-cpp";
import type { Choice } from "#core/ports/index.ts";

/** Choices as a tree of tokens: where a node has one child only, nothing has to be decided. */
export interface ChoiceNode {
  readonly children: Map<Token, ChoiceNode>;
  /** The choice that ends here. */
  choice: Choice | null;
}

/** Choices that are the beginning of another one can never be chosen, so callers end each with something that closes it. */
export function choiceTree(choices: readonly Choice[], tokenize: (text: string) => readonly Token[]): ChoiceNode {
  const root: ChoiceNode = { children: new Map(), choice: null };
  for (const choice of choices) {
    let node = root;
    for (const token of tokenize(choice.text)) {
      const next: ChoiceNode = node.children.get(token) ?? { children: new Map(), choice: null };
      node.children.set(token, next);
      node = next;
    }
    node.choice ??= choice;
  }
  return root;
}

/** Tokens from a node on that leave nothing to decide, and the node they lead to. */
export function forcedRun(from: ChoiceNode): { tokens: Token[]; node: ChoiceNode } {
  const tokens: Token[] = [];
  let node = from;
  while (node.children.size === 1) {
    const [next] = node.children;
    if (!next) break;
    tokens.push(next[0]);
    node = next[1];
  }
  return { tokens, node };
}

/** The node a token leads to. Throws when it is not one of the ways on. */
export function childOf(node: ChoiceNode, token: Token): ChoiceNode {
  const child = node.children.get(token);
  if (!child) throw new RangeError(`token ${token} is no way on from here`);
  return child;
}
