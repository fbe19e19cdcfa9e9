export { declinedIn } from "./declined-fields.ts";
export { type FactsFound, type FoundFact, factKeys, factSlot, factsIn } from "./find-facts.ts";
export { profileFields } from "./profile-fields.ts";
export { longestFact } from "./why-no-fact.ts";
