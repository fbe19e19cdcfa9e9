import { kernelText } from "../prompt/index.ts";
import { type Tool, toolRegistry } from "../tools/index.ts";

/** L0 with the tools that are switched on; equal bytes in every turn. */
export function systemText(hasMemory: boolean, hasWorkspace: boolean): string {
  const shown = [
    "reply",
    "ask_user",
    "browser_open",
    "browser_click",
    "browser_fill",
    "browser_select",
    "browser_press",
    ...(hasMemory ? ["remember", "recall"] : []),
    ...(hasWorkspace ? ["workspace_list", "workspace_read", "workspace_write", "workspace_search"] : []),
  ];
  return kernelText(shown.map((id) => toolRegistry.get(id)).filter((tool): tool is Tool => tool !== undefined));
}
