import type { Command } from "commander";
import type { Proposal } from "#contract/skills/schema.ts";
import { leaf } from "../leaf.ts";
import type { Session } from "../session.ts";
import { timeText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

/** Revisions that wait for a yes. */
export function addProposals(skills: Command, session: Session): void {
  leaf<{ all?: boolean; skill?: string }>(skills, session, "proposals", "changes that wait for your yes", ({ screen, options }) =>
    withAgent((agent) => {
      const found = agent.proposals(options.all === true, options.skill);
      if (screen.json) return screen.show(found, () => []);
      for (const alert of agent
        .alerts(false)
        .filter(({ kind, skillId }) => kind === "review" && (options.skill === undefined || skillId === agent.skill(options.skill).skill.id)))
        screen.say(`${alert.title}. Take it with: knack alerts resolve ${alert.id} --action accept   Leave it with: --action decline`);
      if (found.length === 0) return screen.say(options.all ? "There was never a proposal." : "No open proposals.");
      for (const [index, proposal] of found.entries()) {
        if (index > 0) screen.say("");
        for (const line of proposalLines(proposal, agent.skill(proposal.skillId).skill.name)) screen.say(line);
      }
      if (found.some(({ status }) => status === "open")) {
        screen.say("");
        screen.say("Take one with: knack skills accept <id>   Leave it with: knack skills decline <id>");
      }
    }),
  )
    .option("--all", "decided ones too")
    .option("--skill <name>", "of one skill");

  leaf(skills, session, "accept <id>", "take a proposed change", ({ screen, args: [id = ""] }) =>
    withAgent(async (agent) => {
      const { skill } = await agent.acceptProposal(id, "user");
      const off = { provisional: null, active: null, disabled: "enable", retired: "revive" }[skill.status];
      const stays = off === null ? "" : `; it stays ${skill.status}, switch it on with: knack skills ${off} ${skill.name}`;
      screen.show(skill, () => [`"${skill.name}" is at revision ${skill.activeRevision}${stays}`]);
    }),
  );

  leaf(skills, session, "decline <id>", "leave a proposed change", ({ screen, args: [id = ""] }) =>
    withAgent((agent) => {
      agent.declineProposal(id);
      screen.show({ declined: id }, () => [`declined ${id}; nothing was changed`]);
    }),
  );
}

function proposalLines(proposal: Proposal, name: string): string[] {
  const decided = proposal.status === "open" ? "" : `, ${proposal.status} ${timeText(proposal.decidedAt)}`;
  const diff = proposal.diff.split("\n").filter((line) => line.trim() !== "" && !/^(?:Index: |=+$)/u.test(line));
  return [
    `${proposal.id}  a change to revision ${proposal.base} of ${name}, ${timeText(proposal.createdAt)}${decided}`,
    `  ${proposal.reason}`,
    ...diff.map((line) => `  ${line}`),
  ];
}
