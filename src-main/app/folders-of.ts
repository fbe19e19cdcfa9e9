import type { Conversation } from "#contract/chat/schema.ts";
import type { Folder } from "#contract/conversations/routes.ts";
import { badInput } from "#contract/errors.ts";
import type { Agent } from "./agent.ts";
import type { SkillWorld } from "./skills.ts";

type FolderCases = Pick<Agent, "folders" | "addFolder" | "renameFolder" | "removeFolder" | "moveConversation">;

/** Folders of conversations, and what is in them. */
export function foldersOfConversations({ stores: { conversations }, makeId, clock }: Pick<SkillWorld, "stores" | "makeId" | "clock">): FolderCases {
  const folder = (id: string): Folder => {
    const found = conversations.folders().find((one) => one.id === id);
    if (found === undefined) throw badInput(`There is no folder ${id}; see: knack conversations folders`);
    return found;
  };
  const named = (name: string): string => {
    if (name.trim() === "") throw badInput("The name of a folder cannot be empty");
    return name.trim();
  };
  return {
    folders: () => conversations.folders(),
    addFolder(name) {
      const made: Folder = { id: makeId(), name: named(name), createdAt: clock() };
      conversations.addFolder(made);
      return made;
    },
    renameFolder(id, name) {
      folder(id);
      conversations.renameFolder(id, named(name));
      return folder(id);
    },
    removeFolder: (id) => conversations.removeFolder(folder(id).id),
    moveConversation(id, folderId): Conversation {
      if (folderId !== null) folder(folderId);
      if (!conversations.get(id)) throw badInput(`There is no conversation ${id}; see: knack conversations list`);
      conversations.move(id, folderId);
      return conversations.get(id) as Conversation;
    },
  };
}
