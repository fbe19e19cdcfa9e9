import { z } from "zod";
import { clip } from "#base/text.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import { parseCommand, programName } from "../../envelope/index.ts";
import { defineTool } from "../define-tool.ts";

const longestTail = 3000;

/**
 * Starts one program in the granted folder, once the user said yes (SPEC 3.4). What it writes is data. Throws "program.failed" with its output where it does
 * not end well.
 */
export const workspaceExec = defineTool({
  id: "workspace_exec",
  primitive: "workspace_exec",
  description: "workspace_exec {command}: start one program in the granted folder, without a shell; the user is asked each time",
  args: z.object({ command: z.string().trim().min(1).max(4000) }),
  async run(args, { programs, workspace, signal }) {
    if (!workspace || !programs) throw new KnackError("workspace.none", "No folder is granted; give one with --workspace DIR or on the Permissions page.");
    const command = parseCommand(args.command);
    if (!command.ok) throw badInput(command.error, { field: "command" });
    const { exitCode, stopped, output, milliseconds } = await programs({ ...command.value, folder: workspace.folder }, signal);
    const name = programName(command.value.program);
    const details = { program: command.value.program, arguments: command.value.args, folder: workspace.folder, exitCode, stopped, milliseconds };
    if (exitCode !== 0) {
      const how = { time: "was stopped, because it took too long", output: "was stopped, because it wrote too much", signal: "was ended by a signal" };
      const end = stopped === null ? `ended with code ${exitCode}` : how[stopped];
      // What went wrong is said last.
      const tail = output.length <= longestTail ? output : `…${output.slice(-longestTail)}`;
      throw new KnackError("program.failed", `${name} ${end}.${tail.trim() === "" ? " It wrote nothing." : ` It wrote:\n${tail.trim()}`}`, { fields: details });
    }
    const said = `Done in ${(milliseconds / 1000).toFixed(1)} s.`;
    return {
      said,
      text: `${said} ${output.trim() === "" ? "It wrote nothing." : output.trim()}`,
      origin: `the program ${clip(name, 64)}`,
      value: output.trim(),
      details,
    };
  },
});
