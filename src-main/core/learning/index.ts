export { asksForAnswer } from "./asks-for-answer.ts";
export { contentFrom, draftFromShowing, nameFromGoal } from "./draft.ts";
export { type Generalised, generalise } from "./generalise.ts";
export { tidyShowing } from "./tidy-showing.ts";
