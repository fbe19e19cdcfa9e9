export { defineTool, type Tool, type ToolContext, type ToolResult } from "./define-tool.ts";
export { fitArguments } from "./fit-arguments.ts";
export { asksForPast, asksToForget, asksToForgetAlone, asksToRemember, saysItChanged } from "./memory/asks.ts";
export { type Offer, type OfferBeyond, offeredForms } from "./offered.ts";
export { mostOffered, type OfferedEntry, type OfferedSources, offeredSet, type RuleGroup, skillEntry, toolEntry } from "./offered-set.ts";
export { toolRegistry, withTools } from "./registry.ts";
export { type ArgumentForm, openTextGrammar, type StepForm, stepChoices } from "./step-choices.ts";
export { toolForm } from "./tool-form.ts";
export { toolsForGoal } from "./tools-for-goal.ts";
