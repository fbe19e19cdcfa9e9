import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

export interface Leak {
  /** File, process or output it was found in. */
  readonly where: string;
  /** Which of the values. */
  readonly value: string;
  readonly encoding: string;
}

/** Values by the name they are reported under. */
export type Values = Readonly<Record<string, string>>;

interface Pattern {
  readonly value: string;
  readonly encoding: string;
  readonly bytes: Buffer;
  /** Digits alone: found only where no digit stands beside them, for numbers hold them by chance. */
  readonly isNumber: boolean;
}

const perCharacter = (text: string, each: (code: number, character: string) => string): string =>
  [...text].map((character) => each(character.codePointAt(0) as number, character)).join("");

const names: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  é: "eacute",
  "+": "plus",
  "!": "excl",
  "=": "equals",
  "/": "sol",
};

/** How a value may be written down; each worked out with Node alone, none with the code under test. */
export function spellings(value: string): [string, string][] {
  const utf8 = Buffer.from(value, "utf8");
  const base64 = ([0, 1, 2] as const).map((offset): [string, string] => {
    const encoded = Buffer.concat([Buffer.alloc(offset), utf8])
      .toString("base64")
      .replace(/=+$/u, "");
    // Characters that neighbours decide in part are left off.
    return [`base64 at ${offset}`, encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + utf8.length) * 8) / 6))];
  });
  return [
    ["raw", value],
    ["percent", encodeURIComponent(value)],
    ["percent, every byte", [...utf8].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")],
    ["percent, every byte, capitals", [...utf8].map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`).join("")],
    ["double percent", encodeURIComponent(encodeURIComponent(value))],
    ["form", new URLSearchParams({ v: value }).toString().slice(2)],
    ["JSON", JSON.stringify(value).slice(1, -1)],
    ["JSON in JSON", JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    [
      "\\u",
      value.replace(/[\s\S]/gu, (unit) => [...Array(unit.length).keys()].map((at) => `\\u${unit.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")),
    ],
    ["HTML, named", perCharacter(value, (_, character) => (names[character] ? `&${names[character]};` : character))],
    ["HTML, needed", value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")],
    ["HTML, decimal", perCharacter(value, (code) => `&#${code};`)],
    ["HTML, hexadecimal", perCharacter(value, (code) => `&#x${code.toString(16)};`)],
    ...base64,
    ...base64.map(([name, text]): [string, string] => [name.replace("base64", "base64url"), text.replaceAll("+", "-").replaceAll("/", "_")]),
    ["hexadecimal", utf8.toString("hex")],
    ["hexadecimal, capitals", utf8.toString("hex").toUpperCase()],
    ["reversed", [...value].reverse().join("")],
    ["small letters", value.toLowerCase()],
    ["capitals", value.toUpperCase()],
    ["composed", value.normalize("NFC")],
    ["decomposed", value.normalize("NFD")],
  ];
}

/** Everything a sweep looks for. */
export function patternsOf(values: Values): Pattern[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const isNumber = /^\d+$/u.test(value);
    const seen = new Set<string>();
    return spellings(value).flatMap(([encoding, text]) => {
      // A few characters are found everywhere by chance.
      if (text.length < 5 || seen.has(text)) return [];
      seen.add(text);
      const plain: Pattern = { value: name, encoding, bytes: Buffer.from(text, "utf8"), isNumber: isNumber && /^\d+$/u.test(text) };
      return [plain, { value: name, encoding: `${encoding}, UTF-16`, bytes: Buffer.from(text, "utf16le"), isNumber: false }];
    });
  });
}

/** Looks through texts and bytes, each under the name it is reported by. */
export function sweep(values: Values, outputs: Readonly<Record<string, string | Uint8Array>>): Leak[] {
  const patterns = patternsOf(values);
  return Object.entries(outputs).flatMap(([where, output]) =>
    leaksIn(patterns, where, typeof output === "string" ? Buffer.from(output, "utf8") : Buffer.from(output)),
  );
}

/**
 * Looks through every file under these folders: raw bytes (so database pages that are free, write-ahead logs, logs, leftovers), names of files, and of
 * SQLite files also every stored value, for a long one is spread over several pages. Folders that are not there hold nothing.
 */
export function sweepFolders(values: Values, ...folders: readonly string[]): Leak[] {
  const patterns = patternsOf(values);
  return folders.filter(existsSync).flatMap((folder) => filesUnder(folder).flatMap((file) => leaksInFile(patterns, file)));
}

/** Looks through arguments and environments of these processes and everything they started. Linux only; elsewhere nothing is found. */
export function sweepProcesses(values: Values, ...pids: readonly number[]): Leak[] {
  if (!existsSync("/proc/self/cmdline")) return [];
  const patterns = patternsOf(values);
  return [...withChildren(pids)].flatMap((pid) =>
    ["cmdline", "environ"].flatMap((name) => {
      const bytes = readOrNothing(`/proc/${pid}/${name}`);
      return leaksIn(patterns, `/proc/${pid}/${name}`, bytes);
    }),
  );
}

function leaksIn(patterns: readonly Pattern[], where: string, bytes: Buffer): Leak[] {
  return patterns.filter((pattern) => holds(bytes, pattern)).map(({ value, encoding }) => ({ where, value, encoding }));
}

function holds(bytes: Buffer, { bytes: wanted, isNumber }: Pattern): boolean {
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    if (!isNumber || !(isDigit(bytes[at - 1]) || isDigit(bytes[at + wanted.length]))) return true;
  }
  return false;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

function leaksInFile(patterns: readonly Pattern[], file: string): Leak[] {
  const bytes = readOrNothing(file);
  const rows = bytes.subarray(0, 15).toString("latin1") === "SQLite format 3" ? leaksIn(patterns, `${file}, rows`, rowsOf(file)) : [];
  return [...leaksIn(patterns, `${file}, its name`, Buffer.from(file)), ...leaksIn(patterns, file, bytes), ...rows];
}

function rowsOf(file: string): Buffer {
  // One that its owner has locked is not waited for.
  const database = new Database(file, { readonly: true, timeout: 20 });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL TABLE%'").pluck().all() as string[];
    const values = tables.flatMap((table) =>
      (
        database
          .prepare(`SELECT * FROM "${table.replaceAll('"', '""')}"`)
          .raw()
          .all() as unknown[][]
      )
        .flat()
        .map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${String(value)}\n`))),
    );
    return Buffer.concat(values);
  } catch {
    // In use by its owner, or in need of an extension: its pages were looked through all the same.
    return Buffer.alloc(0);
  } finally {
    database.close();
  }
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** A file or process that went away meanwhile holds nothing. */
function readOrNothing(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function withChildren(pids: readonly number[]): Set<number> {
  const found = new Set(pids);
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map((name): [number, number] => [Number(name), Number(/\) \S (\d+)/u.exec(readOrNothing(`/proc/${name}/stat`).toString("latin1"))?.[1] ?? 0)]);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return found;
}
