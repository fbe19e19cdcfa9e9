import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder, wherever the command was called from. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
