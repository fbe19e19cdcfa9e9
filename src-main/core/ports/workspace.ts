export interface WorkspaceEntry {
  readonly path: string;
  readonly kind: "file" | "folder";
  readonly bytes: number;
}

/** Files inside one granted folder; paths are relative, "/" separated. Anything that leaves the folder (also by symlink) rejects with KnackError "workspace.outside". */
export interface Workspace {
  readonly folder: string;
  list(path: string, signal: AbortSignal): Promise<WorkspaceEntry[]>;
  /** Text of a file; rejects for binary files and above 1 MB. */
  read(path: string, signal: AbortSignal): Promise<string>;
  write(path: string, text: string, signal: AbortSignal): Promise<void>;
  move(from: string, to: string, signal: AbortSignal): Promise<void>;
  search(text: string, signal: AbortSignal): Promise<{ path: string; line: number; text: string }[]>;
  exists(path: string): Promise<boolean>;
}

export type OpenWorkspace = (folder: string) => Promise<Workspace>;
