import { delimiter, isAbsolute } from "node:path";
import { isInside } from "./real-path.ts";

/** What a program may know of the environment: where programs are, who the user is, how words and times are written. Everything else is left out. */
const passedOn = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR"],
  ...["SYSTEMROOT", "WINDIR", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "NUMBER_OF_PROCESSORS"],
]);

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * An environment made of the few names above. No tokens, no sockets, no options of runtimes or loaders, no settings of Knack; nothing whose value holds a
 * value of the vault; no folder of programs that is relative or lies in the folder that is worked in, where a program may just have been written.
 */
export function scrubbedEnvironment(from: Environment, folder: string, isSecret: (text: string) => boolean): Record<string, string> {
  const kept = Object.entries(from).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return value !== undefined && (passedOn.has(name.toUpperCase()) || /^LC_[A-Z]+$/u.test(name)) && !isSecret(value);
  });
  const environment = Object.fromEntries(kept.map(([name, value]) => [name, name.toUpperCase() === "PATH" ? safePath(value, folder) : value]));
  return { ...environment, TERM: "dumb", NO_COLOR: "1" };
}

function safePath(path: string, folder: string): string {
  return path
    .split(delimiter)
    .filter((each) => isAbsolute(each) && !isInside(folder, each))
    .join(delimiter);
}
