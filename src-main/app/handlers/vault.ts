import { route } from "./route.ts";

const { vault } = route;

export const vaultHandlers = vault.router({
  status: vault.status.handler(({ context }) => context.agent.vault.status()),
  create: vault.create.handler(({ input, context }) => context.agent.vault.create(input.passphrase)),
  unlock: vault.unlock.handler(({ input, context }) => context.agent.vault.unlock(input.passphrase)),
  unlockByKeychain: vault.unlockByKeychain.handler(({ context }) => context.agent.vault.unlockByKeychain()),
  lock: vault.lock.handler(({ context }) => {
    context.agent.vault.lock();
    return context.agent.vault.status();
  }),
  entries: vault.entries.handler(({ context }) => context.agent.vault.entries()),
  add: vault.add.handler(({ input, context }) => context.agent.vault.add(input)),
  edit: vault.edit.handler(({ input, context }) => context.agent.vault.edit(input.name, input.change)),
  remove: vault.remove.handler(({ input, context }) => context.agent.vault.remove(input.name)),
  changePassphrase: vault.changePassphrase.handler(({ input, context }) => context.agent.vault.changePassphrase(input.current, input.next)),
  rotate: vault.rotate.handler(({ input, context }) => context.agent.vault.rotate(input.passphrase)),
  audit: vault.audit.handler(({ input, context }) => context.agent.vault.audit(input.limit)),
  export: vault.export.handler(({ input, context }) => context.agent.vault.export(input.passphrase, input.exportPassphrase)),
  import: vault.import.handler(({ input, context }) => context.agent.vault.import(input.text, input.passphrase)),
  setKeychain: vault.setKeychain.handler(({ input, context }) => context.agent.vault.setKeychain(input.on)),
});
