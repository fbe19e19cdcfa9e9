import type { RevisionContent } from "#contract/skills/schema.ts";

/** A revision that says nothing, to be filled in. */
export const emptyContent: RevisionContent = {
  summary: "",
  whenToUse: "",
  goal: "",
  phrasings: [],
  inputs: { type: "object", properties: {}, required: [] },
  bindings: [],
  preconditions: [],
  antiPreconditions: [],
  steps: [],
  edgeCases: [],
  toolsRequired: [],
  capabilities: { primitives: [], vault: [], destinations: [] },
};
