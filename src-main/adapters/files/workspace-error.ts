import { KnackError } from "#contract/errors.ts";

const sayings: Readonly<Record<string, { readonly code: string; readonly say: (path: string) => string }>> = {
  ENOENT: { code: "workspace.missing", say: (path) => `There is no "${path}" in the workspace. List the folder to see what there is.` },
  ENOTDIR: { code: "workspace.not-folder", say: (path) => `"${path}" goes through something that is not a folder.` },
  EISDIR: { code: "workspace.not-file", say: (path) => `"${path}" is a folder, not a file.` },
  EACCES: { code: "workspace.denied", say: (path) => `The system does not let Knack use "${path}". Change its rights, or choose another file.` },
  EPERM: { code: "workspace.denied", say: (path) => `The system does not let Knack use "${path}". Change its rights, or choose another file.` },
  EROFS: { code: "workspace.denied", say: (path) => `"${path}" is on a disk that cannot be written.` },
  ENOSPC: { code: "workspace.full", say: (path) => `The disk is full; "${path}" was not written. Make room, then try again.` },
  EDQUOT: { code: "workspace.full", say: (path) => `The disk quota is used up; "${path}" was not written. Make room, then try again.` },
  ENAMETOOLONG: { code: "workspace.bad-path", say: () => "The path is too long. Use shorter names." },
  EINVAL: { code: "workspace.bad-path", say: (path) => `The system refuses "${path}" here; a folder cannot be moved into itself.` },
  ENOTEMPTY: { code: "workspace.exists", say: (path) => `"${path}" exists already. Choose another name.` },
  EEXIST: { code: "workspace.exists", say: (path) => `"${path}" exists already. Choose another name.` },
};

export function outside(path: string, why: string): KnackError {
  return new KnackError("workspace.outside", `"${path}" leaves the workspace (${why}). Use a path inside it, relative, with "/" between folders.`, {
    exit: 3,
    fields: { path },
  });
}

/** What the file system raised about a path, as an error a person and the model can read. An abort stays what it is. */
export function workspaceError(error: unknown, path: string): unknown {
  if (error instanceof KnackError || !(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  if (error.code === "ELOOP") return outside(path, "its links go in a circle or changed meanwhile");
  const saying = sayings[error.code];
  if (saying === undefined)
    return error.name === "AbortError"
      ? error
      : new KnackError("workspace.failed", `"${path}" could not be used (${error.message}).`, { fields: { path }, cause: error });
  return new KnackError(saying.code, saying.say(path), { fields: { path }, cause: error });
}
