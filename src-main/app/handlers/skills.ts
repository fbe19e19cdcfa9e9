import { route } from "./route.ts";
import { signalOf } from "./signal-of.ts";

const { skills } = route;

export const skillHandlers = skills.router({
  list: skills.list.handler(async ({ input, context }) => {
    // A pack that was put there, or taken away, since the last turn shows at once.
    await context.agent.packs();
    return context.agent.skills(input.all);
  }),
  get: skills.get.handler(({ input, context }) => context.agent.skill(input.name, input.revision)),
  diff: skills.diff.handler(({ input, context }) => context.agent.diffSkill(input.name, input.a, input.b)),
  revert: skills.revert.handler(({ input, context }) => context.agent.revertSkill(input.name, input.revision, context.by)),
  setStatus: skills.setStatus.handler(({ input, context }) => context.agent.setSkillStatus(input.name, input.status, context.by, input.reason)),
  supersede: skills.supersede.handler(({ input, context }) => context.agent.supersedeSkill(input.name, input.by, context.by)),
  setPinned: skills.setPinned.handler(({ input, context }) => context.agent.setSkillPinned(input.name, input.pinned, context.by)),
  setMode: skills.setMode.handler(({ input, context }) => context.agent.setSkillMode(input.name, input.mode, context.by)),
  undo: skills.undo.handler(({ input, context }) => context.agent.undoSkillChange(input.entryId, context.by)),
  proposals: skills.proposals.handler(({ input, context }) => context.agent.proposals(input.all, input.name)),
  acceptProposal: skills.acceptProposal.handler(({ input, context }) => context.agent.acceptProposal(input.id, context.by)),
  declineProposal: skills.declineProposal.handler(({ input, context }) => context.agent.declineProposal(input.id)),
  erase: skills.erase.handler(({ input, context }) => context.agent.eraseSkill(input.name, input.backups)),
  lift: skills.lift.handler(({ input, context }) => context.agent.lift(input.name)),
  import: skills.import.handler(({ input, context }) => context.agent.importSkills(input.files, context.by)),
  export: skills.export.handler(({ input, context }) => context.agent.exportSkill(input.name)),
  validate: skills.validate.handler(({ input, context }) => context.agent.validateSkills(input.files)),
  packs: skills.packs.handler(({ context }) => context.agent.packs()),
  match: skills.match.handler(({ input, context, signal }) => context.agent.matchSkill(input.goal, signalOf(signal))),
});
