/** Who did something, as a ledger names them: "human:ana" → "ana"; the agent by any of its names is Knack. */
export function formatActor(actor: string): string {
  if (/^(?:knack|agent(?::.*)?)$/u.test(actor)) return "Knack";
  if (actor.startsWith("authored:")) return `the pack “${actor.slice("authored:".length)}”`;
  return actor.replace(/^human:/u, "");
}
