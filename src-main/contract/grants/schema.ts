import { z } from "zod";

export const primitiveSchema = z.enum(["browser", "web_fetch", "workspace", "workspace_exec", "notes", "memory"]);
export type Primitive = z.infer<typeof primitiveSchema>;

/** Canonical destination: scheme, host and port compared exactly. Host may be `*.name` (sub-domains only, never the apex). */
export const destinationSchema = z.object({
  scheme: z.enum(["http", "https", "ws", "wss"]),
  host: z.string(),
  port: z.number().int().min(1).max(65535),
  use: z.enum(["navigate", "subresource"]),
  /** The user named this literal address or a host that resolves to a private address. */
  allowPrivate: z.boolean(),
  /** Addresses with a query are refused: what a page may tell such a host ends with the path. */
  noQuery: z.boolean().exactOptional(),
  /** Most bytes that one browser may send there. */
  mostSent: z.number().int().positive().exactOptional(),
});
export type Destination = z.infer<typeof destinationSchema>;

/** What a grant of an address may narrow. */
export const grantLimitsSchema = z.strictObject({
  use: destinationSchema.shape.use.exactOptional(),
  noQuery: z.boolean().exactOptional(),
  mostSent: destinationSchema.shape.mostSent,
});
export type GrantLimits = z.infer<typeof grantLimitsSchema>;

/** Commands that were allowed for always: this program with this deed and these options, whatever other words stand with them. */
export const programFamilySchema = z.object({ program: z.string(), deed: z.string().nullable(), options: z.array(z.string()).readonly() });
export type ProgramFamily = z.infer<typeof programFamilySchema>;

/** One permission the user gave. */
export const grantSchema = z.discriminatedUnion("kind", [
  z.object({ id: z.string(), kind: z.literal("primitive"), primitive: primitiveSchema, createdAt: z.number(), by: z.string() }),
  z.object({ id: z.string(), kind: z.literal("destination"), destination: destinationSchema, createdAt: z.number(), by: z.string() }),
  z.object({ id: z.string(), kind: z.literal("vault"), entry: z.string(), createdAt: z.number(), by: z.string() }),
  z.object({ id: z.string(), kind: z.literal("workspace"), folder: z.string(), createdAt: z.number(), by: z.string() }),
  z.object({ id: z.string(), kind: z.literal("program"), family: programFamilySchema, folder: z.string(), createdAt: z.number(), by: z.string() }),
]);
export type Grant = z.infer<typeof grantSchema>;
