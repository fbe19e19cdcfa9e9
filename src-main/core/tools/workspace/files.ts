import { z } from "zod";
import { clip, fold } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { defineTool, type ToolContext } from "../define-tool.ts";
import { workspaceExec } from "./exec.ts";

const path = z.string().min(1).max(1000);

function folder(context: ToolContext): Workspace {
  if (!context.workspace) throw new KnackError("workspace.none", "No folder is granted; give one with --workspace DIR or on the Permissions page.");
  return context.workspace;
}

/** Whose words a file's are: not the user's, for files come from anywhere. */
const theFolder = "the granted folder";

/** The file, where it can be seen. */
async function there(context: ToolContext, path: string): Promise<{ path: string }[]> {
  return (await folder(context).exists(path)) ? [{ path }] : [];
}

export const workspaceList = defineTool({
  id: "workspace_list",
  primitive: "workspace",
  description: "workspace_list {path}: files of a folder; . is the granted one",
  args: z.object({ path }),
  async run(args, context) {
    const entries = await folder(context).list(args.path, context.signal);
    const text = entries.map((entry) => (entry.kind === "folder" ? `${entry.path}/` : `${entry.path} (${entry.bytes} bytes)`)).join("\n");
    return { text: text || "The folder is empty.", origin: theFolder, value: text, details: { entries } };
  },
});

export const workspaceRead = defineTool({
  id: "workspace_read",
  primitive: "workspace",
  description: "workspace_read {path}: text of a file",
  args: z.object({ path }),
  async run(args, context) {
    const text = await folder(context).read(args.path, context.signal);
    return { text, origin: theFolder, value: text, files: [{ path: args.path, text }], details: { path: args.path, characters: text.length } };
  },
});

export const workspaceWrite = defineTool({
  id: "workspace_write",
  primitive: "workspace",
  description: "workspace_write {path,text}: write a file",
  args: z.object({ path, text: z.string().max(200_000) }),
  async run(args, context) {
    await folder(context).write(args.path, args.text, context.signal);
    return {
      text: `Wrote ${args.path}.`,
      files: await there(context, args.path),
      value: args.text,
      details: { path: args.path, characters: args.text.length },
    };
  },
});

export const workspaceMove = defineTool({
  id: "workspace_move",
  primitive: "workspace",
  description: "workspace_move {from,to}: move or rename a file",
  args: z.object({ from: path, to: path }),
  async run(args, context) {
    await folder(context).move(args.from, args.to, context.signal);
    return { text: `Moved ${args.from} to ${args.to}.`, files: await there(context, args.to), details: { from: args.from, to: args.to } };
  },
});

export const workspaceSearch = defineTool({
  id: "workspace_search",
  primitive: "workspace",
  description: "workspace_search {text}: lines of the folder's files that hold a text",
  args: z.object({ text: z.string().min(1).max(500) }),
  async run(args, context) {
    const hits = await folder(context).search(args.text, context.signal);
    const text = hits
      .slice(0, 50)
      .map((hit) => `${hit.path}:${hit.line}: ${clip(hit.text, 200)}`)
      .join("\n");
    return { text: text || `No file holds "${args.text}".`, origin: theFolder, value: text, details: { hits: hits.length } };
  },
});

export const workspaceExpect = defineTool({
  id: "workspace_expect",
  primitive: "workspace",
  description: "workspace_expect {path,text}: check that a file exists and holds a text",
  args: z.object({ path, text: z.string().max(1000) }),
  async run(args, context) {
    if (!(await folder(context).exists(args.path))) throw new KnackError("workspace.expectation", `${args.path} does not exist`);
    if (args.text !== "" && !fold(await folder(context).read(args.path, context.signal)).includes(fold(args.text)))
      throw new KnackError("workspace.expectation", `${args.path} does not hold "${args.text}"`);
    return { text: `${args.path} is as expected.`, files: await there(context, args.path), value: args.text, details: { path: args.path, verified: true } };
  },
});

export const workspaceTools = [workspaceExec, workspaceList, workspaceRead, workspaceWrite, workspaceMove, workspaceSearch, workspaceExpect];
