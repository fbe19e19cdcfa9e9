import type { SkillInputs } from "#contract/skills/schema.ts";
import { Facts } from "./facts.tsx";

export function SkillInputsList({ inputs }: { readonly inputs: SkillInputs }) {
  const entries = Object.entries(inputs.properties);
  if (entries.length === 0) return <p>None: it does the same thing every time.</p>;
  return (
    <Facts
      items={entries.map(([name, input]) => [
        name,
        <span key={name}>
          {input.description === "" ? input.kind : `${input.description} (${input.kind})`}
          {input.default !== undefined ? `; “${input.default}” unless you say otherwise` : inputs.required.includes(name) ? "; required" : "; optional"}
          {input.examples.length === 0 ? "" : `; e.g. ${input.examples.slice(0, 3).join(", ")}`}
        </span>,
      ])}
    />
  );
}
