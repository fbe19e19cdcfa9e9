import type { Command } from "commander";
import { group, leaf } from "../leaf.ts";
import type { Session } from "../session.ts";
import { timeText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

export function addMemory(program: Command, session: Session): void {
  const memory = group(program, "memory", "what Knack knows about you");

  leaf(memory, session, "list", "everything", ({ screen }) =>
    withAgent((agent) => {
      const facts = agent.facts();
      if (screen.json) return screen.show(facts, () => []);
      if (facts.length === 0) return screen.say('Nothing is remembered. Add something with: knack memory add "…"');
      screen.table(
        [{ head: "ID" }, { head: "KIND" }, { head: "SINCE" }, { head: "FACT" }],
        facts.map((fact) => [fact.id, fact.label.toLowerCase(), timeText(fact.createdAt), fact.text]),
      );
    }),
  );

  leaf(memory, session, "add <text>", "remember something", ({ screen, args: [text = ""] }) =>
    withAgent((agent) => {
      const fact = agent.addFact(text);
      screen.show(fact, () => [`remembered ${fact.id}: ${fact.text}`]);
    }),
  );

  leaf(memory, session, "forget <id>", "forget it for good", ({ screen, args: [id = ""] }) =>
    withAgent((agent) => {
      agent.forgetFact(id);
      screen.show({ forgotten: id }, () => [`forgotten ${id}`]);
    }),
  );
}
