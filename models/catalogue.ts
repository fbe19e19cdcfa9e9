import { z } from "zod";
import { badInput } from "#contract/errors.ts";
import { type CatalogueEntry, catalogueEntrySchema } from "#contract/models/schema.ts";
import pinned from "./catalogue.json" with { type: "json" };

/** Every model Knack can fetch, with the one SHA-256 each may have. */
export const catalogue: readonly CatalogueEntry[] = z.array(catalogueEntrySchema).parse(pinned);

/** Throws bad-input naming the ids there are; what is there for tests alone is named to nobody. */
export function catalogueEntry(id: string, among: readonly CatalogueEntry[] = catalogue): CatalogueEntry {
  const entry = among.find((candidate) => candidate.id === id);
  if (entry !== undefined) return entry;
  const offered = among.filter(({ role }) => role !== "test");
  throw badInput(`There is no model "${id}". There are: ${offered.map((candidate) => candidate.id).join(", ")}.`, { model: id });
}
