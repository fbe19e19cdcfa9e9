/**
 * Whom the blocks are put together for: the user's own agent, or a child it started. Nothing of a conversation is in it, so that the prefix is the same in
 * all of them.
 */
export interface BlockScope {
  readonly agent: "main" | "child";
}

export const mainScope: BlockScope = Object.freeze({ agent: "main" });
export const childScope: BlockScope = Object.freeze({ agent: "child" });
