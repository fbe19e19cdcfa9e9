export { type Leak, patternsOf, spellings, sweep, sweepFolders, sweepProcesses, type Values } from "./leak-sweep.ts";
