const isMac = () => /Mac/u.test(navigator.userAgent);

/** "Mod+Shift+C" as the keyboard at hand names it. */
export function keyText(keys: string): string {
  return keys
    .split("+")
    .map((key) => (key === "Mod" ? (isMac() ? "⌘" : "Ctrl") : key === "Escape" ? "Esc" : key))
    .join(isMac() ? " " : "+");
}

/** Whether a key press is this key combination, and no other modifier is held. */
export function matchesKeys(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const wantsMod = parts.includes("Mod");
  const isMod = isMac() ? event.metaKey : event.ctrlKey;
  const isOther = isMac() ? event.ctrlKey : event.metaKey;
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    isMod === wantsMod &&
    !isOther &&
    event.shiftKey === parts.includes("Shift") &&
    event.altKey === parts.includes("Alt")
  );
}
