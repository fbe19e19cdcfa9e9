import { forget, recall, remember, updateMemory } from "./facts.ts";
import { searchPastConversations } from "./past.ts";

export const memoryTools = [remember, recall, updateMemory, forget, searchPastConversations];
