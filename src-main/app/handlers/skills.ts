import { route } from "./route.ts";
import { signalOf } from "./signal-of.ts";

const { skills } = route;

export const skillHandlers = skills.router({
  list: skills.list.handler(({ input, context }) => context.agent.skills(input.all)),
  get: skills.get.handler(({ input, context }) => context.agent.skill(input.name, input.revision)),
  diff: skills.diff.handler(({ input, context }) => context.agent.diffSkill(input.name, input.a, input.b)),
  revert: skills.revert.handler(({ input, context }) => context.agent.revertSkill(input.name, input.revision, context.by)),
  setStatus: skills.setStatus.handler(({ input, context }) => context.agent.setSkillStatus(input.name, input.status, context.by, input.reason)),
  erase: skills.erase.handler(({ input, context }) => context.agent.eraseSkill(input.name)),
  match: skills.match.handler(({ input, context, signal }) => context.agent.matchSkill(input.goal, signalOf(signal))),
});
