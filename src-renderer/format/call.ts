/** `link "Billing"`, `"May"`, `3`: one argument of a call as a person reads it. */
export function formatArgument(value: unknown): string {
  if (typeof value === "string") return `“${value}”`;
  if (typeof value === "object" && value !== null && "role" in value && "name" in value) {
    const within = "within" in value && typeof value.within === "string" && value.within !== "" ? ` in “${value.within}”` : "";
    return `${String(value.role)} “${String(value.name)}”${within}`;
  }
  return JSON.stringify(value) ?? "";
}

/** The arguments of a call on one line. A target needs no name; `role` and `name` beside each other are one. */
export function formatArguments(args: Readonly<Record<string, unknown>>): string {
  const { role, name, within, target, ...others } = args;
  const place = target ?? (typeof role === "string" && typeof name === "string" ? { role, name, within } : undefined);
  const rest = target === undefined && place === undefined ? args : target === undefined ? others : { ...others, role, name, within };
  const parts = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([key, value], _at, all) => (all.length === 1 && place === undefined ? formatArgument(value) : `${key}: ${formatArgument(value)}`));
  return [...(place === undefined ? [] : [formatArgument(place)]), ...parts].join(", ");
}

/** "browser_click" → "browser click"; ids keep their kind out of sight. */
export function formatTool(tool: string): string {
  return tool.replace(/^tool:/u, "").replaceAll("_", " ");
}
