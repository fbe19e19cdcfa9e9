import { ORPCError } from "@orpc/contract";
import { z } from "zod";
import { KnackError } from "./errors.ts";

/** What travels beside code and message. */
const wireDataSchema = z.object({
  knack: z.literal(true),
  exit: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  fields: z.record(z.string(), z.unknown()),
});
type WireData = z.infer<typeof wireDataSchema>;

/** HTTP-shaped status by exit code: bad usage 422 (the seed's validation error), refused by a gate 403, anything else 500. */
const STATUS = { 1: 500, 2: 422, 3: 403 } as const;

/** The error as oRPC carries it: `{code, message, fields}`; stack and cause stay in the host. */
export function toWireError(error: KnackError): ORPCError<string, WireData> {
  return new ORPCError(error.code, {
    status: STATUS[error.exit],
    message: error.message,
    data: { knack: true, exit: error.exit, fields: { ...error.fields } },
  });
}

/**
 * The reverse, for the client: whatever a call threw, as the KnackError the host threw.
 * An error from elsewhere (the connection, the adapter) is given the code "connection" or its own code, so a view has one kind to show.
 */
export function fromWireError(error: unknown): KnackError {
  if (error instanceof KnackError) return error;
  if (error instanceof ORPCError) {
    const data = wireDataSchema.safeParse(error.data);
    if (data.success) return new KnackError(error.code, error.message, { exit: data.data.exit, fields: data.data.fields, cause: error });
    return new KnackError(error.code.toLowerCase().replaceAll("_", "-"), error.message, { fields: { status: error.status }, cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new KnackError("connection", message, { cause: error });
}
