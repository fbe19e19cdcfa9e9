import { z } from "zod";

/** What spoke to the network: the browser of a conversation or of a showing, a page read without one, or Knack itself for a model. */
export const contactMeansSchema = z.enum(["browser", "showing", "web_fetch", "models"]);
export type ContactMeans = z.infer<typeof contactMeansSchema>;

/** One address something talked to, or was kept from talking to. Never a path, a query or user info. */
export const contactSchema = z.object({
  id: z.string(),
  at: z.number(),
  /** When the connection was over; null while it is open, and for one that was cut off with the process. */
  endedAt: z.number().nullable(),
  means: contactMeansSchema,
  allowed: z.boolean(),
  /** "ok", "dial.failed" for what was allowed and not reached, else the typed reason of the refusal. */
  code: z.string(),
  /** "" where what was asked for could not be read; then there is no host either. */
  scheme: z.enum(["http", "https", "ws", "wss", ""]),
  host: z.string(),
  port: z.number().int(),
  /** Every address the name led to. */
  resolved: z.array(z.string()).readonly(),
  /** The address that was dialled, "" when none. */
  address: z.string(),
  /** The grant that allowed it, as a person reads it; null for a refusal. */
  grant: z.string().nullable(),
  /** The permission's id, while it is kept. */
  grantId: z.string().nullable(),
  conversationId: z.string().nullable(),
  turnId: z.string().nullable(),
  sent: z.number(),
  received: z.number(),
  /** How often in a row; equal refusals within a minute are one. */
  times: z.number().int().positive(),
});
export type Contact = z.infer<typeof contactSchema>;

/** Which contacts; all of it holds. */
export const contactQuerySchema = z.strictObject({
  /** Only hosts that contain this text. */
  host: z.string().trim().min(1).max(253).exactOptional(),
  conversationId: z.string().min(1).max(64).exactOptional(),
  refused: z.boolean().exactOptional(),
  /** The `next` of the page before. */
  before: z.number().int().positive().exactOptional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export type ContactQuery = z.infer<typeof contactQuerySchema>;

/** Newest first. */
export const contactPageSchema = z.object({
  contacts: z.array(contactSchema),
  /** What to ask for the page after this one; null where this is the last. */
  next: z.number().int().nullable(),
});
export type ContactPage = z.infer<typeof contactPageSchema>;
