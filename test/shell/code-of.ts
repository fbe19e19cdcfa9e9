import { KnackError } from "#contract/errors.ts";

/** The code of the KnackError that the work ends with; null when it ends well. */
export async function codeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof KnackError) return error.code;
    throw error;
  }
}
