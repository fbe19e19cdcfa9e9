import { route } from "./route.ts";

const { memory } = route;

export const memoryHandlers = memory.router({
  list: memory.list.handler(({ context }) => context.agent.facts()),
  show: memory.show.handler(({ input, context }) => context.agent.fact(input.id)),
  add: memory.add.handler(({ input, context }) => context.agent.addFact(input.text, input.label)),
  edit: memory.edit.handler(({ input, context }) => context.agent.editFact(input.id, input.change)),
  letGo: memory.letGo.handler(({ input, context }) => context.agent.letGoOfFact(input.id)),
  takeBack: memory.takeBack.handler(({ input, context }) => context.agent.takeBackFact(input.id)),
  forget: memory.forget.handler(({ input, context }) => context.agent.forgetFact(input.id, input.backups)),
  export: memory.export.handler(({ context }) => context.agent.exportFacts()),
  import: memory.import.handler(({ input, context }) => context.agent.importFacts(input.text)),
});
