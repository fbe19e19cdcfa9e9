/** Tokens of the prompts of a turn. */
export interface PrefixUse {
  /** What our engine evaluated. */
  readonly evaluated: number;
  /** What no prompt or answer before had in this place, so that nothing could have been kept of it: the least that must be evaluated. */
  readonly fresh: number;
  /** What would be evaluated if the system prompt were built anew with every turn, and so were another: then only what the turn itself evaluated is still there. */
  readonly reference: number;
  readonly prompts: number;
}

/** Counts what is evaluated, turn by turn, against everything a model was ever given and said. */
export interface PrefixCount {
  prompt(tokens: readonly number[], evaluated: number): void;
  held(tokens: readonly number[]): void;
  /** Ends a turn. */
  end(): PrefixUse;
}

export function prefixCount(): PrefixCount {
  const before: (readonly number[])[] = [];
  let ofTurn: (readonly number[])[] = [];
  let use = { evaluated: 0, fresh: 0, reference: 0, prompts: 0 };
  return {
    prompt(tokens, evaluated) {
      const inTurn = longestShared(ofTurn, tokens);
      use = {
        evaluated: use.evaluated + evaluated,
        fresh: use.fresh + tokens.length - Math.max(inTurn, longestShared(before, tokens)),
        reference: use.reference + tokens.length - inTurn,
        prompts: use.prompts + 1,
      };
      ofTurn.push(tokens);
    },
    held: (tokens) => void ofTurn.push(tokens),
    end() {
      const ended = use;
      before.push(...ofTurn);
      ofTurn = [];
      use = { evaluated: 0, fresh: 0, reference: 0, prompts: 0 };
      return ended;
    },
  };
}

/** Of a prompt's tokens the last is always evaluated: the next one is read off it. */
function longestShared(all: readonly (readonly number[])[], tokens: readonly number[]): number {
  let longest = 0;
  for (const other of all) {
    let length = 0;
    while (length < other.length && length < tokens.length - 1 && other[length] === tokens[length]) length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}
