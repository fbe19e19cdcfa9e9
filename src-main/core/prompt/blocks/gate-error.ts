import { KnackError } from "#contract/errors.ts";
import { messageOf } from "../../errors.ts";

/**
 * The condition of a block could not be asked. No failure policy absorbs it: under `omit` a block would be gone from every prompt for as long as the mistake
 * lived, and nothing in the prompt would show it.
 */
export class BlockGateError extends KnackError {
  constructor(block: string, cause: unknown) {
    super(
      "block.gate",
      `Whether the block ${block} is to stand in the prompt could not be found out (${messageOf(cause)}). Mend its renderWhen; no turn runs until then.`,
      {
        fields: { block },
        cause,
      },
    );
  }
}
