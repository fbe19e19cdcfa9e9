import { z } from "zod";
import { badInput } from "#contract/errors.ts";
import type { EntryContent } from "#core/ports/index.ts";

const exportSchema = z.looseObject({ format: z.literal("knack-vault-export"), version: z.number(), entries: z.array(z.unknown()).max(10_000) });
const entrySchema = z.looseObject({ name: z.string(), origins: z.array(z.string()), values: z.record(z.string(), z.string()) });

/** What is read of an entry that was exported; its names and values are still to be checked. */
export type ExportedEntry = Pick<EntryContent, "name" | "origins" | "values">;

/** Every entry with its values, as JSON that people and other programs can read once it is decrypted. */
export function writeExport(contents: readonly EntryContent[]): string {
  const entries = contents.map(({ name, origins, values, createdAt, updatedAt }) => ({
    name,
    origins,
    values,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }));
  return `${JSON.stringify({ format: "knack-vault-export", version: 1, entries }, null, 2)}\n`;
}

/** The entries of an export, and those that are none. Throws bad-input for another text; it never quotes it. */
export function readExport(text: string): { readonly entries: readonly ExportedEntry[]; readonly unread: readonly { name: string; reason: string }[] } {
  const read = exportSchema.safeParse(jsonOf(text));
  if (!read.success) throw badInput('The file opened, but is no export of a vault; expected JSON with "format": "knack-vault-export" and a list of entries');
  if (read.data.version !== 1) throw badInput(`The export is of version ${read.data.version}; this Knack reads version 1`);
  const entries: ExportedEntry[] = [];
  const unread: { name: string; reason: string }[] = [];
  for (const [at, one] of read.data.entries.entries()) {
    const entry = entrySchema.safeParse(one);
    if (entry.success) entries.push({ name: entry.data.name, origins: entry.data.origins, values: entry.data.values });
    else unread.push({ name: `entry ${at + 1}`, reason: "a name, origins and values were expected" });
  }
  return { entries, unread };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
