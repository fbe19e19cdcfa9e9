export { type FactsFound, type FoundFact, factKeys, factSlot, factsIn } from "./find-facts.ts";
export { longestFact } from "./why-no-fact.ts";
