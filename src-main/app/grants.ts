import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { badInput } from "#contract/errors.ts";
import { type Grant, primitiveSchema } from "#contract/grants/schema.ts";
import { entryNameSchema } from "#contract/vault/schema.ts";
import { type GrantReading, parseDestination } from "#core/envelope/index.ts";
import type { GrantStore } from "#core/ports/index.ts";

/** Permissions every new data folder starts with: working in a browser and remembering, but no destination and no folder. */
const firstPrimitives = ["browser", "memory", "workspace"] as const;

export function seedGrants(store: GrantStore, makeId: () => string, now: number): void {
  for (const primitive of firstPrimitives) store.add({ id: makeId(), kind: "primitive", primitive, createdAt: now, by: "default" });
}

/** Reads what the user wants to grant: an address or host, the name of a primitive, or a folder. */
export function readGrant(what: string, by: string, reading: GrantReading, makeId: () => string, now: number): Grant {
  const text = what.trim();
  if (text === "")
    throw badInput(
      "Say what to grant: an address (https://example.org), a folder, a login (login:NAME), or one of browser, web_fetch, workspace, notes, memory.",
    );
  const login = /^(?:login|vault):(.*)$/isu.exec(text)?.[1];
  if (login !== undefined) return loginGrant(login.trim(), by, reading, makeId(), now);
  const primitive = primitiveSchema.safeParse(text);
  const isFolder = isAbsolute(text) || text.startsWith("./") || text.startsWith("../") || text === ".";
  if ((primitive.success || isFolder) && (reading.use !== undefined || reading.noQuery !== undefined || reading.mostSent !== undefined))
    throw badInput(`Only an address can be granted for parts of pages, without queries or for so many bytes; "${text}" is none.`);
  if (primitive.success) return { id: makeId(), kind: "primitive", primitive: primitive.data, createdAt: now, by };
  if (isFolder) {
    let folder: string;
    try {
      folder = realpathSync(resolve(text));
    } catch {
      throw badInput(`There is no folder ${text}`);
    }
    if (!statSync(folder).isDirectory()) throw badInput(`${text} is a file; grant the folder it is in`);
    return { id: makeId(), kind: "workspace", folder, createdAt: now, by };
  }
  const parsed = parseDestination(/^[a-z]+:\/\//iu.test(text) ? text : `https://${text}`, reading);
  if (!parsed.ok) throw badInput(parsed.error.message);
  return { id: makeId(), kind: "destination", destination: parsed.value, createdAt: now, by };
}

/** A login by its name; whether there is one is looked up when it is used, so that granting tells nobody what the vault holds. */
function loginGrant(name: string, by: string, { use, noQuery, mostSent }: GrantReading, id: string, now: number): Grant {
  if (use !== undefined || noQuery !== undefined || mostSent !== undefined) throw badInput(`Only an address can be narrowed; "login:${name}" is none.`);
  const entry = entryNameSchema.safeParse(name);
  if (!entry.success)
    throw badInput(`"${name}" cannot be a login's name: ${entry.error.issues[0]?.message ?? "it is no name"}. Say login:NAME, see: knack vault list`);
  return { id, kind: "vault", entry: entry.data, createdAt: now, by };
}

/** The grant that says the same already, so that none is stored twice. */
export function sameGrant(store: GrantStore, grant: Grant): Grant | undefined {
  const said = (one: Grant): string => JSON.stringify({ ...one, id: "", createdAt: 0, by: "" });
  return store.list().find((other) => said(other) === said(grant));
}
