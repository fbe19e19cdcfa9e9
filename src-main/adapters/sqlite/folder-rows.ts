import { fold } from "#base/text.ts";
import type { Folder } from "#contract/conversations/routes.ts";
import { KnackError } from "#contract/errors.ts";
import type { ConversationStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

/** Folders of conversations. A conversation whose folder goes stays, in none. */
export function folderRows(connection: Connection): Pick<ConversationStore, "folders" | "addFolder" | "renameFolder" | "removeFolder" | "move"> {
  const all = (): Folder[] => connection.all<Folder>("SELECT id, name, created_at AS createdAt FROM folders ORDER BY name COLLATE NOCASE, id");

  function refuseTaken(id: string, name: string): void {
    const other = all().find((folder) => folder.id !== id && fold(folder.name) === fold(name));
    if (other === undefined) return;
    throw new KnackError("folder.name-taken", `There is a folder "${other.name}" already; choose another name.`, { exit: 2, fields: { name, id: other.id } });
  }

  return {
    folders: all,
    addFolder: ({ id, name, createdAt }) =>
      connection.transaction(() => {
        refuseTaken(id, name);
        connection.run("INSERT INTO folders (id, name, created_at) VALUES (:id, :name, :createdAt)", { id, name, createdAt });
      }),
    renameFolder: (id, name) =>
      connection.transaction(() => {
        refuseTaken(id, name);
        connection.change("folder", "UPDATE folders SET name = :name WHERE id = :id", { id, name });
      }),
    removeFolder(id) {
      connection.change("folder", "DELETE FROM folders WHERE id = :id", { id });
    },
    move(id, folderId) {
      connection.change("conversation", "UPDATE conversations SET folder_id = :folderId WHERE id = :id", { id, folderId });
    },
  };
}
