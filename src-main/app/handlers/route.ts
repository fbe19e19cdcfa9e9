import { ORPCError, ValidationError } from "@orpc/contract";
import { implement } from "@orpc/server";
import type { Agent } from "#app/agent.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import { router } from "#contract/router.ts";
import { toWireError } from "#contract/wire-error.ts";

export interface HandlerContext {
  readonly agent: Agent;
  /** Who is at the page; written into ledgers as the actor. */
  readonly by: string;
}

const implementer = implement(router).$context<HandlerContext>();

/** Where every handler starts: routes of the contract, with the one place at which errors become what the wire carries. */
export const route = implementer.use(async ({ next }) => {
  try {
    const result = await next();
    return isAsyncIterator(result.output) ? { ...result, output: withWireErrors(result.output) } : result;
  } catch (error) {
    throw readable(error);
  }
});

async function* withWireErrors(source: AsyncIterableIterator<unknown>): AsyncGenerator<unknown, unknown> {
  try {
    return yield* source;
  } catch (error) {
    throw readable(error);
  }
}

/** What any error looks like to a page. Stacks stay here; an unexpected error keeps its message, since the page is the user's own. */
function readable(error: unknown): unknown {
  if (error instanceof KnackError) return toWireError(error);
  if (error instanceof ORPCError)
    return error.cause instanceof ValidationError && error.code === "BAD_REQUEST" ? toWireError(refusedInput(error.cause)) : error;
  if (error instanceof Error && error.name === "AbortError") return error;
  return toWireError(new KnackError("internal", error instanceof Error ? error.message : String(error)));
}

/** Names the field and the limit (SPEC 3.2), with every issue in `fields.issues`. */
function refusedInput({ issues }: ValidationError): KnackError {
  const listed = issues.map((issue) => ({ path: pathOf(issue.path), message: issue.message }));
  return badInput(listed.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; "), { issues: listed });
}

function pathOf(path: ValidationError["issues"][number]["path"]): string {
  return (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
}

function isAsyncIterator(value: unknown): value is AsyncIterableIterator<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
