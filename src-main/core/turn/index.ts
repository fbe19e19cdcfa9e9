export { compact, undoCompaction } from "./compact.ts";
export { compactionOn, freshDesk } from "./desk.ts";
export { finishRun } from "./finish-run.ts";
export { isConfirmation, isCorrection } from "./is-correction.ts";
export { runTurn, titleOf } from "./run-turn.ts";
export { systemText } from "./system-text.ts";
export { warmPrompt } from "./warm-prompt.ts";
export { withdrawProposals } from "./withdraw-proposals.ts";
export type { Desk, TurnWorld } from "./world.ts";
