import { access, constants, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { KnackError } from "#contract/errors.ts";
import { isInside } from "./real-path.ts";

/**
 * The file a program is, as an absolute path: a bare name from the folders of programs, one with a folder from the folder that is worked in and from
 * nowhere outside of it by "..". Throws "program.missing" or "program.outside".
 */
export async function findProgram(program: string, folder: string, environment: Readonly<Record<string, string>>): Promise<string> {
  if (/[\\/]/u.test(program)) {
    const path = isAbsolute(program) ? program : resolve(folder, program);
    if (!(await isRunnable(path))) throw missing(program);
    const real = await realpath(path);
    if (!isAbsolute(program) && !isInside(folder, real))
      throw new KnackError("program.outside", `"${program}" leads out of the folder; name it by its whole path.`, { exit: 3 });
    return path;
  }
  const path = Object.entries(environment).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "";
  const endings = process.platform === "win32" ? ["", ...(environment["PATHEXT"] ?? ".EXE").split(";")] : [""];
  for (const place of path.split(delimiter).filter((each) => each !== ""))
    for (const ending of endings) if (await isRunnable(join(place, program + ending))) return join(place, program + ending);
  throw missing(program);
}

async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function missing(program: string): KnackError {
  return new KnackError("program.missing", `There is no program "${program}" that can be started on this machine. Check its name, or install it.`);
}
