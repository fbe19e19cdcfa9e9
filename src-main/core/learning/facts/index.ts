export { type AnsweredField, answeredIn } from "./answered-fields.ts";
export { askedFields } from "./asked-fields.ts";
export { declinedIn } from "./declined-fields.ts";
export { factsNamed, speaksOf } from "./fact-named.ts";
export { type FactsFound, type FoundFact, factKeys, factLabel, factSlot, factsIn } from "./find-facts.ts";
export { type Grounded, type GroundedFact, groundedFact } from "./grounded-fact.ts";
export { profileFields } from "./profile-fields.ts";
export { longestFact, whyNotKept } from "./why-no-fact.ts";
